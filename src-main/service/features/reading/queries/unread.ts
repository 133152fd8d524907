/**
 * Finding what an account has not read without looking at what it has: per stream, conversation or topic from the
 * highest mark on, and the unread exceptions below the marks by an index of their own.
 */
import { findOne, list, type Operation, pause, type Values } from '#service/db/operation.ts';
import { HELD, IS_SHOWN, type PageSelection, READ, whereOf } from './narrow-sql.ts';

/** Ids of one recipient, or of one topic, in which unread messages can stand. */
interface UnreadPlace {
  readonly recipientId: number;
  /** Null for the whole recipient. */
  readonly topicId: number | null;
  /** Exclusive. */
  readonly low: number;
  /** Exclusive. */
  readonly high: number;
}

export interface UnreadScope {
  readonly userId: number;
  /** True without streams that the account has left. */
  readonly isCurrent?: boolean;
  readonly recipientId?: number;
  /** Only with `recipientId`. */
  readonly topicId?: number;
}

/** What is asked of each unread message, and which of them are wanted. */
export interface UnreadQuery {
  /** SELECT and FROM with a message `m` and its `id`. */
  readonly select: string;
  readonly where?: { readonly sql: string; readonly values: Values };
  readonly order: 'ascending' | 'descending';
  /** Exclusive: ids beyond it in the given order. */
  readonly anchor?: number;
  readonly limit: number;
}

/** So many rows of a place are read between two turns of others: each may be a page of the file. */
const AT_ONCE = 1000;
const BEYOND = 9_007_199_254_740_991;
/** Ids in the first step of a search, beside four for each row that is wanted. */
const FIRST_WINDOW = 1000;
/** Above so many messages after the mark a stream with marks of topics is looked at topic by topic. */
const LONG = 400;

const GLOBAL_MARK = `SELECT through_id FROM read_mark
  WHERE account_id = :userId AND recipient_id = 0 AND topic_id = 0`;
const between = (low: string, high: string): string => `m.id > ${low} AND m.id < ${high}`;
const CURRENT = `(q.stream_id IS NULL OR EXISTS (SELECT 1 FROM membership n
  WHERE n.account_id = :userId AND n.recipient_id = q.recipient_id AND n.until_id IS NULL))`;
const places = (isOne: boolean, isCurrent: boolean): string => `
  SELECT q.recipient_id, q.stream_id, q.low, q.high,
    (EXISTS (SELECT 1 FROM read_mark k WHERE k.account_id = :userId
        AND k.recipient_id = q.recipient_id AND k.topic_id > 0)
      AND (SELECT m.id FROM message m
        WHERE m.recipient_id = q.recipient_id AND ${between('q.low', 'q.high')}
        ORDER BY m.id LIMIT 1 OFFSET ${String(LONG)}) IS NOT NULL) AS is_long
  FROM (SELECT h.recipient_id, s.id AS stream_id,
      COALESCE(h.until_id + 1, ${String(BEYOND)}) AS high,
      CASE WHEN r.through_id > h.from_id AND r.through_id > :globalMark THEN r.through_id
        WHEN h.from_id > :globalMark THEN h.from_id ELSE :globalMark END AS low
    FROM membership h
    LEFT JOIN stream s ON s.recipient_id = h.recipient_id
    LEFT JOIN read_mark r ON r.account_id = h.account_id AND r.recipient_id = h.recipient_id
      AND r.topic_id = 0
    WHERE h.account_id = :userId ${isOne ? 'AND h.recipient_id = :recipientId' : ''}) q
  WHERE EXISTS (SELECT 1 FROM message m
      WHERE m.recipient_id = q.recipient_id AND ${between('q.low', 'q.high')})
    ${isCurrent ? `AND ${CURRENT}` : ''}`;
const topics = (isOne: boolean): string => `
  SELECT q.topic_id, q.low FROM (SELECT t.id AS topic_id,
      CASE WHEN r.through_id > :low THEN r.through_id ELSE :low END AS low
    FROM topic t
    LEFT JOIN read_mark r ON r.account_id = :userId AND r.recipient_id = :recipientId
      AND r.topic_id = t.id
    WHERE t.recipient_id = :recipientId ${isOne ? 'AND t.id = :topicId' : ''}) q
  WHERE EXISTS (SELECT 1 FROM message m WHERE m.topic_id = q.topic_id AND ${between('q.low', ':high')})`;

const UNREAD_HERE = `m.sender_id <> :userId AND ${IS_SHOWN}
  AND NOT EXISTS (SELECT 1 FROM read_exception e WHERE e.account_id = :userId AND e.message_id = m.id)
  AND NOT EXISTS (SELECT 1 FROM read_mark r WHERE r.account_id = :userId
    AND r.recipient_id = m.recipient_id AND r.topic_id = m.topic_id AND r.through_id >= m.id)`;
export const IS_CURRENT = `(m.topic_id IS NULL OR EXISTS (SELECT 1 FROM membership n
  WHERE n.account_id = :userId AND n.recipient_id = m.recipient_id AND n.until_id IS NULL))`;
