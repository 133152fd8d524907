import createDOMPurify, { type Config } from 'dompurify';
import { isAllowedAttribute, renderedTags } from '../../src-main/contract/rendered-html.ts';
import { fullDate } from '../text/dates.ts';
import { words } from '../text/words.ts';

const attributes = [
  ...new Set([...renderedTags.values()].flatMap((allowed) => Object.keys(allowed))),
];

/** What the service makes of Markdown (API decisions, section 6), and nothing else. */
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
// Values too: a class without a meaning of the contract could dress a message as a part of the window.
purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
  const tag = element.localName;
  if (!isAllowedAttribute(tag, attribute.attrName, attribute.attrValue)) attribute.keepAttr = false;
});

const replaceWith = (old: Element, name: string, className: string): void => {
  const fresh = document.createElement(name);
  fresh.className = className;
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

/** The organization's own emoji are shown where its service is also where this page is from. */
function showImage(image: Element): void {
  const isEmoji = (image.getAttribute('src') ?? '').startsWith('/user_avatars/');
  if (isEmoji && location.protocol.startsWith('http')) return;
  image.replaceWith(image.getAttribute('alt') ?? '');
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
  // Nothing is fetched from outside: of an image its description stays, of a preview the link above it.
  ['.message_inline_image', (element) => element.remove()],
  ['img', showImage],
  // A heading of a message is none of the window's: the outline of the page stays what it is.
  ['h1, h2, h3, h4, h5, h6', (element) => replaceWith(element, 'p', 'message-heading')],
  ['.spoiler-block', makeSpoiler],
  ['span.emoji', showEmoji],
  ['time', showTime],
  ['a', (element) => element.setAttribute('rel', 'noreferrer')],
  // Long lines scroll sideways, which has to work without a mouse.
  ['pre, .katex-display', (element) => element.setAttribute('tabindex', '0')],
];

/** The HTML of a message as nodes that can do nothing but be read. */
export function messageNodes(html: string): DocumentFragment {
  const fragment = purifier.sanitize(html, config);
  for (const [selector, rewrite] of rewrites) fragment.querySelectorAll(selector).forEach(rewrite);
  return fragment;
}

/** What a message says, without its form. */
export function textOf(html: string): string {
  const fragment = messageNodes(html);
  fragment.querySelectorAll('img').forEach((image) => image.replaceWith(image.alt));
  // A formula holds its source beside the signs that are shown.
  fragment.querySelectorAll('.katex').forEach((formula) => {
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? '');
  });
  return fragment.textContent.replaceAll(/\s+/g, ' ').trim();
}
