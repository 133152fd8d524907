/** A tag as written, and the text between tags with character references decoded. */
export interface Scan {
  readonly tags: readonly { name: string; isEnd: boolean; attributes: Record<string, string> }[];
  readonly text: string;
  /** What is neither text nor a well-formed, properly nested tag. */
  readonly faults: readonly string[];
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const VOID = new Set(['br', 'hr', 'img']);
const PART = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)>|&([a-z]+);|([^<>&]+)|([^])/g;

/**
 * Reads rendered HTML with rules far narrower than HTML's own: whatever they do not cover is a fault.
 * It shares nothing with the renderer, so that the two do not err alike.
 */
export function scanHtml(html: string): Scan {
  const tags: Scan['tags'][number][] = [];
  const faults: string[] = [];
  const open: string[] = [];
  let text = '';
  for (const [whole, slash, name, attributes, entity, plain] of html.matchAll(PART)) {
    if (plain !== undefined) text += plain;
    else if (entity !== undefined && ENTITIES[entity] !== undefined) text += ENTITIES[entity];
    else if (name === undefined) faults.push(whole);
    else {
      const isEnd = slash === '/';
      tags.push({ name, isEnd, attributes: readAttributes(attributes ?? '') });
      if (isEnd && open.pop() !== name) faults.push(whole);
      if (!isEnd && !VOID.has(name)) open.push(name);
    }
  }
  return { tags, text, faults: [...faults, ...open] };
}

const decode = (source: string): string =>
  source.replace(/&([a-z]+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole);

function readAttributes(source: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of source.matchAll(/ ([a-z-]+)="([^"]*)"/g)) {
    attributes[name] = decode(value);
  }
  return attributes;
}

/** Text as a reader sees it: runs of white space are one blank. */
export const asShown = (text: string): string =>
  text.toWellFormed().replaceAll('\u2060', '').replace(/\s+/g, ' ').trim();
