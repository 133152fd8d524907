/** What conversations there are, by their newest messages. */
import { bestMatches } from '#shared/text/fuzzy.ts';
import { withHistoryScope } from '#client/cache/narrow.ts';
import type { Cache } from '#client/cache/port.ts';
import { summaryOf } from '#client/cache/conversation-summary.ts';
import type { ConversationSummary, StreamTopic } from '#shared/bridge/models/client.ts';
import type { MessageTable } from './message-table.ts';
import { idList, type IdRow, idsOf, type Sql } from './sql.ts';

const NEWEST_OF_TOPIC = `SELECT m.id FROM message m WHERE m.topic_id = t.id
    AND (m.is_held = 1 OR t.stream_id IN (SELECT value FROM json_each(:alsoIn)))
  ORDER BY m.id DESC LIMIT 1`;
const NEWEST_OF_CONVERSATION = `SELECT m.id FROM message m WHERE m.conversation_id = c.id
  ORDER BY m.id DESC LIMIT 1`;
const RECENT = `SELECT id FROM (SELECT (${NEWEST_OF_TOPIC}) AS id FROM topic t
    UNION ALL SELECT (${NEWEST_OF_CONVERSATION}) AS id FROM conversation c)
  WHERE id IS NOT NULL ORDER BY id DESC LIMIT :limit`;
const PARTICIPATED = `SELECT n.id FROM message n WHERE n.id IN (SELECT value FROM json_each(:ids))
  AND (EXISTS (SELECT 1 FROM message o WHERE o.topic_id = n.topic_id AND o.sender_id = :userId)
    OR EXISTS (SELECT 1 FROM message o WHERE o.conversation_id = n.conversation_id AND o.sender_id = :userId))`;
const TOPICS = `SELECT b.subject FROM (SELECT (SELECT m.id FROM message m WHERE m.topic_id = t.id
      ORDER BY m.id DESC LIMIT 1) AS id
    FROM topic t WHERE t.stream_id = :streamId) n
  JOIN body b ON b.id = n.id ORDER BY n.id DESC LIMIT :limit`;
/** What is newest in each, which has the name as it is written now. */
const NAMED = `SELECT n.streamId, b.subject AS topic FROM (SELECT t.stream_id AS streamId,
      (SELECT m.id FROM message m WHERE m.topic_id = t.id ORDER BY m.id DESC LIMIT 1) AS id
    FROM topic t WHERE t.id IN (SELECT value FROM json_each(:ids))) n
  JOIN body b ON b.id = n.id ORDER BY n.id DESC`;
const TOPIC_NAMES = 'SELECT id, name_key FROM topic';
const TOPICS_OF_LATE = `SELECT topic_id AS id FROM
  (SELECT topic_id, id FROM message ORDER BY id DESC LIMIT :messages)
  WHERE topic_id IS NOT NULL GROUP BY topic_id ORDER BY MAX(id) DESC LIMIT :limit`;

/** Some milliseconds to go through. */
const MESSAGES_OF_LATE = 10_000;

export function listRecent(
  sql: Sql,
  messages: MessageTable,
  ...[limit, scope]: Parameters<Cache['recent']>
): readonly ConversationSummary[] {
  const { ownUserId: userId } = scope;
  const base = withHistoryScope(scope, 'subscribed');
  const alsoIn = idList(typeof base === 'object' ? base.alsoIn : []);
  const ids = sql.list<{ id: number }>(RECENT, { limit, alsoIn }).map(({ id }) => id);
  const own = sql.list<{ id: number }>(PARTICIPATED, { ids: idList(ids), userId });
  const ownIds = new Set(own.map(({ id }) => id));
  return messages
    .find(ids)
    .toReversed()
    .map((message) => summaryOf(message, userId, ownIds.has(message.id)));
}

export const listTopics = (sql: Sql, streamId: number, limit: number): readonly string[] =>
  sql.list<{ subject: string }>(TOPICS, { streamId, limit }).map(({ subject }) => subject);

const named = (sql: Sql, topics: readonly IdRow[]): readonly StreamTopic[] =>
  sql.list<StreamTopic>(NAMED, { ids: idList(idsOf(topics)) });

/** Names are gone through as they are compared, and none is kept. */
export function findTopics(sql: Sql, query: string, limit: number): readonly StreamTopic[] {
  const topics = sql.each<IdRow & { readonly name_key: string }>(TOPIC_NAMES);
  // All that was in some of them may be gone.
  const best = bestMatches(query, topics, 2 * limit, (topic) => topic.name_key);
  return named(sql, best).slice(0, limit);
}

export const listNewestTopics = (sql: Sql, limit: number): readonly StreamTopic[] =>
  named(sql, sql.list<IdRow>(TOPICS_OF_LATE, { limit, messages: MESSAGES_OF_LATE }));
