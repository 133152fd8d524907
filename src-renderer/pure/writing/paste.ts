/** What is pasted as formatted text, as Markdown. Turndown is loaded when it is wanted. */
import type TurndownService from 'turndown';
import { marksAround } from '../../../src-main/contract/fences.ts';
import { mentionById, streamReference } from '../../../src-main/contract/written-names.ts';
import { targetOfLink } from '../links/links.ts';
import { addTables, squareTables } from './paste-tables.ts';

const formatted =
  'a[href], b, strong, i, em, code, pre, ul, ol, table, blockquote, del, s, h1, h2, h3, h4, h5, h6, .user-mention, .user-group-mention';

/** What is longer makes no message, and Turndown takes time in proportion to its square. */
const MAX_HTML = 200_000;

/** Whether the clipboard holds more than its plain text says: editors of code mark their colours as HTML too. */
export function isFormatted(data: Pick<DataTransfer, 'types' | 'getData'>): boolean {
  if (data.types.includes('vscode-editor-data')) return false;
  const html = data.getData('text/html');
  if (html.length > MAX_HTML) return false;
  if (html === '' || data.getData('text/plain') === '') return html !== '';
  const page = parse(html);
  return (
    [...page.querySelectorAll(formatted)].some((element) => !isPlain(element)) ||
    [...page.querySelectorAll('span')].some((span) => markOf(span) !== null)
  );
}

function withoutSheets(html: string): string {
  const [head = '', ...sheets] = html.split(/<style\b/i);
  const behind = (sheet: string): string =>
    sheet
      .split(/<\/style>/i)
      .slice(1)
      .join('');
  return head + sheets.map(behind).join('');
}

/**
 * Styles stand in an attribute of another name: the rules of the page forbid those of others, so that nothing could be
 * read from them, and each of them would be a warning.
 */
const parse = (html: string): Document =>
  new DOMParser().parseFromString(
    withoutSheets(html).replaceAll(/<[^<>]*>/g, (tag) => tag.replace(/\sstyle=/i, ' data-style=')),
    'text/html',
  );

/** The first of the properties that is set, in lower case; empty where none is. */
function styleOf(element: Element, ...names: readonly string[]): string {
  const declarations = (element.getAttribute('data-style') ?? '').toLowerCase().split(';');
  const [, value = ''] =
    declarations
      .map((each) => each.split(':', 2).map((part) => part.trim()))
      .find(([name = '']) => names.includes(name)) ?? [];
  return value;
}

/** Google's documents stand in a `<b>` that is not bold. */
const isPlain = (element: Element): boolean =>
  element.matches('b, strong') && /^(?:normal|400)$/.test(styleOf(element, 'font-weight'));

const hasOwnForm = 'pre, code, h1, h2, h3, h4, h5, h6, a, b, strong, em, i, del, s';

/** How editors mark what is bold, without a tag for it; null for what is as it always is. */
function markOf(span: Element): 'strong' | 'em' | 'del' | null {
  const isInside = span.closest(hasOwnForm);
  if (span.textContent.trim() === '' || (isInside !== null && !isPlain(isInside))) return null;
  if (/^(?:bold|[6-9]00)$/.test(styleOf(span, 'font-weight'))) return 'strong';
  if (styleOf(span, 'font-style') === 'italic') return 'em';
  return styleOf(span, 'text-decoration', 'text-decoration-line').includes('line-through')
    ? 'del'
    : null;
}

const isAddress = /^(?:https?|mailto):\S+$/;

/** The address that a text is, to make what is selected a link to it; null where it is none. */
export const addressOf = (text: string): string | null =>
  isAddress.test(text.trim()) ? text.trim() : null;

