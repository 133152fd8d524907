/**
 * Folded text cut into the words by which it is found. The index, the queries and the highlighting all see text through
 * this file, so that they agree on what a word is. It looks at nothing but the letters: under every locale the cut is the same.
 */
import { type Folded, isAscii, lowerOf } from './fold.ts';
import { stem } from './stem.ts';

/** A word of a folded text; `start` and `end` are offsets into it. */
export interface Word {
  readonly start: number;
  readonly end: number;
  /** What is compared: in lower case and stemmed. */
  readonly token: string;
  /** In lower case only: what a prefix is compared with. */
  readonly folded: string;
  /** A piece of a longer word that is a word itself: `server` in `HTTPServer`. */
  readonly isPart: boolean;
  /** Letters of a script without blanks, any of which may begin or end a word. */
  readonly isUnspaced: boolean;
}

/** Letters, digits and what is written above or below them. Everything else separates words. */
const RUN = /[\p{L}\p{N}\p{M}]+/gu;
const IS_INSIDE = /^[\p{L}\p{N}\p{M}]/u;
/** Scripts that are written without blanks between words, or with words that take others on without one. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
/** Articles and prepositions are written in one with the word that follows. */
const PREFIXED = /^[\p{scx=Arabic}\p{scx=Hebrew}]{3,}$/u;
const IS_ASCII = /^[a-zA-Z0-9]+$/;
const IS_PLAIN = /^(?:[A-Z]?[a-z]+|[A-Z]+|[0-9]+)$/;
const IS_STEMMED = /^[a-z]+$/;
/** `HTTP` and `Server`, `foo` and `Bar`, `build` and `12`. */
// eslint-disable-next-line regexp/no-super-linear-move -- it is asked of at most 64 characters
const PART = /\p{Lu}{2,}(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{Lu}+|\p{N}+|\p{M}+/gu;
/** Hashes and random keys have more of them, and nobody looks for those. */
const MAX_PARTS = 8;
const MAX_LENGTH = 64;
const MAX_KNOWN = 10_000;
const MAX_KNOWN_LENGTH = 32;
/** Of this length on, V8 cuts a string out of another one as a window, which keeps all of that one in memory. */
const WINDOW_LENGTH = 13;

/** The same text without the message that it was cut out of, for what is kept longer than that. */
const detached = (text: string): string =>
  text.length < WINDOW_LENGTH ? text : Array.from(text).join('');

/** @param word  of a folded text, in lower case */
const keptWord = (word: string): string => detached(word.slice(0, MAX_LENGTH));

const tokenOf = (folded: string): string => (IS_STEMMED.test(folded) ? stem(folded) : folded);

function add(words: Word[], text: string, start: number, isPart: boolean): void {
  const folded = keptWord(lowerOf(text));
  const end = start + text.length;
  words.push({ start, end, token: tokenOf(folded), folded, isPart, isUnspaced: false });
}

function addUnspaced(words: Word[], text: string, start: number): void {
  const folded = detached(text);
  const end = start + text.length;
  words.push({ start, end, token: folded, folded, isPart: false, isUnspaced: true });
}

function addSpaced(words: Word[], text: string, at: number): void {
  add(words, text, at, false);
  if (IS_PLAIN.test(text) || text.length > MAX_LENGTH) return;
  const parts = [...text.matchAll(PART)];
  if (parts.length < 2 || parts.length > MAX_PARTS) return;
  for (const { 0: part, index } of parts) {
    if (part.length > 1 || /\p{N}/u.test(part)) add(words, part, at + index, true);
  }
}

function cut(run: string): readonly Word[] {
  const words: Word[] = [];
  if (IS_ASCII.test(run)) {
    addSpaced(words, run, 0);
    return words;
  }
  let end = 0;
  for (const { 0: unspaced, index } of run.matchAll(UNSPACED)) {
    if (index > end) addSpaced(words, run.slice(end, index), end);
    addUnspaced(words, unspaced, index);
    end = index + unspaced.length;
  }
  if (end < run.length) addSpaced(words, run.slice(end), end);
  return words;
}

/** What was looked up lately, and what was before: words that come again stay, numbers and names that came once do not. */
let known = new Map<string, readonly Word[]>();
let knownBefore = new Map<string, readonly Word[]>();

/** The words of folded text without separators. Texts repeat their words: what was cut is remembered. */
export function wordsOfRun(run: string): readonly Word[] {
  const found = known.get(run);
  if (found !== undefined) return found;
  if (run.length > MAX_KNOWN_LENGTH) return cut(run);
  const key = detached(run);
  const words = knownBefore.get(key) ?? cut(key);
  if (known.size >= MAX_KNOWN / 2) {
    knownBefore = known;
    known = new Map();
  }
  known.set(key, words);
  return words;
}

/** Letters and digits among the first 128 characters. */
const isAsciiWord = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(IS_ASCII.test(String.fromCharCode(code))),
);

