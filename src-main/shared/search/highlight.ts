/** Marks what a search has found in HTML (API decisions 3.4). */
import { asciiText, type Folded, foldPlaces, isAscii } from './fold.ts';
import { occurrences, type SearchQuery } from './query.ts';
import { anchorOf, beginsInside, isWordAt, type Word, wordsOfRun } from './words.ts';

type Range = readonly [start: number, end: number];

/**
 * A tag, its quoted attribute values included: a `>` inside of one does not end it. Comments too, to the end where they have
 * none: what is no tag ends at the next `<`, so that nothing is read twice.
 */
const TAG = /<!--[\s\S]*?(?:-->|$)|<\/?[a-zA-Z](?:"[^"]*"|'[^']*'|[^"'<>])*>/y;
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

type Visit = (run: string, at: number) => void;

/** Looks for some texts in a folded text, once from left to right. */
interface ScanState {
  /** The first place of any of them from `from` on; -1 where there is none. */
  readonly next: (from: number) => number;
  /** Calls `visit` with the runs from `from` to `to` that have an anchor in them; some of them twice. */
  readonly visitRuns: (from: number, to: number, visit: Visit) => void;
}

/** @param others  texts that are not looked for in runs */
function scan(
  { plain: text, lower }: Folded,
  anchors: readonly string[],
  others: readonly string[],
): ScanState {
  const sought = others.length === 0 ? anchors : [...anchors, ...others];
  const ahead = sought.map((each) => lower.indexOf(each));

  function placeOf(index: number, from: number): number {
    const at = ahead[index] ?? -1;
    if (at < 0 || at >= from) return at;
    return (ahead[index] = lower.indexOf(sought[index] ?? '', from));
  }

  return {
    next(from) {
      let first = -1;
      for (let index = 0; index < sought.length; index += 1) {
        const at = placeOf(index, from);
        if (at >= 0 && (first < 0 || at < first)) first = at;
      }
      return first;
    },
    visitRuns(from, to, visit) {
      for (const [index, anchor] of anchors.entries()) {
        let at = placeOf(index, from);
        while (at >= 0 && at < to) {
          if (at > from && beginsInside(text, at)) {
            at = placeOf(index, at + 1);
            continue;
          }
          let start = at;
          let end = at + anchor.length;
          while (start > from && isWordAt(text, start - 1)) start -= 1;
          while (end < to && isWordAt(text, end)) end += 1;
          visit(text.slice(start, end), start);
          at = placeOf(index, end);
        }
      }
    },
  };
}

/** What may stand for any character. */
const ENTITY_START = '&';

interface Finder {
  /** The hits in a text. */
  readonly find: (text: string) => readonly Range[];
  /** In HTML of ASCII, what there has to be where anything is found. */
  readonly scan: (html: string) => ScanState;
  /** The hits in a stretch of it, where there are no entities; undefined where runs alone do not tell. */
  readonly findIn: ((scanned: ScanState, from: number, to: number) => readonly Range[]) | undefined;
}

function createFinder(query: SearchQuery): Finder {
  const tokens = new Set([...query.words, ...query.phrases.flatMap(({ telling }) => telling)]);
  const phrases = query.phrases.map(({ text }) => text);
  const { literals } = query;
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
  const others = [...literals, ...phrases, ENTITY_START];

  const takingInto =
    (ranges: Range[]): Visit =>
    (run, at) => {
      for (const [start, end] of hitsOfRun(run)) ranges.push([at + start, at + end]);
    };

  function findIn(scanned: ScanState, from: number, to: number): readonly Range[] {
    const ranges: Range[] = [];
    scanned.visitRuns(from, to, takingInto(ranges));
    return merge(ranges);
  }

  function findFolded(folded: Folded): readonly Range[] {
    const ranges: Range[] = [];
    scan(folded, anchors, []).visitRuns(0, folded.plain.length, takingInto(ranges));
    const { lower } = folded;
    for (const phrase of phrases) ranges.push(...occurrences(lower, phrase));
    for (const literal of literals) {
      for (let at = lower.indexOf(literal); at >= 0; at = lower.indexOf(literal, at + 1))
        ranges.push([at, at + literal.length]);
    }
    return merge(ranges);
  }

  function find(text: string): readonly Range[] {
    if (isAscii(text)) return findFolded(asciiText(text));
    const folded = foldPlaces(text);
    return merge(
      findFolded(folded).map(([start, end]) => [folded.startOf(start), folded.endOf(end - 1)]),
    );
  }

  return {
    find,
    scan: (html) => scan(asciiText(html), anchors, others),
    findIn: literals.length + phrases.length === 0 ? findIn : undefined,
  };
}

