/**
 * Keeps read state small: what was read message by message becomes a mark as soon as it can, so that no account keeps
 * a row for each message for ever.
 */
import { findOne, list, type Operation, run } from '#service/db/operation.ts';
import { HELD, READ } from './narrow-sql.ts';

/** A stream or conversation, or one topic of a stream. */
export interface ReadPlace {
  readonly recipientId: number;
  /** 0 for all of the recipient. */
  readonly topicId: number;
}

const WINDOW = 64;
const MAX_WINDOWS = 16;
/** So many unread messages may stay behind a mark as exceptions before looking further is given up. */
const MAX_LEFT_BEHIND = 32;

const FIND_MARK = `SELECT MAX(through_id) AS through FROM read_mark WHERE account_id = :userId
  AND ((recipient_id = 0 AND topic_id = 0) OR (recipient_id = :recipientId AND topic_id IN (0, :topicId)))`;
const FIND_JOINED = `SELECT MIN(from_id) AS joined FROM membership
  WHERE account_id = :userId AND recipient_id = :recipientId AND (until_id IS NULL OR until_id > :through)`;
const NEXT = (column: string): string => `SELECT m.id, ${HELD} AS is_held, ${READ} AS is_read,
    (SELECT e.is_read FROM read_exception e
      WHERE e.account_id = :userId AND e.message_id = m.id) AS exception
  FROM message m WHERE m.${column} = :placeId AND m.id > :after ORDER BY m.id LIMIT ${String(WINDOW)}`;
export const PUT_MARK = `INSERT INTO read_mark (account_id, recipient_id, topic_id, through_id)
  VALUES (:userId, :recipientId, :topicId, :through)
  ON CONFLICT (account_id, recipient_id, topic_id) DO UPDATE SET through_id = excluded.through_id
  WHERE excluded.through_id > read_mark.through_id`;
export const PUT_EXCEPTION = `INSERT INTO read_exception (account_id, message_id, is_read)
  VALUES (:userId, :id, :isRead)
  ON CONFLICT (account_id, message_id) DO UPDATE SET is_read = excluded.is_read`;
export const DELETE_EXCEPTION =
  'DELETE FROM read_exception WHERE account_id = :userId AND message_id = :id';
const DELETE_TOPIC_MARKS = `DELETE FROM read_mark WHERE account_id = :userId
  AND recipient_id = :recipientId AND topic_id <> 0 AND through_id <= :through`;

interface Row {
  readonly id: number;
  readonly is_held: 0 | 1;
  readonly is_read: 0 | 1;
  readonly exception: 0 | 1 | null;
}

/** How far a mark can go, and what that makes of the exceptions. */
class Advance {
  through = 0;
  readonly #overtaken: number[] = [];
  readonly #leftBehind: number[] = [];
  /** How much of the two lists lies at or before `through`. */
  #overtakenCount = 0;
  #leftBehindCount = 0;

  /** Answers whether it is worth looking further. */
  pass(row: Row): boolean {
    if (row.exception === 1) this.#overtaken.push(row.id);
    if (row.is_held === 1 && row.is_read === 0) this.#leftBehind.push(row.id);
    // Each exception that is written is paid for by two that go.
    if (this.#leftBehind.length * 2 <= this.#overtaken.length) {
      this.through = row.id;
      this.#overtakenCount = this.#overtaken.length;
      this.#leftBehindCount = this.#leftBehind.length;
    }
    return this.#leftBehind.length <= MAX_LEFT_BEHIND;
  }

  get overtaken(): readonly number[] {
    return this.#overtaken.slice(0, this.#overtakenCount);
  }

  get leftBehind(): readonly number[] {
    return this.#leftBehind.slice(0, this.#leftBehindCount);
  }
}

function* findStart(userId: number, place: ReadPlace): Operation<number | undefined> {
  const mark = yield* findOne<{ through: number | null }>(FIND_MARK, { userId, ...place });
  const through = mark?.through ?? 0;
  const { recipientId } = place;
  const range = yield* findOne<{ joined: number | null }>(FIND_JOINED, {
    userId,
    recipientId,
    through,
  });
  const joined = range?.joined ?? undefined;
  return joined === undefined ? undefined : Math.max(through, joined);
}

function* look(userId: number, place: ReadPlace): Operation<Advance> {
  const advance = new Advance();
  let after = yield* findStart(userId, place);
  const [column, placeId] =
    place.topicId === 0 ? ['recipient_id', place.recipientId] : ['topic_id', place.topicId];
  for (let window = 0; window < MAX_WINDOWS && after !== undefined; window++) {
    const rows: readonly Row[] = yield* list<Row>(NEXT(column), { userId, placeId, after });
    if (!rows.every((row) => advance.pass(row))) break;
    after = rows.length < WINDOW ? undefined : rows.at(-1)?.id;
  }
  return advance;
}

/**
 * Step: moves the account's mark in a place over what it has read, which says of no message anything else than
 * before. The work is bounded, and pays for itself by the exceptions that it removes.
 */
export function* compact(userId: number, place: ReadPlace): Operation<void> {
  const { through, overtaken, leftBehind } = yield* look(userId, place);
  if (through === 0) return;
  for (const id of leftBehind) yield* run(PUT_EXCEPTION, { userId, id, isRead: 0 });
  yield* run(PUT_MARK, { userId, ...place, through });
  for (const id of overtaken) yield* run(DELETE_EXCEPTION, { userId, id });
  if (place.topicId === 0) {
    yield* run(DELETE_TOPIC_MARKS, { userId, recipientId: place.recipientId, through });
  }
}
