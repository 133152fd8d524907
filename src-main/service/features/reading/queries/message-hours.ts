/**
 * In which hour messages were sent, by stretches of their ids: ids grow with time, but a clock may be set back. From here
 * narrows by time know between which ids to look, and need no index with an entry for every message.
 */
import { commonRange, type SentRange } from '#shared/search/narrow-terms.ts';
import { findOne, cached, type Operation, run } from '#service/db/operation.ts';
import type { PageSelection } from './narrow-sql.ts';

const SECONDS_PER_HOUR = 3600;
const BEYOND = Number.MAX_SAFE_INTEGER;

const NEWEST = 'SELECT hour FROM message_hour ORDER BY first_id DESC LIMIT 1';
const NOTE = 'INSERT INTO message_hour (first_id, hour) VALUES (:id, :hour)';
const FIRST =
  'SELECT first_id AS id FROM message_hour WHERE hour >= :hour ORDER BY first_id LIMIT 1';
const LAST = `SELECT (SELECT n.first_id FROM message_hour n WHERE n.first_id > h.first_id
    ORDER BY n.first_id LIMIT 1) AS next_id
  FROM message_hour h WHERE h.hour <= :hour ORDER BY h.first_id DESC LIMIT 1`;

const HOUR_OF = `SELECT hour FROM message_hour WHERE first_id <= :id ORDER BY first_id DESC LIMIT 1`;
const NEXT = 'SELECT id, sent_at FROM message WHERE id > :id ORDER BY id LIMIT 1';
const PUT = 'INSERT INTO message_hour (first_id, hour) VALUES (:id, :hour) ON CONFLICT DO NOTHING';

/** Ids between which all messages of a selection lie, both included. */
export interface IdBounds {
  readonly low: number;
  readonly high: number;
}

/** Step: remembers that the message began an hour, if it did. @param sentAt  UNIX seconds */
export function* noteHour(id: number, sentAt: number): Operation<void> {
  const hour = Math.floor(sentAt / SECONDS_PER_HOUR);
  const newest = yield* cached('names', 'hour', () => findOne<{ hour: number }>(NEWEST));
  if (newest?.hour !== hour) yield* run(NOTE, { id, hour });
}

/** Step: the same for a message with others after it, whose hours stay. @param sentAt  UNIX seconds */
export function* noteHourBetween(id: number, sentAt: number): Operation<void> {
  const hour = Math.floor(sentAt / SECONDS_PER_HOUR);
  if ((yield* findOne<{ hour: number }>(HOUR_OF, { id }))?.hour === hour) return;
  const next = yield* findOne<{ id: number; sent_at: number }>(NEXT, { id });
  if (next !== undefined) {
    yield* run(PUT, { id: next.id, hour: Math.floor(next.sent_at / SECONDS_PER_HOUR) });
  }
  yield* run(PUT, { id, hour });
}

function* lowOf({ from }: SentRange): Operation<number> {
  if (from === null) return 0;
  const hour = Math.floor(from / SECONDS_PER_HOUR);
  return (yield* findOne<{ id: number }>(FIRST, { hour }))?.id ?? BEYOND;
}

function* highOf({ before }: SentRange): Operation<number> {
  if (before === null) return BEYOND;
  const hour = Math.floor((before - 1) / SECONDS_PER_HOUR);
  const last = yield* findOne<{ next_id: number | null }>(LAST, { hour });
  if (last === undefined) return 0;
  return last.next_id === null ? BEYOND : last.next_id - 1;
}

/** Step: undefined for a selection that says nothing of time. */
export function* boundsOf({ predicates }: PageSelection): Operation<IdBounds | undefined> {
  const ranges = predicates.flatMap(({ condition, isNegated }) =>
    condition.kind === 'sent' ? [{ range: condition.range, isNegated }] : [],
  );
  if (ranges.length === 0) return undefined;
  const range = commonRange(ranges);
  return { low: yield* lowOf(range), high: yield* highOf(range) };
}

export const messageHourReads = {
  /** Between which ids the messages of a selection lie by the time at which they were sent; undefined where it names none. */
  *findIdBounds(selection: PageSelection): Operation<IdBounds | undefined> {
    return yield* boundsOf(selection);
  },
};
