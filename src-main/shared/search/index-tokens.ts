/**
 * What a full-text index holds of the texts of a message, and what of it every message has that a query finds: an index may offer
 * too many messages, never too few. Words are tokens. Scripts without blanks are cut into overlapping pieces.
 */
import type { Folded } from './fold.ts';
import type { Phrase, SearchQuery } from './query.ts';
import { stem } from './stem.ts';
import { textsOf } from './texts.ts';
import { visitRuns, wordsOfRun } from './words.ts';

/** Where texts become other tokens than before, indexes are made anew: raise it with every such change. */
export const INDEX_FORM = 3;

/** `any`: one of the tokens; `phrase`: all of them in a row; `beginning`: any token that begins with the only one. */
export interface SearchClause {
  readonly kind: 'any' | 'phrase' | 'beginning';
  readonly tokens: readonly string[];
}

/** Opens tokens that are no words: no word of a text has this character. */
export const MARK = '\ue000';
/** Emoji and the like. Every message has a full stop or a dash, and nobody looks for those. */
const SYMBOL = /(?!\p{ASCII})[\p{So}\p{Sm}\p{Sc}]/gu;
const PAIRED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}]+/gu;
const IN_THREES = /[\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const PREFIXED = /[\p{scx=Arabic}\p{scx=Hebrew}]{3,}/gu;
const HAS_PIECES =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Arabic}\p{scx=Hebrew}]/u;
/** Of what is asked for in one go: after so many the rest hardly leaves out anything. */
const MAX_PIECES = 16;

/** Stretches of so many characters; with `isOpen` the shorter ones at the end too. */
function stretches(letters: string, length: number, isOpen = false): readonly string[] {
  const characters = Array.from(letters);
  const count = isOpen ? characters.length : characters.length - length + 1;
  return Array.from({ length: Math.max(0, count) }, (_, at) =>
    characters.slice(at, at + length).join(''),
  );
}

export const signToken = (sign: string): string =>
  `${MARK}x${(sign.codePointAt(0) ?? 0).toString(16)}`;

const matchesIn = (run: string, pattern: RegExp): readonly string[] => run.match(pattern) ?? [];

/** What an index holds of the texts of a message. */
export interface IndexedWords {
  /** Tokens in the order of each text. */
  readonly sequence: readonly string[];
  /** Tokens beside them: parts of words, pieces of what has no blanks, and symbols. */
  readonly others: ReadonlySet<string>;
  /** As they may be asked for by their beginning. */
  readonly words: ReadonlySet<string>;
}

/** @param topic  null for a private message */
export function indexedWords(topic: string | null, content: string): IndexedWords {
  const sequence: string[] = [];
  const others = new Set<string>();
  const words = new Set<string>();

  function takePieces(run: string): void {
    for (const letters of matchesIn(run, PAIRED)) {
      // The last one alone: every other begins a pair.
      for (const pair of stretches(letters, 2, true)) others.add(pair);
    }
    for (const letters of matchesIn(run, IN_THREES)) {
      for (const piece of stretches(letters, 3, true)) {
        others.add(piece);
        words.add(piece);
      }
    }
    for (const letters of matchesIn(run, PREFIXED)) {
      for (const piece of stretches(letters, 3)) others.add(piece);
    }
  }

  function take(run: string): void {
    for (const { token, folded, isPart, isUnspaced } of wordsOfRun(run)) {
      if (isUnspaced) continue;
      words.add(folded);
      if (isPart) others.add(token);
      else sequence.push(token);
    }
    if (HAS_PIECES.test(run)) takePieces(run);
  }

  textsOf(
    topic,
    content,
  )(({ plain, lower }: Folded) => {
    visitRuns(plain, take);
    for (const symbol of matchesIn(lower, SYMBOL)) others.add(signToken(symbol));
    return false;
  });
  for (const token of sequence) others.delete(token);
  return { sequence, others, words };
}

/** Finds nothing where there are no tokens: no message has the mark alone. */
export const anyOf = (...tokens: readonly string[]): SearchClause => ({
  kind: 'any',
  tokens: tokens.length === 0 ? [MARK] : tokens,
});

const beginningWith = (letter: string): SearchClause => ({ kind: 'beginning', tokens: [letter] });

interface Pieces {
  readonly clauses: readonly SearchClause[];
  /** Shorter than what is indexed, which begins with it. */
  readonly beginnings: readonly string[];
}

function piecesOf(text: string): Pieces {
  const pieces = new Set<string>();
  const single = new Set<string>();
  const beginnings: string[] = [];
  visitRuns(text, (run) => {
    for (const letters of matchesIn(run, PAIRED)) {
      const pairs = stretches(letters, 2);
      if (pairs.length === 0) single.add(letters);
      for (const piece of pairs) pieces.add(piece);
    }
    for (const letters of matchesIn(run, IN_THREES)) {
      const threes = stretches(letters, 3);
      if (threes.length === 0) beginnings.push(letters);
      for (const piece of threes) pieces.add(piece);
    }
    for (const letters of matchesIn(run, PREFIXED))
      for (const piece of stretches(letters, 3)) pieces.add(piece);
  });
  for (const symbol of matchesIn(text, SYMBOL)) pieces.add(signToken(symbol));
  return {
    clauses: [
      ...Array.from(pieces, (piece) => anyOf(piece)),
      ...Array.from(single, beginningWith),
    ].slice(0, MAX_PIECES),
    beginnings: beginnings.slice(0, MAX_PIECES),
  };
}

const phraseClauses = ({ text, tokens, isSequence }: Phrase): readonly SearchClause[] =>
  isSequence
    ? [{ kind: 'phrase', tokens }]
    : [...tokens.map((token) => anyOf(token)), ...piecesOf(text).clauses];

/** Every message that the query finds has them all; others may have them too where it is not words only. */
export const queryClauses = ({
  words,
  phrases,
  literals,
}: SearchQuery): readonly SearchClause[] => [
  ...words.map((token) => anyOf(token)),
  ...phrases.flatMap(phraseClauses),
  ...literals.flatMap((literal) => piecesOf(literal).clauses),
];

/** Beginnings of what is indexed, of each of which a message has something that the query finds. */
export const beginningsOf = ({ prefixes, literals }: SearchQuery): readonly string[] => [
  ...prefixes,
  ...literals.flatMap((literal) => piecesOf(literal).beginnings),
];

/** The tokens that a word may be indexed by, given the words that begin with a prefix. */
export const prefixTokens = (words: readonly string[]): readonly string[] => [
  ...new Set(words.map((word) => (/^[a-z]+$/.test(word) ? stem(word) : word))),
];
