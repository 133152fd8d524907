/** What the search index holds of a message, and how narrows are asked of it. */
import { anyOf, indexedWords, type SearchClause } from '#shared/search/index-tokens.ts';
import {
  conditionTokens,
  placeTokens,
  recipientToken,
  topicToken,
} from '#shared/search/place-tokens.ts';
import type { IndexableRow, IndexEntry, PageSelection, Predicate } from '#service/db/port.ts';

export function indexEntry(row: IndexableRow): IndexEntry {
  const { sequence, others, words } = indexedWords(row.topic, row.content);
  const place = placeTokens({
    recipient: recipientToken(row.recipient_id),
    topicId: row.topic_id,
    senderId: row.sender_id,
    has: (kind) => row[`has_${kind}`] === 1,
  });
  return { text: [...sequence, ...others, ...place].join(' '), words };
}

function predicateTokens({ condition }: Predicate): readonly string[] | undefined {
  switch (condition.kind) {
    case 'recipient':
      return [recipientToken(condition.recipientId)];
    case 'nothing':
      return undefined;
    default:
      return conditionTokens(condition);
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
    const tokens = predicateTokens(predicate) ?? [];
    if (tokens.length > 0 && isNegated) none.push([anyOf(...tokens)]);
    if (tokens.length > 0 && !isNegated) all.push(anyOf(...tokens));
    const ids = condition.kind === 'topic' ? topicIds.get(condition.topicKey) : undefined;
    if (ids !== undefined && !isNegated) all.push(anyOf(...ids.map(topicToken)));
  }
  return { all, none };
}
