/**
 * What the full-text index holds of a message, and how searches are asked of it. Text is cut into words as the service
 * does it; beside them stand tokens that say where a message is, so that a search in one place looks at no other.
 */
import type { Condition, Predicate, ResolvedNarrow } from '#client/cache/narrow.ts';
import { foldText } from '#shared/search/fold.ts';
import {
  anyOf,
  beginningsOf,
  indexedWords,
  prefixTokens,
  queryClauses as wordClauses,
  type SearchClause,
  signToken,
} from '#shared/search/index-tokens.ts';
import {
  conditionTokens,
  conversationToken,
  type IndexedPlace,
  placeTokens,
  recipientToken,
  topicToken,
} from '#shared/search/place-tokens.ts';
import { isWordsOnly, type Search, type SearchQuery } from '#shared/search/query.ts';

const SIGN = /[^\p{L}\p{N}\p{M}\s]/gu;

/** What is no word, such as an emoji: searches for it would otherwise have to read everything. */
const signsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from(foldText(text).lower.matchAll(SIGN), ([sign]) => signToken(sign)));

export interface Indexed extends IndexedPlace {
  /** Null for a private message. */
  readonly topic: string | null;
  readonly text: string;
}

export interface IndexEntry {
  readonly tokens: string;
  /** As they may be asked for by their beginning. */
  readonly words: Iterable<string>;
}

export function indexEntry(message: Indexed): IndexEntry {
  const { topic, text } = message;
  const { sequence, others, words } = indexedWords(topic, text);
  const signs = signsOf(`${topic ?? ''} ${text}`);
  const tokens = [...sequence, ...new Set([...others, ...signs]), ...placeTokens(message)];
  return { tokens: tokens.join(' '), words };
}

const quote = (token: string): string => `"${token.replaceAll('"', '""')}"`;

function clauseText({ kind, tokens }: SearchClause): string {
  if (kind === 'any') return `(${tokens.map(quote).join(' OR ')})`;
  return `${quote(tokens.join(' '))}${kind === 'beginning' ? ' *' : ''}`;
}

const anyText = (tokens: readonly string[]): string => clauseText(anyOf(...tokens));

/** Clauses that every message fulfils which the query finds; others may too where it is not words only. */
function queryClauses(query: SearchQuery, isQuick: IndexNames['isQuick']): readonly string[] {
  const texts = [...query.literals, ...query.phrases.map(({ text }) => text)];
  const signs = new Set(texts.flatMap((text) => [...signsOf(text)]));
  const clauses = wordClauses(query).filter(
    ({ kind, tokens: [token = ''] }) => kind !== 'beginning' || isQuick(token),
  );
  return [...clauses.map(clauseText), ...Array.from(signs, (token) => anyText([token]))];
}

/** Finds what is indexed by the word. */
export const wordQuery = (word: string): string => anyText(prefixTokens([word]));

/** What the index looks up by the way. */
export interface IndexNames {
  /** Undefined where they are too many to be worth asking for. */
  readonly wordsOf: (prefix: string) => readonly string[] | undefined;
  /** Whether so little of the index begins with it that it is worth asking for. */
  readonly isQuick: (beginning: string) => boolean;
  readonly topicIdsOf: (topicKey: string) => readonly number[] | undefined;
  readonly findConversationId: (key: string) => number | undefined;
}

function tokensOf(condition: Condition, names: IndexNames): readonly string[] | undefined {
  switch (condition.kind) {
    case 'stream':
      return [recipientToken(condition.streamId)];
    case 'conversation': {
      const id = names.findConversationId(condition.key);
      return id === undefined ? [] : [conversationToken(id)];
    }
    case 'topic':
      return names.topicIdsOf(condition.topicKey)?.map(topicToken);
    default:
      return conditionTokens(condition);
  }
}

const scopeClauses = (predicates: readonly Predicate[], names: IndexNames): readonly string[] =>
  predicates.flatMap(({ condition, isNegated }) => {
    const tokens = isNegated ? undefined : tokensOf(condition, names);
    return tokens === undefined ? [] : [anyText(tokens)];
  });

/**
 * What the index is asked for a search; null where no clause would make it quicker than reading the messages. Every token is a quoted
 * string: nothing in it is an operator.
 */
export function matchOf(
  { predicates }: ResolvedNarrow,
  { wanted, unwanted }: Search,
  names: IndexNames,
): string | null {
  const words = beginningsOf(wanted).map(names.wordsOf);
  const all = [
    ...queryClauses(wanted, names.isQuick),
    ...words.flatMap((found) => (found === undefined ? [] : [anyText(prefixTokens(found))])),
    ...scopeClauses(predicates, names),
  ];
  if (all.length === 0) return null;
  const none = unwanted.filter(isWordsOnly).map((query) => queryClauses(query, names.isQuick));
  const inside = all.join(' AND ');
  if (none.length === 0) return inside;
  // One NOT for all: the index limits how deep they nest.
  const left = none.map((clauses) => `(${clauses.join(' AND ')})`).join(' OR ');
  return `(${inside}) NOT (${left})`;
}
