/** What is unread and what is starred, as an account is told when it registers (API decisions 9 and 9.4). */
import { HELD, IS_SHOWN } from './narrow-sql.ts';
import { findOne, list, type Operation, type Values } from '#service/db/operation.ts';
import { type HeldRange, IS_CURRENT, listRanges, NEWEST } from './unread.ts';

/** Unread messages of one topic, or of one sender in a private conversation. */
export interface UnreadGroup {
  readonly stream_id: number | null;
  /** As the newest of them spells it; null for a private conversation. */
  readonly topic: string | null;
  /** Ids of a private conversation's participants, ascending, joined by commas; null for a stream. */
  readonly participants_key: string | null;
  readonly is_topic_muted: 0 | 1;
  /** Ascending. */
  readonly senderIds: readonly number[];
  /** Ascending. */
  readonly messageIds: readonly number[];
}

export interface Unread {
  readonly groups: readonly UnreadGroup[];
  /** Those that mention the account, ascending. */
  readonly mentionIds: readonly number[];
}

/** At most so many unread messages are told (API decisions 9.4). */
export const UNREAD_LIMIT = 50_000;
/** Ids that are looked at in one step, so that no step holds more than some MiB. */
const MAX_WINDOW = 4 * UNREAD_LIMIT;
const MIN_WINDOW = 1000;

/**
 * A row for each of 50,000 messages makes a registration a fifth slower, 21.5 ms of processor time in place of 17.5, so the
 * columns of a range come as text. No order is asked for, which costs as much again: whoever groups them looks whether they
 * ascend.
 */
const COLUMNS = `SELECT '[' || group_concat(id) || ']' AS ids, '[' || group_concat(topic_id) || ']' AS topic_ids,
    '[' || group_concat(sender_id) || ']' AS sender_ids
  FROM message
  WHERE recipient_id = :recipientId AND id > :low AND id < :high AND sender_id <> :userId`;
const TOPIC_MARKS = `SELECT topic_id AS key, through_id AS value FROM read_mark
  WHERE account_id = :userId AND topic_id > 0 AND through_id > :bottom`;
/** What the marks say wrongly, and what the account holds by its id alone. */
const LEFT_OUT = `SELECT message_id AS id FROM read_exception
    WHERE account_id = :userId AND message_id > :bottom
  UNION SELECT message_id AS id FROM kept_version
    WHERE account_id = :userId AND message_id > :bottom AND edit_id IS NULL`;
const EXCEPTED = `SELECT m.id, m.recipient_id, m.topic_id, m.sender_id
  FROM read_exception e JOIN message m ON m.id = e.message_id
  WHERE e.account_id = :userId AND e.is_read = 0 AND ${HELD} AND ${IS_CURRENT}
  ORDER BY m.id DESC LIMIT ${String(UNREAD_LIMIT)}`;
const STREAM_IDS = 'SELECT recipient_id AS key, id AS value FROM stream';
const MUTED_TOPICS = 'SELECT topic_id AS id FROM muted_topic WHERE account_id = :userId';
const MENTIONS = `SELECT message_id AS id FROM message_flag
    WHERE account_id = :userId AND flag IN ('mentioned', 'wildcard_mentioned') AND message_id >= :oldestId
  UNION SELECT id FROM message WHERE has_wildcard_mention = 1 AND id >= :oldestId`;
/** So many names are asked for at once. */
const NAMES = 64;
const nameKeys = Array.from({ length: NAMES }, (_, index) => `key${String(index)}`);
const TOPIC_NAMES = `SELECT m.id AS key, COALESCE(m.topic_name, t.name) AS value
  FROM message m JOIN topic t ON t.id = m.topic_id
  WHERE m.id IN (${nameKeys.map((key) => `:${key}`).join(', ')})`;
const PARTICIPANTS = 'SELECT participants_key AS value FROM conversation WHERE recipient_id = :key';

interface UnreadMessage {
  readonly id: number;
  readonly recipient_id: number;
  readonly topic_id: number | null;
  readonly sender_id: number;
}

/** Messages of one recipient, in one order: each column by itself. */
interface Columns {
  readonly recipientId: number;
  readonly ids: readonly number[];
  /** Empty for a private conversation. */
  readonly topicIds: readonly number[];
  readonly senderIds: readonly number[];
}

interface Window {
  /** Exclusive, like the upper one. */
  readonly low: number;
  readonly high: number;
}

const numbersOf = (json: string | null): readonly number[] =>
  json === null ? [] : (JSON.parse(json) as readonly number[]);

function* idsOf(sql: string, values: Values): Operation<ReadonlySet<number>> {
  return new Set((yield* list<{ id: number }>(sql, values)).map((row) => row.id));
}

