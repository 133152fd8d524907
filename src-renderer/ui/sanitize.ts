import DOMPurify, { type Config } from 'dompurify';

/** What the service makes of Markdown (API decisions, section 6), and nothing else. */
const config = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'div', 'span', 'a', 'strong', 'em', 'del', 'code', 'pre', 'blockquote'],
    ...['ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'time', 'img'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: [
    ...['class', 'href', 'title', 'datetime', 'align', 'start', 'alt', 'role', 'aria-label'],
    ...['data-user-id', 'data-stream-id', 'data-code-language'],
  ],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  // Those that hold no address; every other value has to be one that is allowed.
  ADD_URI_SAFE_ATTR: [
    ...['datetime', 'align', 'start', 'aria-label'],
    ...['data-user-id', 'data-stream-id', 'data-code-language'],
  ],
  ALLOWED_URI_REGEXP: /^(?:(?:https?|ftp|mailto|file|bitcoin|tel):|[/#])/i,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config;

/** Classes with a meaning of the contract; any other could dress a message as a part of the window. */
const knownClass =
  /^(?:user-mention|user-group-mention|silent|stream|stream-topic|emoji|emoji-[0-9a-f-]+|codehilite|tex-error|[a-z][a-z0-9]?)$/;

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

function makeSpoiler(block: Element): void {
  const header = block.querySelector('.spoiler-header');
  const content = block.querySelector('.spoiler-content');
  if (header === null || content === null) return;
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = header.textContent.trim();
  details.append(summary, ...content.childNodes);
  block.replaceWith(details);
}

const rewrites: readonly (readonly [string, (element: Element) => void])[] = [
  // Nothing is fetched from outside: of an image its description stays, of a preview the link above it.
  ['.message_inline_image', (element) => element.remove()],
  ['img', (element) => element.replaceWith(element.getAttribute('alt') ?? '')],
  // A heading of a message is none of the window's: the outline of the page stays what it is.
  ['h1, h2, h3, h4, h5, h6', (element) => replaceWith(element, 'p', 'message-heading')],
  ['.spoiler-block', makeSpoiler],
  ['span.emoji', showEmoji],
  ['a', (element) => element.setAttribute('rel', 'noreferrer')],
  // Long lines scroll sideways, which has to work without a mouse.
  ['pre', (element) => element.setAttribute('tabindex', '0')],
  [
    '[role]:not(.emoji)',
    (element) => {
      element.removeAttribute('role');
      element.removeAttribute('aria-label');
    },
  ],
];

function keepKnownClasses(element: Element): void {
  const known = [...element.classList].filter((name) => knownClass.test(name));
  if (known.length === 0) element.removeAttribute('class');
  else element.className = known.join(' ');
}

/** The HTML of a message as nodes that can do nothing but be read. */
export function messageNodes(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, config);
  for (const [selector, rewrite] of rewrites) fragment.querySelectorAll(selector).forEach(rewrite);
  fragment
    .querySelectorAll('[class]:not(.message-heading)')
    .forEach((element) => keepKnownClasses(element));
  return fragment;
}

/** What a message says, without its form. */
export const textOf = (html: string): string =>
  messageNodes(html).textContent.replaceAll(/\s+/g, ' ').trim();
