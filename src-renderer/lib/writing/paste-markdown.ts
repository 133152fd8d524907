/** Formatted text as Markdown. */
import TurndownService from 'turndown';
import { marksAround } from '#shared/text/fences.ts';
import { mentionById, streamReference } from '#shared/text/mention-syntax.ts';
import { targetOfLink } from '../links/links.ts';
import { addTables, squareTables } from './paste-tables.ts';
import { isPlain, markOf, parse } from './pasted-html.ts';

export function markdownOf(html: string): string {
  const page = parse(html);
  prepare(page);
  return createService()
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

function createService(): TurndownService {
  const service = new TurndownService({
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