/** What RUN finds in a text of ASCII alone, without an object for each word. */
function visitAsciiRuns(text: string, visit: (run: string, at: number) => void): void {
  let start = -1;
  for (let at = 0; at < text.length; at += 1) {
    const isInside = isAsciiWord[text.charCodeAt(at)] === 1;
    if (isInside && start === -1) start = at;
    if (isInside || start === -1) continue;
    visit(text.slice(start, at), start);
    start = -1;
  }
  if (start !== -1) visit(text.slice(start), start);
}

/** Calls `visit` with each stretch of a folded text that has no separator in it. */
export function visitRuns(text: string, visit: (run: string, at: number) => void): void {
  if (isAscii(text)) {
    visitAsciiRuns(text, visit);
    return;
  }
  RUN.lastIndex = 0;
  for (let match = RUN.exec(text); match !== null; match = RUN.exec(text)) {
    visit(match[0], match.index);
    // A visitor may have looked at another text.
    RUN.lastIndex = match.index + match[0].length;
  }
}

/** Whether a character of a word stands there, which may take two places. */
export function isWordAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 128) return isAsciiWord[code] === 1;
  if (Number.isNaN(code)) return false;
  const isSecond = code >= 0xdc_00 && code <= 0xdf_ff;
  return IS_INSIDE.test(text.slice(isSecond ? index - 1 : index, index + 2));
}

/** No word begins between two of these. */
const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a;

export const beginsInside = (plain: string, at: number): boolean =>
  isLower(plain.charCodeAt(at - 1)) && isLower(plain.charCodeAt(at));

/** What every word has that a token stands for: a stem differs from its words in its last letter at most. */
export const anchorOf = (token: string): string =>
  token.length > 1 && IS_STEMMED.test(token) ? token.slice(0, -1) : token;

/** Whether a text has a word like this, of which only those runs are cut that have the anchor. */
export function hasWord(
  { plain, lower }: Folded,
  anchor: string,
  isSought: (word: Word) => boolean,
): boolean {
  for (let at = lower.indexOf(anchor); at >= 0;) {
    if (beginsInside(plain, at)) {
      at = lower.indexOf(anchor, at + 1);
      continue;
    }
    let start = at;
    let end = at + anchor.length;
    while (start > 0 && isWordAt(plain, start - 1)) start -= 1;
    while (isWordAt(plain, end)) end += 1;
    if (wordsOfRun(plain.slice(start, end)).some(isSought)) return true;
    at = lower.indexOf(anchor, end);
  }
  return false;
}

/** Whether it may stand inside of a word: of a script without blanks, or where words have prefixes. */
export const isAnywhere = ({ isUnspaced, folded }: Word): boolean =>
  isUnspaced || PREFIXED.test(folded);

export const hasUnspaced = (text: string): boolean => text.search(UNSPACED) >= 0;