export const NEWEST = 'SELECT COALESCE(MAX(id), 0) AS id FROM message';
const EXCEPTED_BOUNDS = `SELECT MIN(message_id) AS low, MAX(message_id) AS high FROM read_exception
  WHERE account_id = :userId AND is_read = 0`;
const EXCEPTED = `m.id IN (SELECT e.message_id FROM read_exception e WHERE e.account_id = :userId
    AND e.is_read = 0 AND e.message_id > :low AND e.message_id < :high) AND ${HELD}`;

/** Ids of one recipient that the account holds and no mark of the recipient covers, exclusive at both ends. */
export interface HeldRange {
  readonly recipient_id: number;
  readonly stream_id: number | null;
  readonly low: number;
  readonly high: number;
  /** With marks of single topics, and too many messages to ask of each one what they say. */
  readonly is_long: 0 | 1;
}

/** Step: the ranges in which there are messages at all. */
export function* listRanges(scope: Omit<UnreadScope, 'topicId'>): Operation<readonly HeldRange[]> {
  const { userId, isCurrent = false, recipientId } = scope;
  const globalMark =
    (yield* findOne<{ through_id: number }>(GLOBAL_MARK, { userId }))?.through_id ?? 0;
  const one = recipientId === undefined ? {} : { recipientId };
  return yield* list<HeldRange>(places(recipientId !== undefined, isCurrent), {
    userId,
    globalMark,
    ...one,
  });
}

function* listPlaces(scope: UnreadScope): Operation<readonly UnreadPlace[]> {
  const { userId, topicId } = scope;
  const found: UnreadPlace[] = [];
  for (const row of yield* listRanges(scope)) {
    const { low, high } = row;
    if (row.stream_id === null || (row.is_long === 0 && topicId === undefined)) {
      found.push({ recipientId: row.recipient_id, topicId: null, low, high });
      continue;
    }
    const inTopics = yield* list<{ topic_id: number; low: number }>(topics(topicId !== undefined), {
      userId,
      recipientId: row.recipient_id,
      low,
      high,
      ...(topicId === undefined ? {} : { topicId }),
    });
    for (const topic of inTopics) {
      const place = { recipientId: row.recipient_id, topicId: topic.topic_id };
      found.push({ ...place, low: topic.low, high });
    }
  }
  return found;
}

interface Bounds {
  /** Exclusive, like the upper one. */
  readonly low: number;
  readonly high: number;
}

const overlap = (a: Bounds, b: Bounds): Bounds => ({
  low: Math.max(a.low, b.low),
  high: Math.min(a.high, b.high),
});

/**
 * Ids in steps that grow, in the order asked for: where much is unread, only the part that is wanted is looked at in
 * each place, and where little is, there are few steps.
 */
function* windowsOf(
  { order, anchor, limit }: UnreadQuery,
  all: readonly Bounds[],
): Generator<Bounds, void, undefined> {
  let { low, high }: Bounds = { low: BEYOND, high: 0 };
  for (const each of all) {
    low = Math.min(low, each.low);
    high = Math.max(high, each.high);
  }
  if (order === 'ascending') low = Math.max(low, anchor ?? 0);
  else high = Math.min(high, anchor ?? BEYOND);
  for (let size = FIRST_WINDOW + 4 * limit; high - low > 1; size *= 8) {
    const window =
      order === 'ascending'
        ? { low, high: Math.min(high, low + size + 1) }
        : { low: Math.max(low, high - size - 1), high };
    yield window;
    if (order === 'ascending') low = window.high - 1;
    else high = window.low + 1;
  }
}

interface Source extends Bounds {
  readonly where: readonly string[];
  readonly values: Values;
}

function sourceOf({ recipientId, topicId, low, high }: UnreadPlace): Source {
  const [column, placeId] =
    topicId === null ? ['recipient_id', recipientId] : ['topic_id', topicId];
  return {
    where: [`m.${column} = :placeId`, between(':low', ':high'), UNREAD_HERE],
    values: { placeId },
    low,
    high,
  };
}

/** Unread exceptions of a scope; none where there are none at all. */
function* findExceptions(scope: UnreadScope): Operation<readonly Source[]> {
  const { userId, isCurrent = false, recipientId, topicId } = scope;
  const row = yield* findOne<{ low: number | null; high: number | null }>(EXCEPTED_BOUNDS, {
    userId,
  });
  if (row === undefined || row.low === null || row.high === null) return [];
  const bounds = { low: row.low - 1, high: row.high + 1 };
  const where = [EXCEPTED, ...(isCurrent ? [IS_CURRENT] : [])];
  if (recipientId === undefined) return [{ where, values: {}, ...bounds }];
  const [column, placeId] =
    topicId === undefined ? ['recipient_id', recipientId] : ['topic_id', topicId];
  return [{ where: [...where, `m.${column} = :placeId`], values: { placeId }, ...bounds }];
}