/** Where the next tag begins; -1 where there is none. It ends at `TAG.lastIndex`. */
function nextTag(source: string, from: number): number {
  let start = source.indexOf('<', from);
  while (start >= 0) {
    TAG.lastIndex = start;
    if (TAG.test(source)) return start;
    start = source.indexOf('<', start + 1);
  }
  return -1;
}

/** @param ranges  ascending, and none within another */
function mark(source: string, ranges: readonly Range[]): string {
  let marked = '';
  let copied = 0;
  for (const [from, to] of ranges) {
    marked += `${source.slice(copied, from)}<span class="highlight">${source.slice(from, to)}</span>`;
    copied = to;
  }
  return marked + source.slice(copied);
}

/** Tags behind which a word goes on. */
const INLINE = /<\/?(?:strong|em|del|code|span|a|b|i)\b[^<>]*>/iy;

/** Whether there is a word with a tag in it. */
function hasTagInWord(source: string): boolean {
  for (let at = source.indexOf('<', 1); at >= 0; at = source.indexOf('<', at + 1)) {
    if (!isWordAt(source, at - 1)) continue;
    let end = at;
    for (INLINE.lastIndex = at; INLINE.test(source);) end = INLINE.lastIndex;
    if (end > at && isWordAt(source, end)) return true;
  }
  return false;
}

function isInline(tag: string): boolean {
  INLINE.lastIndex = 0;
  return INLINE.test(tag);
}

/** What stands between two tags, by its place in the source. */
interface Piece extends Decoded {
  readonly start: number;
  readonly end: number;
}

/** The text of HTML, cut where no word goes on. */
function* joinedPieces(source: string): Generator<readonly Piece[]> {
  let pieces: Piece[] = [];
  for (let start = 0; start < source.length;) {
    const tag = nextTag(source, start);
    const end = tag < 0 ? source.length : tag;
    if (start < end) pieces.push({ ...decode(source.slice(start, end)), start, end });
    start = tag < 0 ? source.length : TAG.lastIndex;
    if (pieces.length === 0 || isInline(source.slice(end, start))) continue;
    yield pieces;
    pieces = [];
  }
  if (pieces.length > 0) yield pieces;
}

/** What of a range in the text of pieces is in each of them, by places in the source. */
function* placesIn(pieces: readonly Piece[], [from, to]: Range): Generator<Range> {
  let offset = 0;
  for (const { text, sourceOf, start } of pieces) {
    const first = Math.max(from - offset, 0);
    const last = Math.min(to - offset, text.length);
    if (first < last) yield [start + sourceOf(first), start + sourceOf(last)];
    offset += text.length;
  }
}

export function createHighlighter(query: SearchQuery): Highlighter {
  const finder = createFinder(query);

  /** The hits between two tags of a source, by their places in the source. */
  function hitsIn(
    source: string,
    scanned: ScanState | undefined,
    [from, to]: Range,
  ): readonly Range[] {
    const piece = source.slice(from, to);
    if (scanned !== undefined && finder.findIn !== undefined && !piece.includes(ENTITY_START))
      return finder.findIn(scanned, from, to);
    const { text, sourceOf } = decode(piece);
    return finder
      .find(text)
      .map(([start, end]): Range => [from + sourceOf(start), from + sourceOf(end)]);
  }

  /** The same where a word goes on behind a tag: as a whole, and each of its pieces as a word of its own. */
  function htmlOfPieces(source: string): string {
    const ranges: Range[] = [];
    for (const pieces of joinedPieces(source)) {
      for (const { start, end } of pieces) ranges.push(...hitsIn(source, undefined, [start, end]));
      if (pieces.length === 1) continue;
      const text = pieces.map((piece) => piece.text).join('');
      for (const range of finder.find(text)) ranges.push(...placesIn(pieces, range));
    }
    return mark(source, merge(ranges));
  }

  function html(source: string): string {
    if (hasTagInWord(source)) return htmlOfPieces(source);
    const scanned = isAscii(source) ? finder.scan(source) : undefined;
    // In other letters than these a hit may be anywhere.
    const nextFrom = (from: number): number => scanned?.next(from) ?? from;
    let next = nextFrom(0);
    const hits: Range[] = [];
    let at = 0;
    while (next >= 0) {
      const tag = nextTag(source, at);
      const end = tag < 0 ? source.length : tag;
      if (next < end) hits.push(...hitsIn(source, scanned, [at, end]));
      if (tag < 0) break;
      at = TAG.lastIndex;
      if (next < at) next = nextFrom(at);
    }
    return mark(source, hits);
  }
  // Many messages are in few topics.
  const texts = new Map<string, string>();
  function text(plain: string): string {
    const known = texts.get(plain) ?? html(escapeHtml(plain));
    texts.set(plain, known);
    return known;
  }
  return { html, text };
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
