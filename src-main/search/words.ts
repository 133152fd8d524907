/**
 * Text cut into the words by which it is found. The index, the queries and the highlighting all see text through
 * this file, so that they agree on what a word is.
 */
import { stem } from './stem.ts';

/** A word of a text; `start` and `end` are offsets into it. */
export interface Word {
  readonly start: number;
  readonly end: number;
  /** What is compared: folded and stemmed. */
  readonly token: string;
  /** Folded only: what a prefix is compared with. */
  readonly folded: string;
  /** A piece of a longer word that is a word itself: `server` in `HTTPServer`. */
  readonly isPart: boolean;
}

/** Letters, digits and what is written above or below them. Everything else separates words. */
const RUN = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that are written without blanks between words. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const HAN_WORD = /^\p{scx=Han}{3,}$/u;
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

/** Marks that are left out: accents, but not the breve that makes a letter of its own of и; Hebrew and Arabic points. */
const MARKS = /(?<![иИ])[\u0300-\u036f]+|[\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u0652\u0670]+/gu;
const NOT_WORD = /[^\p{L}\p{N}\p{M}]+/gu;
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
const LETTERS = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu');

/** The same text without the message that it was cut out of, for what is kept longer than that. */
const detached = (text: string): string =>
  text.length < WINDOW_LENGTH ? text : Array.from(text).join('');

/** Without case, accents and differences of width. */
export function foldWord(word: string): string {
  if (IS_ASCII.test(word)) return detached(word.slice(0, MAX_LENGTH)).toLowerCase();
  const folded = word
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(LETTERS, (letter) => letters[letter] ?? letter)
    .normalize('NFC')
    .replace(NOT_WORD, '');
  return detached(folded.slice(0, MAX_LENGTH));
}

const tokenOf = (folded: string): string => (IS_STEMMED.test(folded) ? stem(folded) : folded);

let segmenter: Intl.Segmenter | undefined;
/** Made when it is first needed: its dictionaries take memory. */
const segments = (text: string): Iterable<Intl.SegmentData> =>
  (segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })).segment(text);

function add(words: Word[], text: string, start: number, isPart: boolean): void {
  const folded = foldWord(text);
  if (folded === '') return;
  words.push({ start, end: start + text.length, token: tokenOf(folded), folded, isPart });
}

function addUnspaced(words: Word[], text: string, at: number): void {
  for (const { segment, index, isWordLike } of segments(text)) {
    if (isWordLike === false) continue;
    add(words, segment, at + index, false);
    if (!HAN_WORD.test(segment)) continue;
    const characters = Array.from(segment);
    let offset = at + index;
    for (const [position, character] of characters.entries()) {
      const next = characters[position + 1];
      if (next !== undefined) add(words, character + next, offset, true);
      offset += character.length;
    }
  }
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

/** The words of text without separators. Texts repeat their words: what was cut is remembered. */
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

const NOT_ASCII = /[^\0-\x7f]/;

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

/** Calls `visit` with each stretch of a text that has no separator in it. */
export function visitRuns(text: string, visit: (run: string, at: number) => void): void {
  if (!NOT_ASCII.test(text)) {
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

const EMPHASIZED = /[\p{L}\p{N}\p{M}*~]+/gu;
/** Emphasis that begins or ends inside of a word, as it hardly ever does. */
const HAS_INSIDE = /[\p{L}\p{N}\p{M}][*~]+[\p{L}\p{N}\p{M}]/u;
const nothing: readonly string[] = [];

/** Words with emphasis inside of them, without it: `**H**earth` is read as one word. */
function joined(content: string): readonly string[] {
  if (!HAS_INSIDE.test(content)) return nothing;
  return Array.from(content.matchAll(EMPHASIZED), ([run]) =>
    run.split(/[*~]+/).filter((piece) => piece !== ''),
  ).flatMap((pieces) => (pieces.length > 1 ? [pieces.join('')] : []));
}

/** What a message is found by. */
export interface MessageWords {
  /** Tokens in the order of the text, topic first. */
  readonly sequence: readonly string[];
  /** Tokens beside it: parts of words. */
  readonly parts: ReadonlySet<string>;
  /** Every word, folded. */
  readonly folded: ReadonlySet<string>;
}

/** @param topic  null for a private message */
export function messageWords(topic: string | null, content: string): MessageWords {
  const sequence: string[] = [];
  const parts = new Set<string>();
  const folded = new Set<string>();
  const take = (run: string): void => {
    for (const word of wordsOfRun(run)) {
      folded.add(word.folded);
      if (word.isPart) parts.add(word.token);
      else sequence.push(word.token);
    }
  };
  if (topic !== null) visitRuns(topic, take);
  visitRuns(content, take);
  for (const text of joined(content)) {
    for (const word of wordsOfRun(text)) {
      folded.add(word.folded);
      parts.add(word.token);
    }
  }
  return { sequence, parts, folded };
}