function* mapOf(sql: string, values: Values = {}): Operation<ReadonlyMap<number, number>> {
  const rows = yield* list<{ key: number; value: number }>(sql, values);
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** Only those whose position is kept. */
function picked(columns: Columns, isKept: (index: number) => boolean): Columns {
  const { recipientId, ids, topicIds, senderIds } = columns;
  const keep = (_: number, index: number): boolean => isKept(index);
  return {
    recipientId,
    ids: ids.filter(keep),
    topicIds: topicIds.filter(keep),
    senderIds: senderIds.filter(keep),
  };
}

const asColumns = ({ id, recipient_id, topic_id, sender_id }: UnreadMessage): Columns => ({
  recipientId: recipient_id,
  ids: [id],
  topicIds: topic_id === null ? [] : [topic_id],
  senderIds: [sender_id],
});

interface Group {
  readonly recipientId: number;
  /** 0 for a private conversation. */
  readonly topicId: number;
  /** Whether a sender is among them, by the rank of that sender. */
  readonly isFrom: boolean[];
  /** Ascending, when all is there. */
  readonly senderIds: number[];
  readonly messageIds: number[];
  isAscending: boolean;
}

/** A sender, at its rank: in the order in which they were met. */
interface Sender {
  readonly id: number;
  readonly groups: Group[];
}

const newestIn = ({ messageIds }: Group): number => messageIds.at(-1) ?? 0;

/**
 * By topic, or by conversation and sender. A registration of somebody who was away for long does this 50,000 times, so that
 * there is one `Map` on its way and no iterator; ranks are small, which ids of senders need not be.
 */
class Groups {
  count = 0;
  readonly #all: Group[] = [];
  readonly #topics = new Map<number, Group>();
  readonly #conversations = new Map<number, Map<number, Group>>();
  readonly #senders: Sender[] = [];
  /** By the id of the sender. */
  readonly #ranks: (number | undefined)[] = [];

  add({ recipientId, ids, topicIds, senderIds }: Columns): void {
    const isPrivate = topicIds.length === 0;
    const known = isPrivate ? this.#sendersIn(recipientId) : this.#topics;
    const keys = isPrivate ? senderIds : topicIds;
    for (let index = 0; index < ids.length; index++) {
      const key = keys[index] ?? 0;
      const id = ids[index] ?? 0;
      let group = known.get(key);
      if (group === undefined) {
        group = this.#create(recipientId, isPrivate ? 0 : key);
        known.set(key, group);
      }
      const rank = this.#rankOf(senderIds[index] ?? 0);
      if (group.isFrom[rank] !== true) {
        group.isFrom[rank] = true;
        this.#senders[rank]?.groups.push(group);
      }
      if (newestIn(group) > id) group.isAscending = false;
      group.messageIds.push(id);
    }
    this.count += ids.length;
  }

  finish(): readonly Group[] {
    for (const { messageIds, isAscending } of this.#all) {
      if (!isAscending) messageIds.sort((a, b) => a - b);
    }
    // All senders are sorted once, and not again in each of hundreds of topics.
    for (const { id, groups } of [...this.#senders].sort((a, b) => a.id - b.id)) {
      for (const { senderIds } of groups) senderIds.push(id);
    }
    return this.#all;
  }

  #create(recipientId: number, topicId: number): Group {
    const lists = { isFrom: [], senderIds: [], messageIds: [] };
    const group = { recipientId, topicId, ...lists, isAscending: true };
    this.#all.push(group);
    return group;
  }

  #rankOf(id: number): number {
    const known = this.#ranks[id];
    if (known !== undefined) return known;
    const rank = this.#senders.length;
    this.#ranks[id] = rank;
    this.#senders.push({ id, groups: [] });
    return rank;
  }

  #sendersIn(recipientId: number): Map<number, Group> {
    const known = this.#conversations.get(recipientId) ?? new Map<number, Group>();
    this.#conversations.set(recipientId, known);
    return known;
  }
}

interface Sources {
  readonly userId: number;
  readonly ranges: readonly HeldRange[];
  /** Unread below the marks, newest first. */
  readonly excepted: readonly UnreadMessage[];
  /** In the ranges. */
  readonly leftOut: ReadonlySet<number>;
  /** Through which message each topic is read. */
  readonly topicMarks: ReadonlyMap<number, number>;
}

function* findSources(userId: number): Operation<Sources & { readonly bottom: number }> {
  const ranges = yield* listRanges({ userId, isCurrent: true });
  const excepted = yield* list<UnreadMessage>(EXCEPTED, { userId });
  const lows = [...ranges.map(({ low }) => low), ...excepted.slice(-1).map(({ id }) => id - 1)];
  const bottom = lows.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER);
  const leftOut = yield* idsOf(LEFT_OUT, { userId, bottom });
  const topicMarks = yield* mapOf(TOPIC_MARKS, { userId, bottom });
  return { userId, ranges, excepted, leftOut, topicMarks, bottom };
}

/** What is unread in one recipient, between two ids. */
function* readColumns(
  { userId, leftOut, topicMarks }: Sources,
  recipientId: number,
  window: Window,
): Operation<Columns> {
  const row = yield* findOne<{
    readonly ids: string | null;
    readonly topic_ids: string | null;
    readonly sender_ids: string | null;
  }>(COLUMNS, { userId, recipientId, ...window });
  const ids = numbersOf(row?.ids ?? null);
  const topicIds = numbersOf(row?.topic_ids ?? null);
  const columns = { recipientId, ids, topicIds, senderIds: numbersOf(row?.sender_ids ?? null) };
  if (leftOut.size === 0 && topicMarks.size === 0) return columns;
  return picked(columns, (index) => {
    const id = ids[index] ?? 0;
    return !leftOut.has(id) && (topicMarks.get(topicIds[index] ?? 0) ?? 0) < id;
  });
}