export async function markdownOf(html: string): Promise<string> {
  const { default: Turndown } = await import('turndown');
  const page = parse(html);
  prepare(page);
  return createService(Turndown)
    .turndown(page.body)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Takes away what is for the eye only, so that every rule finds what it expects. */
function prepare(page: Document): void {
  for (const part of page.querySelectorAll('button, style, script, title, .code-head'))
    part.remove();
  for (const span of page.querySelectorAll('span')) {
    const mark = markOf(span);
    if (mark === null) continue;
    const marked = page.createElement(mark);
    marked.append(...span.childNodes);
    span.replaceWith(marked);
  }
  for (const wrapper of page.querySelectorAll('b, strong'))
    if (isPlain(wrapper)) wrapper.replaceWith(...wrapper.childNodes);
  // The end of a line within a cell would end the table.
  for (const end of page.querySelectorAll('td br, th br')) end.replaceWith(' ');
  squareTables(page);
}

function createService(Turndown: typeof TurndownService): TurndownService {
  const service = new Turndown({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    // A space that is needed at the end of a line would be dropped when the message is sent.
    br: '',
  });
  // As with text that is typed, signs mean what they mean: a person sees them in the box before it is sent.
  service.escape = (text) => text;
  addMarks(service);
  addMessages(service);
  addTables(service);
  return service;
}

function addMarks(service: TurndownService): void {
  service.addRule('strike', {
    filter: ['del', 's'],
    replacement: (content) => (content.trim() === '' ? content : `~~${content}~~`),
  });
  service.addRule('image', {
    filter: 'img',
    replacement: (_, node) => {
      const { alt, src } = node as HTMLImageElement;
      return /^https?:/.test(src) ? `[${alt === '' ? 'image' : alt}](${src})` : alt;
    },
  });
  service.addRule('link', {
    filter: (node) => node.nodeName === 'A' && node.getAttribute('href') !== null,
    replacement: (content, node) => {
      const href = (node as HTMLAnchorElement).getAttribute('href') ?? '';
      const label = content.trim();
      if (label === '' || !/^(?:https?|mailto|ftp|tel):|^\/user_uploads\/|^\/?#narrow\//.test(href))
        return content;
      return label === href || `mailto:${label}` === href ? label : `[${label}](${href})`;
    },
  });
  service.addRule('listItem', {
    filter: 'li',
    replacement: (content, node) => {
      const list = node.parentNode;
      const text = content.trim().replaceAll('\n', '\n  ');
      const isLast = node.nextElementSibling === null;
      const mark = list?.nodeName === 'OL' ? `${String(numberOf(node, list))}. ` : '- ';
      return `${mark}${text}${isLast ? '' : '\n'}`;
    },
  });
}

function numberOf(item: Node, list: Node): number {
  const first = Number((list as HTMLOListElement).getAttribute('start') ?? 1);
  return first + [...(list as HTMLOListElement).children].indexOf(item as HTMLElement);
}

/** The topic that a link to one names. */
function topicOf(href: string): string | undefined {
  const target = targetOfLink(href.slice(Math.max(0, href.indexOf('#narrow/'))), '', 0);
  const view = target === null || 'problem' in target ? undefined : target.view;
  return view?.kind === 'stream' ? (view.topic ?? undefined) : undefined;
}

/** What messages of this service are made of: so it comes out as it was written. */
function addMessages(service: TurndownService): void {
  service.addRule('mention', {
    filter: (node) => node.classList.contains('user-mention'),
    replacement: (_, node) => {
      const isSilent = node.classList.contains('silent');
      const fullName = node.textContent.replace(/^@/, '');
      const userId = Number(node.getAttribute('data-user-id'));
      if (userId > 0) return mentionById({ userId, fullName }, isSilent);
      return `@${isSilent ? '_' : ''}**${fullName}**`;
    },
  });
  service.addRule('group', {
    filter: (node) => node.classList.contains('user-group-mention'),
    replacement: (_, node) => `@*${node.textContent.replace(/^@/, '')}*`,
  });
  service.addRule('stream', {
    filter: (node) => node.matches('a.stream, a.stream-topic'),
    replacement: (_, node) => {
      const text = node.textContent.replace(/^#/, '');
      const streamId = Number(node.getAttribute('data-stream-id'));
      const topic = topicOf(node.getAttribute('href') ?? '');
      const name = topic === undefined ? text : text.slice(0, -` > ${topic}`.length);
      return streamReference({ streamId, name }, topic);
    },
  });
  service.addRule('emoji', {
    filter: (node) => node.matches('span.emoji, img.emoji'),
    replacement: (_, node) => {
      const title = node.title;
      return title === '' ? node.textContent : `:${title.replaceAll(' ', '_')}:`;
    },
  });
  service.addRule('code', {
    filter: (node) => node.nodeName === 'PRE',
    replacement: (_, node) => {
      const holder = node.closest('[data-code-language]');
      const language = (holder?.getAttribute('data-code-language') ?? '').toLowerCase();
      const text = node.textContent.replace(/\n$/, '');
      const fence = marksAround(text);
      return `\n\n${fence}${language.includes(' ') ? '' : language}\n${text}\n${fence}\n\n`;
    },
  });
  service.addRule('formula', {
    filter: (node) => node.matches('.katex, .katex-display'),
    replacement: (content, node) => {
      const source = node.querySelector('annotation')?.textContent;
      if (source === undefined) return content;
      const isBlock = node.matches('.katex-display');
      return isBlock ? `\n\n\`\`\`math\n${source}\n\`\`\`\n\n` : `$$${source}$$`;
    },
  });
}
