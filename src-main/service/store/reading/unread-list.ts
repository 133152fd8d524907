/** What is unread and what is starred, as an account is told when it registers (API decisions 9 and 9.4). */
import { IS_SHOWN } from './narrow-sql.ts';
import { findOne, list, type Operation, type Values } from '../operation.ts';
import { walkUnread } from './unread.ts';

type Flag = 0 | 1;

/** An unread message as the unread summary needs it. */
export interface UnreadRow {
  readonly id: number;
  readonly sender_id: number;
  readonly stream_id: number | null;
  readonly topic: string | null;
  /** Ids of a private conversation's participants, ascending, joined by commas; null for a stream. */
  readonly participants_key: string | null;
  readonly is_mention: Flag;
  readonly is_topic_muted: Flag;
}

/** At most so many unread messages are told (API decisions 9.4). */
export const UNREAD_LIMIT = 50_000;
const UNREAD_ROW = `SELECT m.id, m.sender_id, m.recipient_id, m.topic_id, m.topic_name,
    m.has_wildcard_mention FROM message m`;
const STREAM_IDS = 'SELECT recipient_id AS key, id AS value FROM stream';
const MUTED_TOPICS = 'SELECT topic_id AS id FROM muted_topic WHERE account_id = :userId';
const MENTIONS = `SELECT message_id AS id FROM message_flag
  WHERE account_id = :userId AND flag IN ('mentioned', 'wildcard_mentioned') AND message_id >= :oldestId`;
const TOPIC_NAME = 'SELECT name AS value FROM topic WHERE id = :key';
const PARTICIPANTS = 'SELECT participants_key AS value FROM conversation WHERE recipient_id = :key';

interface BareRow {
  readonly id: number;
  readonly sender_id: number;
  readonly recipient_id: number;
  readonly topic_id: number | null;
  readonly topic_name: string | null;
  readonly has_wildcard_mention: Flag;
}

/** A look-up that asks once for each key. */
function remembered(sql: string): (key: number) => Operation<string | null> {
  const known = new Map<number, string | null>();
  return function* (key) {
    const value = known.get(key);
    if (value !== undefined) return value;
    const found = (yield* findOne<{ value: string }>(sql, { key }))?.value ?? null;
    known.set(key, found);
    return found;
  };
}

function* idsOf(sql: string, values: Values): Operation<ReadonlySet<number>> {
  return new Set((yield* list<{ id: number }>(sql, values)).map((row) => row.id));
}

const flag = (is: boolean): Flag => (is ? 1 : 0);

/** What belongs to many messages is asked for once, not with each of up to 50,000. */
function* describeUnread(
  userId: number,
  rows: readonly BareRow[],
): Operation<readonly UnreadRow[]> {
  if (rows.length === 0) return [];
  const streams = yield* list<{ key: number; value: number }>(STREAM_IDS);
  const streamIds = new Map(streams.map(({ key, value }) => [key, value]));
  const mutedTopics = yield* idsOf(MUTED_TOPICS, { userId });
  const mentions = yield* idsOf(MENTIONS, { userId, oldestId: rows.at(-1)?.id ?? 0 });
  const topicName = remembered(TOPIC_NAME);
  const participants = remembered(PARTICIPANTS);
  const described: UnreadRow[] = [];
  for (const row of rows) {
    const { id, topic_id: topicId, recipient_id: recipientId } = row;
    described.push({
      id,
      sender_id: row.sender_id,
      stream_id: streamIds.get(recipientId) ?? null,
      topic: topicId === null ? null : (row.topic_name ?? (yield* topicName(topicId))),
      participants_key: topicId === null ? yield* participants(recipientId) : null,
      is_mention: flag(row.has_wildcard_mention === 1 || mentions.has(id)),
      is_topic_muted: flag(mutedTopics.has(topicId ?? 0)),
    });
  }
  return described;
}

const NEWEST_HELD = `SELECT MAX(x.id) AS id FROM (
  SELECT (SELECT m.id FROM message m WHERE m.recipient_id = h.recipient_id AND m.id > h.from_id
      AND (h.until_id IS NULL OR (m.id <= h.until_id AND ${IS_SHOWN})) ORDER BY m.id DESC LIMIT 1) AS id
    FROM membership h WHERE h.account_id = :userId
  UNION ALL SELECT MAX(f.message_id) AS id FROM message_flag f
    WHERE f.account_id = :userId AND f.flag = 'historical') x`;
const STARRED_LIMIT = 10_000;
const STARRED = `SELECT f.message_id AS id FROM message_flag f
  WHERE f.account_id = :userId AND f.flag = 'starred'
  ORDER BY f.message_id DESC LIMIT ${String(STARRED_LIMIT)}`;

export const unreadReads = {
  /** The newest message that the account holds. */
  *findNewestHeldId(userId: number): Operation<number | undefined> {
    return (yield* findOne<{ id: number | null }>(NEWEST_HELD, { userId }))?.id ?? undefined;
  },
  /**
   * The newest 50,000 unread messages that the account holds, newest first, without those of streams that it left
   * (API decisions 9.4).
   */
  *listUnread(userId: number): Operation<readonly UnreadRow[]> {
    const query = { select: UNREAD_ROW, order: 'descending', limit: UNREAD_LIMIT } as const;
    const rows = yield* walkUnread<BareRow>({ userId, isCurrent: true }, query);
    return yield* describeUnread(userId, rows);
  },
  /** The newest 10,000 messages that the account has starred, ascending (API decisions 9). */
  *listStarredIds(userId: number): Operation<readonly number[]> {
    return (yield* list<{ id: number }>(STARRED, { userId })).map((row) => row.id).reverse();
  },
};
