import type sanitizeHtml from 'sanitize-html';
import { escapeText } from './escape.ts';
import { onDemand } from './lazy-packages.ts';
import { isAllowedAttribute, linkSchemes, renderedTags } from '#shared/text/rendered-html.ts';

const whitelist: sanitizeHtml.IOptions = {
  allowedTags: [...renderedTags.keys()],
  allowedAttributes: Object.fromEntries(
    [...renderedTags].map(([tag, attributes]) => [tag, Object.keys(attributes)]),
  ),
  allowedSchemes: [...linkSchemes],
  allowProtocolRelative: false,
  transformTags: {
    '*': (tagName, attribs) => ({
      tagName,
      attribs: Object.fromEntries(
        Object.entries(attribs).filter(([name, value]) => isAllowedAttribute(tagName, name, value)),
      ),
    }),
  },
};

const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img']);
const PART = /[^<>&]+|&(?:amp|lt|gt);|<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>/y;
const ATTRIBUTE = / ([a-z-]+)="([^"]*)"/g;
const ENTITY = /&(?:(amp|lt|gt|quot);)?/g;
const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

// An element that HTML closes by itself before one of these starts.
const pairs = (parents: string, children: string): (readonly [string, ReadonlySet<string>])[] =>
  parents.split(' ').map((parent) => [parent, new Set(children.split(' '))]);
const CLOSED_BY: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...pairs('p', 'blockquote div h1 h2 h3 h4 h5 h6 hr ol p pre table ul'),
  ...pairs('li', 'li'),
  ...pairs('thead tbody', 'thead tbody'),
  ...pairs('tr', 'tr'),
  ...pairs('th td', 'th td tr tbody thead'),
]);

function areAllowed(tag: string, source: string): boolean {
  const seen = new Set<string>();
  for (const [, name = '', written = ''] of source.matchAll(ATTRIBUTE)) {
    let isStrange = seen.has(name);
    seen.add(name);
    const value = written.replace(ENTITY, (whole, entity: string | undefined) => {
      if (entity === undefined) isStrange = true;
      return entity === undefined ? whole : (CHARACTERS[entity] ?? whole);
    });
    if (isStrange || !isAllowedAttribute(tag, name, value)) return false;
  }
  return true;
}

/** Whether a tag may start here; it is then the innermost of those that are open. */
function opens(open: string[], tag: string, attributes: string): boolean {
  if (!renderedTags.has(tag) || !areAllowed(tag, attributes)) return false;
  if (CLOSED_BY.get(open.at(-1) ?? '')?.has(tag) === true) return false;
  if (!VOID.has(tag)) open.push(tag);
  return true;
}

/**
 * Whether this is whitelisted, properly nested HTML in the one form in which the renderer writes it. Far
 * narrower than HTML: of what it accepts, the sanitizer would change nothing.
 */
export function isClean(html: string): boolean {
  const open: string[] = [];
  PART.lastIndex = 0;
  while (PART.lastIndex < html.length) {
    const part = PART.exec(html);
    if (part === null) return false;
    const [, slash, tag, attributes = ''] = part;
    if (tag === undefined) continue;
    if (slash === '/') {
      if (attributes !== '' || open.pop() !== tag) return false;
    } else if (!opens(open, tag, attributes)) return false;
  }
  return open.length === 0;
}

const strict = onDemand('sanitize-html') as () => typeof sanitizeHtml;

const OPENING_OR_CLOSING = /<(\/?)([a-z]+)/gi;
/** The parser takes time by how many elements are open, and no message opens so many. */
const MAX_OPEN = 1000;

function isTooDeep(html: string): boolean {
  let open = 0;
  for (const [, slash, name = ''] of html.matchAll(OPENING_OR_CLOSING)) {
    if (slash === '/') open = Math.max(0, open - 1);
    else if (!VOID.has(name.toLowerCase())) open += 1;
    if (open > MAX_OPEN) return true;
  }
  return false;
}

/** By a complete HTML parser, whatever the input is. Of what opens more than a thousand elements nothing is left but text. */
export const sanitizeStrictly = (html: string): string =>
  isTooDeep(html)
    ? escapeText(html)
    : strict()(html, whitelist).replace(/<((?:br|hr|img)\b[^<>]*) \/>/g, '<$1>');

/** The last step of rendering, whatever the steps before it did. */
export const sanitize = (html: string): string => (isClean(html) ? html : sanitizeStrictly(html));
