/** What a search asks for, and whether a message has it (API decisions 3.4). */
import { isStopWord } from './stop-words.ts';
import { messageWords, type MessageWords, visitRuns, type Word, wordsOfRun } from './words.ts';

/** A quoted part: stands in the message as it is, and its words are words there. */
export interface Phrase {
  /** In lower case. */
  readonly text: string;
  readonly tokens: readonly string[];
  /** Its tokens without those of stop words. */
  readonly telling: readonly string[];
  /** Whether its tokens follow each other in the index: how unspaced text is cut depends on what is around it. */
  readonly isSequence: boolean;
}

export interface SearchQuery {
  /** Tokens, each of which is in the message. */
  readonly words: readonly string[];
  /** Folded beginnings of words. */
  readonly prefixes: readonly string[];
  readonly phrases: readonly Phrase[];
  /** Text without words, such as an emoji, in lower case. */
  readonly literals: readonly string[];
}

/** The `search` terms of a narrow. */
export interface Search {
  readonly wanted: SearchQuery;
  readonly unwanted: readonly SearchQuery[];
}

const QUOTED = /"([^"]*)"/g;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const IS_WORD = /[\p{L}\p{N}\p{M}]/u;

const tokensOf = (words: readonly Word[]): readonly string[] => words.map(({ token }) => token);

function wholeWords(text: string): readonly Word[] {
  const words: Word[] = [];
  visitRuns(text, (run) => words.push(...wordsOfRun(run).filter((word) => !word.isPart)));
  return words;
}

function phraseOf(text: string): Phrase {
  const words = wholeWords(text);
  return {
    text: text.toLowerCase(),
    tokens: tokensOf(words),
    telling: tokensOf(words.filter(({ folded }) => !isStopWord(folded))),
    isSequence: !UNSPACED.test(text),
  };
}

/** A star at the end of a word asks for every word that begins so. */
export const isStarred = (text: string, end: number): boolean =>
  /^\*(?:\s|$)/.test(text.slice(end, end + 2));

function readUnquoted(text: string): { readonly words: Word[]; readonly prefixes: string[] } {
  const words: Word[] = [];
  const prefixes: string[] = [];
  visitRuns(text, (run, at) => {
    const found = wordsOfRun(run).filter((word) => !word.isPart);
    const last = isStarred(text, at + run.length) ? found.at(-1) : undefined;
    words.push(...found.filter((word) => word !== last));
    if (last !== undefined) prefixes.push(last.folded);
  });
  return { words, prefixes };
}

const isBlank = (text: string): boolean => text.trim() === '';
const unique = (values: readonly string[]): readonly string[] => [...new Set(values)];

/** Every text is a query; a blank one asks for nothing. */
export function parseQuery(text: string): SearchQuery {
  const quoted = [...text.matchAll(QUOTED)].map((match) => match[1] ?? '');
  const parts = quoted.filter((part) => !isBlank(part)).map(phraseOf);
  const phrases = parts.filter(({ tokens }) => tokens.length > 0);
  const literals = parts.filter(({ tokens }) => tokens.length === 0).map((part) => part.text);
  const unquoted = text.replace(QUOTED, ' ').replaceAll('"', ' ');
  const { words, prefixes } = readUnquoted(unquoted);
  const telling = words.filter(({ folded }) => !isStopWord(folded));
  const isAlone = prefixes.length + parts.length === 0;
  // Stop words that stand alone are what is asked for, and so are signs.
  const asked = telling.length === 0 && isAlone ? words : telling;
  const signs = isAlone && words.length === 0 ? unquoted.split(/\s+/) : [];
  return {
    words: unique(tokensOf(asked)),
    prefixes: unique(prefixes),
    phrases,
    literals: unique([
      ...literals,
      ...signs.filter((sign) => sign !== '').map((sign) => sign.toLowerCase()),
    ]),
  };
}

export const isEmptyQuery = ({ words, prefixes, phrases, literals }: SearchQuery): boolean =>
  words.length + prefixes.length + phrases.length + literals.length === 0;

/** Whether the words alone decide, so that an index of words answers the query completely. */
export const isWordsOnly = ({ prefixes, phrases, literals }: SearchQuery): boolean =>
  prefixes.length + phrases.length + literals.length === 0;

/** Unspaced text has no place where a word must end. */
const isInsideWord = (left: string, right: string): boolean =>
  IS_WORD.test(left) && IS_WORD.test(right) && !UNSPACED.test(left) && !UNSPACED.test(right);

/** Where a text stands in another, from and to the borders of words. Both are in lower case. */
export function* occurrences(text: string, sought: string): Generator<readonly [number, number]> {
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const isCut =
      isInsideWord(text.charAt(at - 1), sought.charAt(0)) ||
      isInsideWord(sought.charAt(sought.length - 1), text.charAt(end));
    if (!isCut) yield [at, end];
  }
}

const stands = (text: string, sought: string): boolean =>
  occurrences(text, sought).next().done !== true;

/** A message whose words are cut only when they are asked for. */
interface Searched {
  readonly texts: readonly string[];
  readonly words: () => MessageWords;
}

function hasToken(message: Searched, token: string): boolean {
  const { sequence, parts } = message.words();
  return parts.has(token) || sequence.includes(token);
}

const hasPrefix = (message: Searched, prefix: string): boolean => {
  for (const word of message.words().folded) if (word.startsWith(prefix)) return true;
  return false;
};

const hasPhrase = (message: Searched, phrase: Phrase): boolean =>
  message.texts.some((text) => stands(text, phrase.text)) &&
  (phrase.isSequence || phrase.tokens.every((token) => hasToken(message, token)));

const has = (message: Searched, query: SearchQuery): boolean =>
  query.literals.every((literal) => message.texts.some((text) => text.includes(literal))) &&
  query.phrases.every((phrase) => hasPhrase(message, phrase)) &&
  query.words.every((token) => hasToken(message, token)) &&
  query.prefixes.every((prefix) => hasPrefix(message, prefix));

/** Whether a message is among those that are sought. @param topic  null for a private message */
export function isFound(search: Search, topic: string | null, content: string): boolean {
  let words: MessageWords | undefined;
  const message: Searched = {
    texts: [content.toLowerCase(), ...(topic === null ? [] : [topic.toLowerCase()])],
    words: () => (words ??= messageWords(topic, content)),
  };
  return has(message, search.wanted) && !search.unwanted.some((query) => has(message, query));
}

/** @param wanted    operands of `search`, joined by blanks @param unwanted  operands of negated ones */
export function searchOf(wanted: readonly string[], unwanted: readonly string[]): Search {
  return {
    wanted: parseQuery(wanted.join(' ')),
    unwanted: unwanted.map(parseQuery).filter((query) => !isEmptyQuery(query)),
  };
}
