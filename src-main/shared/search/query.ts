/** What a search asks for, and whether a message has it (API decisions 3.4). */
import { type Folded, foldText } from './fold.ts';
import { isStopWord } from './stop-words.ts';
import { type SomeText, textsOf } from './texts.ts';
import {
  anchorOf,
  hasUnspaced,
  hasWord,
  isAnywhere,
  isWordAt,
  visitRuns,
  type Word,
  wordsOfRun,
} from './words.ts';

/** A quoted part: stands in the message as it is, and its words are words there. */
export interface Phrase {
  /** Folded, in lower case. */
  readonly text: string;
  readonly tokens: readonly string[];
  /** Its tokens without those of stop words. */
  readonly telling: readonly string[];
  /** Whether its tokens follow each other in the index: letters of unspaced scripts are not in order there. */
  readonly isSequence: boolean;
}

/** Everything is folded. */
export interface SearchQuery {
  /** Tokens, each of which is in the message. */
  readonly words: readonly string[];
  /** Beginnings of words. */
  readonly prefixes: readonly string[];
  readonly phrases: readonly Phrase[];
  /** Text that may stand anywhere: letters of scripts without blanks, and what has no words, such as an emoji. */
  readonly literals: readonly string[];
}

/** The `search` terms of a narrow. */
export interface Search {
  readonly wanted: SearchQuery;
  readonly unwanted: readonly SearchQuery[];
}

const QUOTED = /"([^"]*)"/g;

/** A word that is asked for, not quoted. */
export interface UnquotedWord {
  readonly kind: 'word' | 'beginning' | 'anywhere';
  /** What it is compared by: a token, or for the others the letters. */
  readonly text: string;
  readonly folded: string;
}

function wholeWords({ plain }: Folded): readonly Word[] {
  const words: Word[] = [];
  visitRuns(plain, (run) => words.push(...wordsOfRun(run).filter((word) => !word.isPart)));
  return words;
}

function phraseOf(part: string): Phrase {
  const text = foldText(part);
  const words = wholeWords(text);
  const tokensOf = (some: readonly Word[]): readonly string[] =>
    some.filter(({ isUnspaced }) => !isUnspaced).map(({ token }) => token);
  return {
    text: text.lower,
    tokens: tokensOf(words),
    telling: tokensOf(words.filter(({ folded }) => !isStopWord(folded))),
    isSequence: !hasUnspaced(text.lower),
  };
}

/** A star at the end of a word asks for every word that begins so. */
const isStarred = (text: string, end: number): boolean =>
  /^\*(?:\s|$)/.test(text.slice(end, end + 2));

/** The words of a text, in their order. */
export function unquotedWordsIn(text: string): readonly UnquotedWord[] {
  const { plain } = foldText(text);
  const asked: UnquotedWord[] = [];
  visitRuns(plain, (run, at) => {
    const whole = wordsOfRun(run).filter(({ isPart }) => !isPart);
    const last = isStarred(plain, at + run.length) ? whole.at(-1) : undefined;
    for (const word of whole) {
      const { token, folded } = word;
      if (isAnywhere(word)) asked.push({ kind: 'anywhere', text: folded, folded });
      else if (word === last) asked.push({ kind: 'beginning', text: folded, folded });
      else asked.push({ kind: 'word', text: token, folded });
    }
  });
  return asked;
}

const isBlank = (text: string): boolean => text.trim() === '';
const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];

/** Every text is a query; a blank one asks for nothing. */
export function parseQuery(text: string): SearchQuery {
  const quoted = [...text.matchAll(QUOTED)].map((match) => match[1] ?? '');
  const parts = quoted.map(phraseOf).filter((part) => !isBlank(part.text));
  const hasLetters = ({ tokens, isSequence }: Phrase): boolean => tokens.length > 0 || !isSequence;
  const unquoted = text.replace(QUOTED, ' ').replaceAll('"', ' ');
  const asked = unquotedWordsIn(unquoted);
  const textsOfKind = (kind: UnquotedWord['kind'], some = asked): readonly string[] =>
    some.filter((each) => each.kind === kind).map((each) => each.text);
  const telling = asked.filter(({ kind, folded }) => kind !== 'word' || !isStopWord(folded));
  const isAlone = parts.length === 0;
  // Stop words that stand alone are what is asked for, and so are signs.
  const words = telling.length === 0 && isAlone ? asked : telling;
  const signs = isAlone && asked.length === 0 ? foldText(unquoted).lower.split(/\s+/) : [];
  return {
    words: unique(textsOfKind('word', words)),
    prefixes: unique(textsOfKind('beginning')),
    phrases: parts.filter(hasLetters),
    literals: unique([
      ...textsOfKind('anywhere'),
      ...parts.filter((part) => !hasLetters(part)).map((part) => part.text),
      ...signs.filter((sign) => sign !== ''),
    ]),
  };
}

export const isEmptyQuery = ({ words, prefixes, phrases, literals }: SearchQuery): boolean =>
  words.length + prefixes.length + phrases.length + literals.length === 0;

/** Whether the words alone decide, so that an index of words answers the query completely. */
export const isWordsOnly = ({ prefixes, phrases, literals }: SearchQuery): boolean =>
  prefixes.length + phrases.length + literals.length === 0;

/** Unspaced text has no place where a word must end. */
function isInsideWord(text: string, at: number): boolean {
  if (!isWordAt(text, at - 1) || !isWordAt(text, at)) return false;
  const isSecond = /^[\udc00-\udfff]/.test(text.charAt(at - 1));
  const before = text.slice(isSecond ? at - 2 : at - 1, at);
  return !hasUnspaced(before) && !hasUnspaced(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

/** Where a text stands in another, from and to the borders of words. Both are folded and in lower case. */
export function* occurrences(text: string, sought: string): Generator<readonly [number, number]> {
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    if (!isInsideWord(text, at) && !isInsideWord(text, end)) yield [at, end];
  }
}

const stands = (text: string, sought: string): boolean =>
  occurrences(text, sought).next().done !== true;

function has(some: SomeText, { words, prefixes, phrases, literals }: SearchQuery): boolean {
  return (
    literals.every((literal) => some(({ lower }) => lower.includes(literal))) &&
    phrases.every((phrase) => some(({ lower }) => stands(lower, phrase.text))) &&
    words.every((sought) => {
      const anchor = anchorOf(sought);
      return some((text) => hasWord(text, anchor, ({ token }) => token === sought));
    }) &&
    prefixes.every((prefix) =>
      some((text) => hasWord(text, prefix, ({ folded }) => folded.startsWith(prefix))),
    )
  );
}

/**
 * Whether a message is among those that are sought. This decides every hit, in the service and in the cache of the client: an index
 * names messages that may be, and none too few.
 * @param topic  null for a private message
 */
export function matches(topic: string | null, content: string, search: Search): boolean {
  const some = textsOf(topic, content);
  return has(some, search.wanted) && !search.unwanted.some((query) => has(some, query));
}

/** @param wanted    operands of `search`, joined by blanks @param unwanted  operands of negated ones */
export function searchOf(wanted: readonly string[], unwanted: readonly string[]): Search {
  return {
    wanted: parseQuery(wanted.join(' ')),
    unwanted: unwanted.map(parseQuery).filter((query) => !isEmptyQuery(query)),
  };
}
