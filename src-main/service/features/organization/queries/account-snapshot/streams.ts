/** Streams and memberships of the account snapshot. */
import { findOne, list, type Operation, run } from '#service/db/operation.ts';
import { settleStream } from '#service/features/streams/queries/access.ts';
import { streamChangeWrites } from '#service/features/streams/queries/stream-changes.ts';
import { STREAM_COLUMNS, type StreamRow } from '#service/features/streams/queries/streams.ts';

type StreamPolicyColumns = Pick<
  StreamRow,
  'id' | 'is_private' | 'is_history_public' | 'is_announcement_only' | 'is_archived'
>;

export interface StreamSnapshot extends StreamPolicyColumns, Pick<StreamRow, 'is_history_sealed'> {
  /** UNIX seconds; null while it is not archived, and where nobody wrote it down. */
  readonly archived_at: number | null;
}

/** Who is in private streams, and guests in any: all that is needed to end the memberships of a copy that ended since. */
export interface StreamsSnapshot {
  readonly all: readonly StreamSnapshot[];
  /** The id of a membership that ended, and the last message of it. */
  readonly ended: readonly (readonly [id: number, untilId: number])[];
  /** Memberships of those who came back after one that ended. */
  readonly rejoined: readonly (readonly [recipientId: number, accountId: number, fromId: number])[];
  /** Where deactivated accounts will be again when they are reactivated. */
  readonly suspended: readonly (readonly [accountId: number, recipientId: number])[];
}

const LIST_STREAMS = `SELECT id, is_private, is_history_public, is_announcement_only, is_archived,
  is_history_sealed, archived_at FROM stream ORDER BY id`;
const IS_GUARDED = "(s.is_private = 1 OR a.role = 'guest')";
const GUARDED = `membership m JOIN stream s ON s.recipient_id = m.recipient_id
  JOIN account a ON a.id = m.account_id`;
/** Those that ended with the stream, or with the account, come back with it. */
const LIST_ENDED = `SELECT m.id, m.until_id FROM ${GUARDED}
  WHERE ${IS_GUARDED} AND m.until_id IS NOT NULL AND m.is_archived = 0 AND NOT EXISTS (
    SELECT 1 FROM suspended_subscription p
    WHERE p.account_id = m.account_id AND p.recipient_id = m.recipient_id)
  ORDER BY m.id`;
const LIST_REJOINED = `SELECT m.recipient_id, m.account_id, m.from_id FROM ${GUARDED}
  WHERE ${IS_GUARDED} AND m.until_id IS NULL AND EXISTS (
    SELECT 1 FROM membership b WHERE b.account_id = m.account_id AND b.recipient_id = m.recipient_id
      AND b.until_id IS NOT NULL)
  ORDER BY m.id`;
const LIST_SUSPENDED =
  'SELECT account_id, recipient_id FROM suspended_subscription ORDER BY account_id, recipient_id';

const FIND = `SELECT ${STREAM_COLUMNS} FROM stream s WHERE s.id = :id`;
const SEAL = 'UPDATE stream SET is_history_sealed = :isSealed WHERE id = :id';
const STALE = `SELECT m.id, m.recipient_id, json_extract(e.value, '$[1]') AS until_id
  FROM json_each(:ended) e JOIN membership m ON m.id = json_extract(e.value, '$[0]')
  WHERE m.until_id IS NULL OR m.is_archived = 1`;
const END = 'UPDATE membership SET until_id = :untilId, is_archived = 0 WHERE id = :id';
const JOIN = `INSERT INTO membership (recipient_id, account_id, from_id)
  SELECT s.recipient_id, a.id, :fromId FROM stream s JOIN account a ON a.id = :accountId
  WHERE s.recipient_id = :recipientId AND s.is_archived = 0 AND NOT EXISTS (SELECT 1 FROM membership m
    WHERE m.recipient_id = s.recipient_id AND m.account_id = a.id AND m.until_id IS NULL)`;
const END_OTHER_SUSPENDED = `DELETE FROM suspended_subscription WHERE NOT EXISTS (
  SELECT 1 FROM json_each(:suspended) e
  WHERE json_extract(e.value, '$[0]') = account_id AND json_extract(e.value, '$[1]') = recipient_id)`;

interface MembershipRow {
  readonly id: number;
  readonly recipient_id: number;
  readonly account_id: number;
  readonly from_id: number;
  readonly until_id: number;
}

/** Step: as it is now. */
export function* listStreamSnapshots(): Operation<StreamsSnapshot> {
  const ended = yield* list<MembershipRow>(LIST_ENDED);
  const rejoined = yield* list<MembershipRow>(LIST_REJOINED);
  const suspended = yield* list<MembershipRow>(LIST_SUSPENDED);
  return {
    all: yield* list<StreamSnapshot>(LIST_STREAMS),
    ended: ended.map((row) => [row.id, row.until_id]),
    rejoined: rejoined.map((row) => [row.recipient_id, row.account_id, row.from_id]),
    suspended: suspended.map((row) => [row.account_id, row.recipient_id]),
  };
}

/** Step: what decides who reads and writes there is as it was later. What was archived in the copy stays so. */
function* applyStream(later: StreamSnapshot): Operation<void> {
  const { id, is_history_sealed: isSealed } = later;
  const before = yield* findOne<StreamRow>(FIND, { id });
  if (before === undefined) return;
  yield* streamChangeWrites.saveStream(before, { ...before, ...later });
  yield* run(SEAL, { id, isSealed });
  if (later.is_archived === 0 || before.is_archived === 1) return;
  yield* streamChangeWrites.archiveStream(before, later.archived_at ?? 0);
  yield* streamChangeWrites.clearNotificationsStream(id);
}

/** Step: lets streams, and who is in them, be what they were later; streams and people that came later are not here. */
export function* applyStreams({
  all,
  ended,
  rejoined,
  suspended,
}: StreamsSnapshot): Operation<void> {
  const stale = yield* list<MembershipRow>(STALE, { ended: JSON.stringify(ended) });
  for (const { id, until_id: untilId } of stale) yield* run(END, { id, untilId });
  for (const [recipientId, accountId, fromId] of rejoined) {
    yield* run(JOIN, { recipientId, accountId, fromId });
  }
  yield* run(END_OTHER_SUSPENDED, { suspended: JSON.stringify(suspended) });
  for (const stream of all) yield* applyStream(stream);
  for (const recipientId of new Set(stale.map((row) => row.recipient_id))) {
    yield* settleStream(recipientId);
  }
}