/** Everything in which unread messages can stand, none twice. */
function* listSources(scope: UnreadScope): Operation<readonly Source[]> {
  const exceptions = yield* findExceptions(scope);
  const places = yield* listPlaces(scope);
  const newest = (yield* findOne<{ id: number }>(NEWEST))?.id ?? 0;
  return [...exceptions, ...places.map(sourceOf)].map((source) => ({
    ...source,
    high: Math.min(source.high, newest + 1),
  }));
}

/** Step: a statement between two ids, some thousand rows at a time, with turns for others where they may have one. */
function* listBetween<Row extends { readonly id: number }>(
  sql: string,
  values: Values,
  {
    limit,
    isAscending,
    ...bounds
  }: Bounds & { readonly limit: number; readonly isAscending: boolean },
): Operation<readonly Row[]> {
  const found: Row[] = [];
  let { low, high } = bounds;
  for (;;) {
    const some = Math.min(AT_ONCE, limit - found.length);
    const rows = yield* list<Row>(sql, { ...values, low, high, limit: some });
    for (const row of rows) found.push(row);
    yield* pause();
    if (rows.length < some || found.length >= limit) return found;
    const last = rows.at(-1)?.id ?? 0;
    if (isAscending) low = last;
    else high = last;
  }
}

/** Step: unread messages that the account holds, in the order asked for. */
export function* walkUnread<Row extends { readonly id: number }>(
  scope: UnreadScope,
  query: UnreadQuery,
): Operation<readonly Row[]> {
  const found: Row[] = [];
  if (query.limit === 0) return found;
  const isAscending = query.order === 'ascending';
  const order = `ORDER BY m.id ${isAscending ? 'ASC' : 'DESC'} LIMIT :limit`;
  const conditions = query.where === undefined ? [] : [query.where.sql];
  const sources = yield* listSources(scope);
  for (const window of windowsOf(query, sources)) {
    const limit = query.limit - found.length;
    const inWindow: Row[] = [];
    for (const source of sources) {
      const { low, high } = overlap(source, window);
      if (high - low <= 1) continue;
      const sql = `${query.select} WHERE ${[...source.where, ...conditions].join(' AND ')} ${order}`;
      const values = { ...query.where?.values, userId: scope.userId, ...source.values };
      for (const row of yield* listBetween<Row>(sql, values, { low, high, limit, isAscending })) {
        inWindow.push(row);
      }
    }
    inWindow.sort((a, b) => (isAscending ? a.id - b.id : b.id - a.id));
    for (const row of inWindow.slice(0, limit)) found.push(row);
    if (found.length >= query.limit) break;
  }
  return found;
}

const FIND_TOPIC =
  'SELECT id FROM topic WHERE recipient_id = :recipientId AND name_key = :topicKey';
const isUnread = ({ condition, isNegated }: PageSelection['predicates'][number]): boolean =>
  condition.kind === 'unread' && !isNegated;

/** Whether only unread messages are selected, so that `walkSelected` finds them. */
export const isUnreadOnly = ({ base, predicates }: PageSelection): boolean =>
  base === 'held' && predicates.some(isUnread);

/** Step: selected messages of a selection that `isUnreadOnly`. */
export function* walkSelected<Row extends { readonly id: number }>(
  selection: PageSelection,
  query: Omit<UnreadQuery, 'where'>,
): Operation<readonly Row[]> {
  const { userId, predicates, hasVisibleRevisions = false } = selection;
  const others = predicates.filter((each) => !isUnread(each));
  const plain = others.filter(({ isNegated }) => !isNegated).map(({ condition }) => condition);
  const recipient = plain.find(({ kind }) => kind === 'recipient');
  const topic = plain.find(({ kind }) => kind === 'topic');
  const where = whereOf({ userId, base: 'open', predicates: others, hasVisibleRevisions });
  if (recipient?.kind !== 'recipient')
    return yield* walkUnread<Row>({ userId }, { ...query, where });
  const { recipientId } = recipient;
  // A message that the account sees in the topic of old stands among those of another one.
  if (topic?.kind !== 'topic' || hasVisibleRevisions) {
    return yield* walkUnread<Row>({ userId, recipientId }, { ...query, where });
  }
  const { topicKey } = topic;
  const row = yield* findOne<{ id: number }>(FIND_TOPIC, { recipientId, topicKey });
  if (row === undefined) return [];
  return yield* walkUnread<Row>({ userId, recipientId, topicId: row.id }, { ...query, where });
}

/** The newest messages alone nearly always answer whether anything is unread. */
const PROBE = `SELECT 1 FROM (SELECT id, recipient_id, topic_id, sender_id FROM message
  ORDER BY id DESC LIMIT 20) m WHERE ${HELD} AND ${READ} = 0 LIMIT 1`;

/** Step: whether the account holds anything unread. */
export function* isAnythingUnread(userId: number): Operation<boolean> {
  if ((yield* findOne(PROBE, { userId })) !== undefined) return true;
  const select = 'SELECT m.id FROM message m';
  return (yield* walkUnread({ userId }, { select, order: 'descending', limit: 1 })).length > 0;
}
