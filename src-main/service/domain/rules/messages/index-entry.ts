/** What the search index holds of a message, and how narrows are asked of it. */
import type { SearchQuery } from '../../../../search/query.ts';
import { stem } from '../../../../search/stem.ts';
import { messageWords } from '../../../../search/words.ts';
import type {
  IndexableRow,
  IndexEntry,
  PageSelection,
  Predicate,
  SearchClause,
} from '../../../store/port.ts';

/** Opens tokens that say where a message is: no word of a text has this character. */
const MARK = '\ue000';

export const recipientToken = (id: number): string => `${MARK}r${String(id)}`;
const topicToken = (id: number): string => `${MARK}t${String(id)}`;
const senderToken = (id: number): string => `${MARK}s${String(id)}`;
const PRIVATE = `${MARK}p`;
const LINK = `${MARK}l`;
const IMAGE = `${MARK}i`;
const ATTACHMENT = `${MARK}a`;

export function indexEntry(row: IndexableRow): IndexEntry {
  const { sequence, parts, folded } = messageWords(row.topic, row.content);
  const tokens = [...sequence];
  if (parts.size > 0) {
    const whole = new Set(sequence);
    for (const part of parts) if (!whole.has(part)) tokens.push(part);
  }
  tokens.push(recipientToken(row.recipient_id), senderToken(row.sender_id));
  tokens.push(row.topic_id === null ? PRIVATE : topicToken(row.topic_id));
  if (row.has_link === 1) tokens.push(LINK);
  if (row.has_image === 1) tokens.push(IMAGE);
  if (row.has_attachment === 1) tokens.push(ATTACHMENT);
  return { text: tokens.join(' '), words: folded };
}

/** Finds nothing where there are no tokens: no message has the mark alone. */
export const any = (...tokens: readonly string[]): SearchClause => ({
  kind: 'any',
  tokens: tokens.length === 0 ? [MARK] : tokens,
});

/** The tokens that a word may be indexed by, given the words that begin with a prefix. */
export const prefixClause = (words: readonly string[]): SearchClause =>
  any(...new Set(words.map((word) => (/^[a-z]+$/.test(word) ? stem(word) : word))));

/**
 * Whether every word that is indexed by one of the tokens begins with the prefix. A stem differs from its words in its last letter
 * at most, and only in one of these.
 */
export const isPrefixOfAll = (prefix: string, { tokens }: SearchClause): boolean =>
  tokens.every(
    (token) => token.startsWith(prefix) && (token.length > prefix.length || !/[eil]$/.test(token)),
  );

/** Clauses that every message has which the query finds; others may have them too where it is not words only. */
export const queryClauses = (query: SearchQuery): readonly SearchClause[] => [
  ...query.words.map((token) => any(token)),
  ...query.phrases.flatMap(({ tokens, isSequence }) =>
    isSequence ? [{ kind: 'phrase', tokens } as const] : tokens.map((token) => any(token)),
  ),
];

function predicateToken({ condition }: Predicate): string | undefined {
  switch (condition.kind) {
    case 'recipient':
      return recipientToken(condition.recipientId);
    case 'sender':
      return senderToken(condition.userId);
    case 'private':
      return PRIVATE;
    case 'link':
      return LINK;
    case 'image':
      return IMAGE;
    case 'attachment':
      return ATTACHMENT;
    default:
      return undefined;
  }
}

export interface ScopeClauses {
  readonly all: readonly SearchClause[];
  readonly none: readonly (readonly SearchClause[])[];
}

/**
 * What the index knows of a narrow beside its words. The rows are held against all predicates anyway.
 * @param topicIds  the topics of each `topic` term, by its key; absent where they are too many
 */
export function scopeClauses(
  { predicates }: PageSelection,
  topicIds: ReadonlyMap<string, readonly number[]>,
): ScopeClauses {
  const all: SearchClause[] = [];
  const none: (readonly SearchClause[])[] = [];
  for (const predicate of predicates) {
    const { condition, isNegated } = predicate;
    const token = predicateToken(predicate);
    if (token !== undefined && isNegated) none.push([any(token)]);
    if (token !== undefined && !isNegated) all.push(any(token));
    const ids = condition.kind === 'topic' ? topicIds.get(condition.topicKey) : undefined;
    if (ids !== undefined && !isNegated) all.push(any(...ids.map(topicToken)));
  }
  return { all, none };
}
