/** What of messages is an account's own, of many at once: a few reads where each message would need some of its own. */
import { list, type Operation } from '../operation.ts';
import type { PersonalMessageRow } from './message-rows.ts';

/** What decides it beside the account. */
export interface PlacedRow {
  readonly id: number;
  readonly recipient_id: number;
  readonly topic_id: number | null;
  readonly sender_id: number;
}

export type OwnColumns = Pick<PersonalMessageRow, 'is_held' | 'is_read' | 'flags'>;

const MEMBERSHIPS = `SELECT recipient_id, from_id, until_id FROM membership
  WHERE account_id = :userId AND recipient_id IN (SELECT value FROM json_each(:recipients))`;
/** Of everything and of whole places. */
const WIDE_MARKS = `SELECT recipient_id, through_id FROM read_mark
  WHERE account_id = :userId AND recipient_id IN (SELECT value FROM json_each(:recipients)) AND topic_id = 0`;
const TOPIC_MARKS = `SELECT r.topic_id, r.through_id FROM json_each(:topics) p
  CROSS JOIN read_mark r ON r.account_id = :userId AND r.recipient_id = p.value ->> 0 AND r.topic_id = p.value ->> 1`;
const EXCEPTIONS = 'SELECT message_id, is_read FROM read_exception WHERE account_id = :userId';
const FLAGS = 'SELECT message_id, flag FROM message_flag WHERE account_id = :userId';
const HIDDEN = 'SELECT message_id FROM kept_version WHERE account_id = :userId AND edit_id IS NULL';

interface OfMessage {
  readonly message_id: number;
}

/**
 * Step: rows of the account about some messages, among others. What is between the first and the last of them is read at once
 * where that is little, as nearly always.
 */
function* listAbout<Row extends OfMessage>(
  sql: string,
  userId: number,
  ids: readonly number[],
): Operation<readonly Row[]> {
  const limit = 100 + 2 * ids.length;
  const between = { low: Math.min(...ids), high: Math.max(...ids), limit };
  const near = yield* list<Row>(
    `${sql} AND message_id BETWEEN :low AND :high ORDER BY message_id LIMIT :limit`,
    { userId, ...between },
  );
  if (near.length < limit) return near;
  return yield* list<Row>(`${sql} AND message_id IN (SELECT value FROM json_each(:ids))`, {
    userId,
    ids: JSON.stringify(ids),
  });
}

interface Membership {
  readonly recipient_id: number;
  readonly from_id: number;
  readonly until_id: number | null;
}

type IsHeld = (row: PlacedRow) => boolean;

/** Step: whether the account was there when it came (architecture 5), as `HELD` says it in SQL. */
function* holding(userId: number, ids: readonly number[], recipients: string): Operation<IsHeld> {
  const memberships = yield* list<Membership>(MEMBERSHIPS, { userId, recipients });
  const hasEnded = memberships.some((each) => each.until_id !== null);
  const hidden = hasEnded ? yield* listAbout<OfMessage>(HIDDEN, userId, ids) : [];
  const hiddenIds = new Set(hidden.map((each) => each.message_id));
  return ({ id, recipient_id: recipientId }) =>
    memberships.some(
      (each) =>
        each.recipient_id === recipientId &&
        each.from_id < id &&
        (each.until_id === null || (id <= each.until_id && !hiddenIds.has(id))),
    );
}

type ThroughId = (row: PlacedRow) => number;

/** Step: through which message the account has read where a message stands, as `MARKED_READ` says it in SQL. */
function* marking(
  userId: number,
  rows: readonly PlacedRow[],
  recipients: string,
): Operation<ThroughId> {
  const wide = new Map<number, number>();
  for (const mark of yield* list<{ recipient_id: number; through_id: number }>(WIDE_MARKS, {
    userId,
    recipients,
  })) {
    wide.set(mark.recipient_id, mark.through_id);
  }
  const wideOf = ({ recipient_id: recipientId }: PlacedRow): number =>
    Math.max(wide.get(0) ?? 0, wide.get(recipientId) ?? 0);
  const topics = new Map<number, number>();
  for (const row of rows) {
    if (row.topic_id !== null && wideOf(row) < row.id) topics.set(row.topic_id, row.recipient_id);
  }
  if (topics.size === 0) return wideOf;
  const places = JSON.stringify(Array.from(topics, ([topic, recipient]) => [recipient, topic]));
  const narrow = new Map<number, number>();
  for (const mark of yield* list<{ topic_id: number; through_id: number }>(TOPIC_MARKS, {
    userId,
    topics: places,
  })) {
    narrow.set(mark.topic_id, mark.through_id);
  }
  return (row) => Math.max(wideOf(row), narrow.get(row.topic_id ?? 0) ?? 0);
}

/** Step: what is the account's own of each of some messages, where they stand now. */
export function* ownColumnsOf(
  userId: number,
  rows: readonly PlacedRow[],
): Operation<(row: PlacedRow) => OwnColumns> {
  const ids = rows.map(({ id }) => id);
  const recipients = JSON.stringify([0, ...new Set(rows.map((row) => row.recipient_id))]);
  const isMember = yield* holding(userId, ids, recipients);
  const throughOf = yield* marking(userId, rows, recipients);
  const exceptions = new Map<number, 0 | 1>();
  for (const each of yield* listAbout<OfMessage & { readonly is_read: 0 | 1 }>(
    EXCEPTIONS,
    userId,
    ids,
  )) {
    exceptions.set(each.message_id, each.is_read);
  }
  const flags = new Map<number, string>();
  const historical = new Set<number>();
  for (const { message_id: id, flag } of yield* listAbout<OfMessage & { readonly flag: string }>(
    FLAGS,
    userId,
    ids,
  )) {
    const others = flags.get(id);
    flags.set(id, others === undefined ? flag : `${others} ${flag}`);
    if (flag === 'historical') historical.add(id);
  }
  return (row) => {
    const { id } = row;
    const isHeld = isMember(row);
    const exception = exceptions.get(id);
    const isMarked = row.sender_id === userId || throughOf(row) >= id;
    const isRead = (exception === undefined ? isMarked : exception === 1) || !isHeld;
    return {
      is_held: isHeld || historical.has(id) ? 1 : 0,
      is_read: isRead ? 1 : 0,
      flags: flags.get(id) ?? null,
    };
  };
}