/** What is unread between two ids goes to `take`, each recipient by itself. */
function* readWindow(
  sources: Sources,
  { low, high }: Window,
  take: (columns: Columns) => void,
): Operation<void> {
  for (const message of sources.excepted) {
    if (message.id > low && message.id < high) take(asColumns(message));
  }
  for (const range of sources.ranges) {
    const window = { low: Math.max(low, range.low), high: Math.min(high, range.high) };
    if (window.high - window.low <= 1) continue;
    take(yield* readColumns(sources, range.recipient_id, window));
  }
}

/** The newest of them. */
function newestOf(all: readonly Columns[], count: number): readonly Columns[] {
  const ids = all.flatMap((columns) => columns.ids).sort((a, b) => b - a);
  const oldestId = ids[count - 1] ?? 0;
  return all.map((columns) => picked(columns, (index) => (columns.ids[index] ?? 0) >= oldestId));
}

/** The newest 50,000 unread messages. */
function* collectUnread(userId: number): Operation<readonly Group[]> {
  const { bottom, ...sources } = yield* findSources(userId);
  const groups = new Groups();
  let size = UNREAD_LIMIT;
  let high = ((yield* findOne<{ id: number }>(NEWEST))?.id ?? 0) + 1;
  while (groups.count < UNREAD_LIMIT && high - bottom > 1) {
    const low = Math.max(bottom, high - size - 1);
    const wanted = UNREAD_LIMIT - groups.count;
    if (high - low - 1 <= wanted) {
      yield* readWindow(sources, { low, high }, (columns) => groups.add(columns));
    } else {
      const found: Columns[] = [];
      yield* readWindow(sources, { low, high }, (columns) => found.push(columns));
      for (const columns of newestOf(found, wanted)) groups.add(columns);
    }
    const left = UNREAD_LIMIT - groups.count;
    // Enough for the rest, if there is as much as here.
    const next = Math.ceil((1.5 * (high - low) * left) / Math.max(1, wanted - left));
    size = Math.min(MAX_WINDOW, Math.max(MIN_WINDOW, next));
    high = low + 1;
  }
  return groups.finish();
}

/** The names of topics as single messages spell them, by message. */
function* namesOf(messageIds: readonly number[]): Operation<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  for (let start = 0; start < messageIds.length; start += NAMES) {
    const keys = nameKeys.map((key, index) => [key, messageIds[start + index] ?? 0]);
    const values = Object.fromEntries(keys) as Values;
    const rows = yield* list<{ key: number; value: string }>(TOPIC_NAMES, values);
    for (const { key, value } of rows) names.set(key, value);
  }
  return names;
}

function* describe(userId: number, groups: readonly Group[]): Operation<readonly UnreadGroup[]> {
  const streamIds = yield* mapOf(STREAM_IDS);
  const mutedTopics = yield* idsOf(MUTED_TOPICS, { userId });
  const names = yield* namesOf(groups.filter(({ topicId }) => topicId !== 0).map(newestIn));
  const described: UnreadGroup[] = [];
  for (const each of groups) {
    const { recipientId: key, topicId, senderIds, messageIds } = each;
    const conversation =
      topicId === 0 ? yield* findOne<{ value: string }>(PARTICIPANTS, { key }) : undefined;
    described.push({
      stream_id: streamIds.get(key) ?? null,
      topic: names.get(newestIn(each)) ?? null,
      participants_key: conversation?.value ?? null,
      is_topic_muted: mutedTopics.has(topicId) ? 1 : 0,
      senderIds,
      messageIds,
    });
  }
  return described;
}

/** Step: which of the messages in the groups mention the account. */
function* findMentions(userId: number, groups: readonly UnreadGroup[]): Operation<number[]> {
  const oldestId = groups.reduce(
    (oldest, { messageIds }) => Math.min(oldest, messageIds[0] ?? oldest),
    Number.MAX_SAFE_INTEGER,
  );
  const mentions = yield* idsOf(MENTIONS, { userId, oldestId });
  if (mentions.size === 0) return [];
  return groups
    .flatMap(({ messageIds }) => messageIds.filter((id) => mentions.has(id)))
    .sort((a, b) => a - b);
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
   * The newest 50,000 unread messages that the account holds, without those of streams that it left (API decisions 9.4).
   */
  *listUnread(userId: number): Operation<Unread> {
    const found = yield* collectUnread(userId);
    if (found.length === 0) return { groups: [], mentionIds: [] };
    const groups = yield* describe(userId, found);
    return { groups, mentionIds: yield* findMentions(userId, groups) };
  },
  /** The newest 10,000 messages that the account has starred, ascending (API decisions 9). */
  *listStarredIds(userId: number): Operation<readonly number[]> {
    return (yield* list<{ id: number }>(STARRED, { userId })).map((row) => row.id).reverse();
  },
};
