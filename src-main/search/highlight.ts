/** Marks what a search has found in HTML (API decisions 3.4). */
import { occurrences, type SearchQuery } from './query.ts';
import { visitRuns, type Word, wordsOfRun } from './words.ts';

type Range = readonly [start: number, end: number];

/** A tag, its quoted attribute values included: a `>` inside of one does not end it. Comments too. */
const TAG = /<!--[\s\S]*?-->|<\/?[a-zA-Z](?:"[^"]*"|'[^']*'|[^"'>])*>/g;
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi;

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': '\u00a0',
};

function decodeEntity(entity: string): string {
  const digits = /^&#(x?)([\da-f]+);$/i.exec(entity);
  if (digits === null) return entities[entity] ?? ' ';
  const code = Number.parseInt(digits[2] ?? '', digits[1] === '' ? 10 : 16);
  const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : ' ';
}

interface Decoded {
  readonly text: string;
  /** The offset in the source of an offset in the text. */
  readonly sourceOf: (offset: number) => number;
}

/** Between tags: entities as their characters. */
function decode(source: string): Decoded {
  if (!source.includes('&')) return { text: source, sourceOf: (offset) => offset };
  const offsets: number[] = [];
  let text = '';
  let at = 0;
  const take = (piece: string, from: number, isEntity: boolean): void => {
    for (let i = 0; i < piece.length; i++) offsets.push(isEntity ? from : from + i);
    text += piece;
  };
  for (const { 0: entity, index } of source.matchAll(ENTITY)) {
    take(source.slice(at, index), at, false);
    take(decodeEntity(entity), index, true);
    at = index + entity.length;
  }
  take(source.slice(at), at, false);
  return { text, sourceOf: (offset) => offsets[offset] ?? source.length };
}

function merge(ranges: Range[]): readonly Range[] {
  if (ranges.length < 2) return ranges;
  ranges.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const merged: Range[] = [];
  for (const [start, end] of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && start < last[1])
      merged[merged.length - 1] = [last[0], Math.max(end, last[1])];
    else merged.push([start, end]);
  }
  return merged;
}

const none: readonly Range[] = [];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

export interface Highlighter {
  /** HTML with each hit in a span; without the spans it is what it was. */
  readonly html: (html: string) => string;
  /** The same for plain text, which becomes HTML. */
  readonly text: (text: string) => string;
}

const NOT_ASCII = /[^ -~\s]/;

/** A letter or digit of ASCII in lower case, by its code: this is asked of each character around each anchor. */
const isLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);

/** A stem differs from its words in its last letter at most. */
const anchorOf = (token: string): string =>
  token.length > 1 && /^[a-z]+$/.test(token) ? token.slice(0, -1) : token;

/** Calls `visit` with the runs of an ASCII text that have one of the anchors in them; some of them twice. */
function visitAnchored(
  text: string,
  anchors: readonly string[],
  visit: (run: string, at: number) => void,
): void {
  const lower = text.toLowerCase();
  for (const anchor of anchors) {
    for (let at = lower.indexOf(anchor); at >= 0;) {
      let start = at;
      let end = at + anchor.length;
      while (start > 0 && isLetter(lower.charCodeAt(start - 1))) start -= 1;
      while (end < lower.length && isLetter(lower.charCodeAt(end))) end += 1;
      visit(text.slice(start, end), start);
      at = lower.indexOf(anchor, end);
    }
  }
}

function createFinder(query: SearchQuery): (text: string) => readonly Range[] {
  const tokens = new Set([...query.words, ...query.phrases.flatMap(({ telling }) => telling)]);
  const literals = [...query.literals, ...query.phrases.map(({ text }) => text)];
  const known = new Map<string, readonly Range[]>();
  const isHit = ({ token, folded }: Word): boolean =>
    tokens.has(token) || query.prefixes.some((prefix) => folded.startsWith(prefix));

  function hitsOfRun(run: string): readonly Range[] {
    const found = known.get(run);
    if (found !== undefined) return found;
    const hits = wordsOfRun(run).filter(isHit);
    const ranges = hits.length === 0 ? none : hits.map(({ start, end }): Range => [start, end]);
    known.set(run, ranges);
    return ranges;
  }

  const anchors = [...new Set([...[...tokens].map(anchorOf), ...query.prefixes])];

  return (text) => {
    const ranges: Range[] = [];
    const take = (run: string, at: number): void => {
      for (const [start, end] of hitsOfRun(run)) ranges.push([at + start, at + end]);
    };
    if (NOT_ASCII.test(text)) visitRuns(text, take);
    else visitAnchored(text, anchors, take);
    if (literals.length > 0) {
      const lower = text.toLowerCase();
      // Where lower case is longer, offsets would point elsewhere.
      if (lower.length === text.length) {
        for (const literal of literals) ranges.push(...occurrences(lower, literal));
      }
    }
    return merge(ranges);
  };
}

export function createHighlighter(query: SearchQuery): Highlighter {
  const find = createFinder(query);

  function markText(source: string): string {
    const { text, sourceOf } = decode(source);
    const ranges = find(text);
    if (ranges.length === 0) return source;
    let marked = '';
    let at = 0;
    for (const [start, end] of ranges) {
      const [from, to] = [sourceOf(start), sourceOf(end)];
      marked += `${source.slice(at, from)}<span class="highlight">${source.slice(from, to)}</span>`;
      at = to;
    }
    return marked + source.slice(at);
  }

  const html = (source: string): string => {
    let marked = '';
    let at = 0;
    for (const { 0: tag, index } of source.matchAll(TAG)) {
      if (index > at) marked += markText(source.slice(at, index));
      marked += tag;
      at = index + tag.length;
    }
    return at === 0 ? markText(source) : marked + markText(source.slice(at));
  };
  return { html, text: (text) => html(escapeHtml(text)) };
}

export interface MatchFields {
  readonly match_content: string;
  readonly match_subject: string;
}

/** Where a message was found: always HTML, however its content is asked for. */
export const matchFields = (
  row: { readonly rendered: string; readonly topic: string | null },
  highlighter: Highlighter,
): MatchFields => ({
  match_content: highlighter.html(row.rendered),
  match_subject: highlighter.text(row.topic ?? ''),
});
