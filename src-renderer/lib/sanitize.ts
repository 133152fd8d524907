import createDOMPurify, { type Config } from 'dompurify';
import { isAllowedAttribute, renderedTags } from '#shared/text/rendered-html.ts';
import { fullDate } from '../i18n/dates.ts';
import { fileNameOf } from './links/links.ts';
import { timelineWords } from '../i18n/timeline.ts';
import { words } from '../i18n/common.ts';

const attributes = [
  ...new Set([...renderedTags.values()].flatMap((allowed) => Object.keys(allowed))),
];

/** What the service makes of Markdown (API decisions 6), and nothing else. */
const config = {
  ALLOWED_TAGS: [...renderedTags.keys()],
  ALLOWED_ATTR: attributes,
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  // Those that hold no address; every other value has to be one that is allowed.
  ADD_URI_SAFE_ATTR: attributes.filter((name) => name !== 'href' && name !== 'src'),
  ALLOWED_URI_REGEXP: /^(?:(?:https?|ftp|mailto|file|bitcoin|tel):|[/#])/i,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config;

const purifier = createDOMPurify(window);
/** Beside what messages hold: what a search has found, and what the history says was changed. */
const markClasses: ReadonlySet<string> = new Set([
  'highlight',
  'highlight_text_inserted',
  'highlight_text_deleted',
]);
const isMark = (tag: string, name: string, value: string): boolean =>
  tag === 'span' && name === 'class' && markClasses.has(value);

// Values too: a class without a meaning of the API could dress a message as a part of the window.
purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
  const tag = element.localName;
  const { attrName, attrValue } = attribute;
  if (isMark(tag, attrName, attrValue)) return;
  if (!isAllowedAttribute(tag, attrName, attrValue)) attribute.keepAttr = false;
});

const replaceWith = (old: Element, name: string, className: string): void => {
  const fresh = document.createElement(name);
  if (className !== '') fresh.className = className;
  fresh.append(...old.childNodes);
  old.replaceWith(fresh);
};

function showEmoji(element: Element): void {
  const code = /\bemoji-(?<code>[0-9a-f]+(?:-[0-9a-f]+)*)\b/.exec(element.className)?.groups?.[
    'code'
  ];
  if (code === undefined) return;
  const points = code.split('-').map((point) => Number.parseInt(point, 16));
  if (points.every((point) => point <= 0x10ffff))
    element.textContent = String.fromCodePoint(...points);
}

/**
 * Nothing is fetched from here: of the organization's own emoji the address stays as a note, and whoever shows the
 * message loads it through the bridge. Any other image leaves only its description.
 */
function showImage(image: Element): void {
  const source = image.getAttribute('src') ?? '';
  if (source.startsWith('/user_avatars/')) {
    image.removeAttribute('src');
    image.setAttribute('data-file', source);
  } else image.replaceWith(image.getAttribute('alt') ?? '');
}

/** A picture of the service becomes a button that shows it; one from elsewhere a link that says where it leads. */
function showPreview(preview: Element): void {
  const link = preview.querySelector('a');
  const href = link?.getAttribute('href') ?? '';
  if (href.startsWith('/user_uploads/')) preview.replaceWith(imageButton(href, link?.title ?? ''));
  else preview.replaceWith(...outsideImage(href));
}

function imageButton(path: string, title: string): HTMLElement {
  const name = title === '' ? fileNameOf(path) : title;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'message-image';
  button.dataset['image'] = path;
  button.dataset['name'] = name;
  button.setAttribute('aria-label', timelineWords.openImage(name));
  button.title = name;
  return button;
}

function outsideImage(href: string): readonly HTMLElement[] {
  const host = URL.canParse(href) ? new URL(href).host : '';
  if (host === '') return [];
  const line = document.createElement('p');
  line.className = 'message-outside';
  const link = document.createElement('a');
  link.href = href;
  link.title = href;
  link.textContent = timelineWords.imageElsewhere(host);
  line.append(link);
  return [line];
}

function headCode(block: Element): void {
  const head = document.createElement('div');
  head.className = 'code-head';
  const language = document.createElement('span');
  language.textContent = block.getAttribute('data-code-language') ?? '';
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.className = 'copy-code';
  copy.textContent = timelineWords.copyCode;
  head.append(language, copy);
  block.prepend(head);
}

function makeChange(element: Element): void {
  const isInserted = element.className === 'highlight_text_inserted';
  replaceWith(element, isInserted ? 'ins' : 'del', '');
}

function makeSpoiler(block: Element): void {
  const header = block.querySelector('.spoiler-header');
  const content = block.querySelector('.spoiler-content');
  if (header === null || content === null) return;
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  const title = header.querySelector('p');
  if (title === null) summary.textContent = words.timeline.spoiler;
  else summary.append(...title.childNodes);
  details.append(summary, ...content.childNodes);
  block.replaceWith(details);
}

/** Moments are shown in the reader's own time zone; what was typed is a pointer away. */
function showTime(element: Element): void {
  const moment = Date.parse(element.getAttribute('datetime') ?? '');
  if (Number.isNaN(moment)) return;
  element.setAttribute('title', element.textContent);
  element.textContent = fullDate(moment / 1000);
}

const rewrites: readonly (readonly [string, (element: Element) => void])[] = [
  ['.message_inline_image', showPreview],
  ['img', showImage],
  ['.codehilite', headCode],
  ['.highlight_text_inserted, .highlight_text_deleted', makeChange],
  // A heading of a message is none of the window's: the outline of the page stays what it is.
  ['h1, h2, h3, h4, h5, h6', (element) => replaceWith(element, 'p', 'message-heading')],
  ['.spoiler-block', makeSpoiler],
  ['span.emoji', showEmoji],
  ['time', showTime],
  ['a', (element) => element.setAttribute('rel', 'noreferrer')],
];

function cleaned(html: string): DocumentFragment {
  const fragment = purifier.sanitize(html, config);
  for (const [selector, rewrite] of rewrites) fragment.querySelectorAll(selector).forEach(rewrite);
  return fragment;
}

/** Rows come and go while a list scrolls: each is cleaned once. */
const CACHED = 600;
const cache = new Map<string, DocumentFragment>();

/** The HTML of a message as nodes that can do nothing but be read. */
export function messageNodes(html: string): DocumentFragment {
  const known = cache.get(html) ?? cleaned(html);
  cache.delete(html);
  cache.set(html, known);
  if (cache.size > CACHED) cache.delete(cache.keys().next().value ?? '');
  return document.importNode(known, true);
}

export interface MatchedText {
  readonly text: string;
  /** It is what was searched for. */
  readonly isHit: boolean;
}

/** A single line in which a search has marked its hits, as pieces of plain text. */
export function matchedTexts(html: string): readonly MatchedText[] {
  const texts = document.createTreeWalker(messageNodes(html), NodeFilter.SHOW_TEXT);
  const pieces: MatchedText[] = [];
  while (texts.nextNode() !== null) {
    const { textContent, parentElement } = texts.currentNode;
    const text = textContent ?? '';
    const isHit = Boolean(parentElement?.closest('.highlight'));
    if (text !== '') pieces.push({ text, isHit });
  }
  return pieces;
}

/** Takes from what is shown of a message what is for the eye and the pointer only. */
export function withoutControls(nodes: DocumentFragment): DocumentFragment {
  nodes.querySelectorAll('.code-head').forEach((head) => head.remove());
  nodes.querySelectorAll('[data-image]').forEach((button) => {
    button.replaceWith(` ${timelineWords.image(button.getAttribute('data-name') ?? '')} `);
  });
  nodes.querySelectorAll('img').forEach((image) => image.replaceWith(image.alt));
  // A formula holds its source beside the signs that are shown.
  nodes.querySelectorAll('.katex').forEach((formula) => {
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? '');
  });
  return nodes;
}

/** What a message says in one line, without its form. */
export const textOf = (html: string): string =>
  withoutControls(messageNodes(html)).textContent.replaceAll(/\s+/g, ' ').trim();
