/** What the search index holds of a message, and how narrows are asked of it. */
import { anyOf, indexedWords, MARK, type SearchClause } from '#shared/search/index-tokens.ts';
import type { IndexableRow, IndexEntry, PageSelection, Predicate } from '#service/db/port.ts';

export const recipientToken = (id: number): string => `${MARK}r${String(id)}`;
const topicToken = (id: number): string => `${MARK}t${String(id)}`;
const senderToken = (id: number): string => `${MARK}s${String(id)}`;
const PRIVATE = `${MARK}p`;
const LINK = `${MARK}l`;
const IMAGE = `${MARK}i`;
const ATTACHMENT = `${MARK}a`;

export function indexEntry(row: IndexableRow): IndexEntry {
  const { sequence, others, words } = indexedWords(row.topic, row.content);
  const tokens = [...sequence, ...others];
  tokens.push(recipientToken(row.recipient_id), senderToken(row.sender_id));
  tokens.push(row.topic_id === null ? PRIVATE : topicToken(row.topic_id));
  if (row.has_link === 1) tokens.push(LINK);
  if (row.has_image === 1) tokens.push(IMAGE);
  if (row.has_attachment === 1) tokens.push(ATTACHMENT);
  return { text: tokens.join(' '), words };
}

/** Finds nothing where there are no tokens: no message has the mark alone. */
export const any = (...tokens: readonly string[]): SearchClause =>
  anyOf(...(tokens.length === 0 ? [MARK] : tokens));

function predicateTokens({ condition }: Predicate): readonly string[] {
  switch (condition.kind) {
    case 'recipient':
      return [recipientToken(condition.recipientId)];
    case 'sender':
      return condition.userIds.map(senderToken);
    case 'private':
      return [PRIVATE];
    case 'link':
      return [LINK];
    case 'image':
      return [IMAGE];
    case 'attachment':
      return [ATTACHMENT];
    default:
      return [];
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
    const tokens = predicateTokens(predicate);
    if (tokens.length > 0 && isNegated) none.push([any(...tokens)]);
    if (tokens.length > 0 && !isNegated) all.push(any(...tokens));
    const ids = condition.kind === 'topic' ? topicIds.get(condition.topicKey) : undefined;
    if (ids !== undefined && !isNegated) all.push(any(...ids.map(topicToken)));
  }
  return { all, none };
}
