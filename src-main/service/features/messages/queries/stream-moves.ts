/** Moving messages to another stream: who keeps, loses or gets them. */
import { hideArrivals, listLostIds } from '#service/features/streams/queries/access.ts';
import { list, listColumn, type Operation, pause, run } from '#service/db/operation.ts';
import { DELETE_EXCEPTION } from '#service/features/reading/queries/read-compaction.ts';
import { countSent } from '#service/features/streams/queries/traffic.ts';
import {
  bothOf,
  type Holders,
  membersOf,
  type OwnRow,
  type HeldParts,
  partsOf,
  partsOfRows,
  withoutAccounts,
} from './move-holders.ts';
import { listOver, runOver } from './move-slices.ts';
import {
  keepBetweenStreams,
  type MovePlaces,
  type ReadThrough,
  readThrough,
} from './moved-read-state.ts';
import {
  behind,
  common,
  covers,
  indexAbove,
  indexOf,
  type Stretch,
  united,
  without,
} from './id-ranges.ts';

/** Which messages of a topic go where. */
export interface MoveRange {
  readonly fromTopicId: number;
  readonly toTopicId: number;
  readonly topic: string;
  readonly firstId: number;
  readonly lastId: number;
}

export interface Move {
  /** From the first to the last one that is moved. */
  readonly range: MoveRange;
  readonly places: MovePlaces;
  /** What is moved, ascending; never empty. */
  readonly ids: readonly number[];
  readonly isOtherStream: boolean;
  /** Accounts that lost access to the source. */
  readonly formerIds: ReadonlySet<number>;
  /** Of the source. */
  readonly members: Holders;
}

/** Whom a move concerns. */
export interface StreamChange {
  readonly before: Holders;
  readonly after: Holders;
  /** Accounts that may not read the target. */
  readonly barredIds: ReadonlySet<number>;
  /** Messages that were unread and are read now, by account, ascending; one list for many where it is the same. */
  readonly readNow: ReadonlyMap<number, readonly number[]>;
}

export const OLD_TOPIC = `COALESCE(m.topic_name, (SELECT t.name FROM topic t WHERE t.id = m.topic_id))`;
/** What is moved: of the topic only what is not there already, spelled like that. */
export const MOVED = `m.topic_id = :fromTopicId AND m.id >= :firstId AND m.id <= :lastId
  AND (m.topic_id <> :toTopicId OR ${OLD_TOPIC} <> :topic)`;
const FLAGS = `SELECT f.account_id, f.message_id, f.flag = 'historical' AS is_copy FROM message m
  CROSS JOIN message_flag f ON f.message_id = m.id WHERE ${MOVED}`;
const EXCEPTIONS = `SELECT e.account_id, e.message_id, e.is_read FROM message m
  CROSS JOIN read_exception e ON e.message_id = m.id WHERE ${MOVED}`;
const VERSIONS = `SELECT account_id, message_id, edit_id IS NULL AS is_hidden FROM kept_version
  WHERE message_id >= :firstId AND message_id <= :lastId`;
const SENDERS = `SELECT m.sender_id AS id FROM message m WHERE ${MOVED} ORDER BY m.id`;
const FORGET_VERSIONS = `DELETE FROM kept_version
  WHERE message_id IN (SELECT m.id FROM message m WHERE ${MOVED})`;
const HIDE_ARRIVALS = hideArrivals(MOVED);
/** Whether the account may read what stands in the target: members a public stream, others as subscribers. */
export const hasAccess = (account: string): string => `(EXISTS (SELECT 1 FROM membership n
    WHERE n.recipient_id = :toRecipientId AND n.account_id = ${account} AND n.until_id IS NULL)
  OR EXISTS (SELECT 1 FROM account c JOIN stream s ON s.recipient_id = :toRecipientId
    WHERE c.id = ${account} AND c.role <> 'guest' AND s.is_private = 0))`;
const LIST_BARRED = `SELECT b.id FROM account b WHERE NOT ${hasAccess('b.id')}`;
const FORGET_FLAGS = 'DELETE FROM message_flag WHERE account_id = :userId AND message_id = :id';
const FORGET_COPY = `${FORGET_FLAGS} AND flag = 'historical'`;
const KEEP_COPIES = `INSERT INTO message_flag (account_id, message_id, flag)
  SELECT :userId, m.id, 'historical' FROM message m WHERE ${MOVED} ON CONFLICT DO NOTHING`;

interface FlagRow extends OwnRow {
  readonly is_copy: 0 | 1;
}

interface ExceptionRow extends OwnRow {
  readonly is_read: 0 | 1;
}

interface VersionRow extends OwnRow {
  readonly is_hidden: 0 | 1;
}

/** What says which messages are unread by an account. */
interface UnreadFacts {
  /** Through which message its marks go where the messages are. */
  readonly here: number;
  readonly exceptions: readonly ExceptionRow[];
  /** Where the messages are that it sent, ascending. */
  readonly own: readonly number[];
}

/** What is there before anything is changed. */
interface MoveSituation {
  /** Of the target. */
  readonly there: Holders;
  readonly barredIds: ReadonlySet<number>;
  /** Accounts that lost access to the target. */
  readonly lostIds: ReadonlySet<number>;
  readonly flags: readonly FlagRow[];
  readonly exceptions: readonly ExceptionRow[];
  readonly versions: readonly VersionRow[];
  /** What came to where an account had been after it had lost access: it is held by its id alone. */
  readonly hidden: HeldParts;
  /** What each account held in the source, and was shown. */
  readonly known: HeldParts;
  readonly through: ReadonlyMap<number, ReadThrough>;
}

function* look({ range, ids, places, members }: Move): Operation<MoveSituation> {
  const { toRecipientId } = places;
  const values = { ...range };
  const { firstId, lastId } = range;
  const versions = yield* list<VersionRow>(VERSIONS, { firstId, lastId });
  const isHidden = versions.filter((row) => row.is_hidden === 1);
  const hidden = partsOfRows(ids, isHidden);
  const known = [...members.held].map(
    ([userId, own]) => [userId, without(own, partsOf(hidden, userId))] as const,
  );
  return {
    there: yield* membersOf(toRecipientId, ids),
    barredIds: new Set(yield* listColumn<number>(LIST_BARRED, { toRecipientId })),
    lostIds: yield* listLostIds(toRecipientId),
    flags: yield* listOver<FlagRow>(ids, FLAGS, values),
    exceptions: yield* listOver<ExceptionRow>(ids, EXCEPTIONS, values),
    versions,
    hidden,
    known: new Map(known),
    through: yield* readThrough(places),
  };
}

/** What those who keep access held, and will not hold as members of the target. */
function leftOver({ known, there, barredIds }: MoveSituation): HeldParts {
  const left = [...known].map(
    ([userId, own]) => [userId, without(own, partsOf(there.held, userId))] as const,
  );
  return new Map(left.filter(([userId, own]) => !barredIds.has(userId) && own.length > 0));
}

/** What of the stretches is unread by an account, ascending. */
function unreadIn(
  ids: readonly number[],
  stretches: readonly Stretch[],
  { here, exceptions, own }: UnreadFacts,
): readonly number[] {
  const excepted = exceptions.map((row) => [indexOf(ids, row.message_id) ?? -1, row] as const);
  const known = [...own, ...excepted.map(([index]) => index)];
  const unmarked = without(
    behind(stretches, indexAbove(ids, here)),
    united(known.map((index) => [index, index + 1])),
  );
  const unread = unmarked.flatMap(([from, until]) => ids.slice(from, until));
  for (const [index, { message_id: id, is_read: isRead }] of excepted) {
    if (isRead === 0 && covers(stretches, index)) unread.push(id);
  }
  return excepted.length === 0 ? unread : unread.sort((a, b) => a - b);
}

/** Who keeps access but was no member of the target at the time gets a copy, which is history, and so read. */
function* listReadNow(
  { range, ids }: Move,
  { exceptions, through }: MoveSituation,
  left: HeldParts,
): Operation<ReadonlyMap<number, readonly number[]>> {
  if (left.size === 0) return new Map();
  const senders = yield* listOver<{ id: number }>(ids, SENDERS, { ...range });
  const positions = senders.map(({ id }, index) => [id, index] as const);
  const ownBy = Map.groupBy(positions, ([senderId]) => senderId);
  const exceptionsBy = Map.groupBy(exceptions, (row) => row.account_id);
  const readNow = new Map<number, readonly number[]>();
  const known = new Map<string, readonly number[]>();
  for (const [userId, stretches] of left) {
    yield* pause();
    const here = through.get(userId)?.here ?? 0;
    const exceptions = exceptionsBy.get(userId) ?? [];
    const own = ownBy.get(userId)?.map(([, index]) => index) ?? [];
    const isPlain = exceptions.length === 0 && own.length === 0;
    const key = isPlain ? `${String(here)} ${stretches.join()}` : `of ${String(userId)}`;
    const unread = known.get(key) ?? unreadIn(ids, stretches, { here, exceptions, own });
    known.set(key, unread);
    if (unread.length > 0) readNow.set(userId, unread);
  }
  return readNow;
}

/** Who follows the target loses nothing; others keep what they have flagged. */
function* keepCopies(
  { range, ids }: Move,
  { there, flags }: MoveSituation,
  left: HeldParts,
): Operation<HeldParts> {
  const followers = new Set(there.memberIds);
  const flagged = partsOfRows(ids, flags);
  const copies = new Map<number, readonly Stretch[]>();
  for (const [userId, own] of left) {
    const kept = followers.has(userId) ? own : common(own, partsOf(flagged, userId));
    yield* runOver(ids, kept, [{ sql: KEEP_COPIES, values: { ...range, userId } }]);
    if (kept.length > 0) copies.set(userId, kept);
  }
  return copies;
}

/** Who was a member of the target at the time no longer needs a copy, and whoever is barred from it keeps nothing. */
function* forgetFlags(
  ids: readonly number[],
  { flags, barredIds, there }: MoveSituation,
): Operation<void> {
  for (const { account_id: userId, message_id: id, is_copy: isCopy } of flags) {
    yield* pause();
    const isHeld = (): boolean => covers(partsOf(there.held, userId), indexOf(ids, id) ?? -1);
    if (barredIds.has(userId)) yield* run(FORGET_FLAGS, { userId, id });
    else if (isCopy === 1 && isHeld()) yield* run(FORGET_COPY, { userId, id });
  }
}

function* keepReadState(
  { ids, places }: Move,
  { there, lostIds, known, hidden, exceptions, through }: MoveSituation,
): Operation<void> {
  const { held } = withoutAccounts(there, lostIds);
  for (const { account_id: userId, message_id: id } of exceptions) {
    yield* pause();
    const index = indexOf(ids, id) ?? -1;
    const isHidden = covers(partsOf(hidden, userId), index);
    if (isHidden || !covers(partsOf(held, userId), index))
      yield* run(DELETE_EXCEPTION, { userId, id });
  }
  yield* keepBetweenStreams(places, { known, held }, through);
}

/** Step, before the rows of the messages are moved to another stream. */
export function* changeStream(move: Move): Operation<StreamChange> {
  const { range, ids, places, members } = move;
  yield* countSent();
  const standing = yield* look(move);
  const { there, barredIds, lostIds, flags, versions } = standing;
  const left = leftOver(standing);
  const readNow = yield* listReadNow(move, standing, left);
  yield* forgetFlags(ids, standing);
  const kept = yield* keepCopies(move, standing, left);
  yield* keepReadState(move, standing);
  const all: readonly Stretch[] = [[0, ids.length]];
  if (versions.length > 0)
    yield* runOver(ids, all, [{ sql: FORGET_VERSIONS, values: { ...range } }]);
  const { toRecipientId } = places;
  if (lostIds.size > 0) {
    yield* runOver(ids, all, [{ sql: HIDE_ARRIVALS, values: { ...range, toRecipientId } }]);
  }
  const copies = flags.filter((row) => row.is_copy === 1);
  const stayed = copies.filter((row) => !barredIds.has(row.account_id));
  const held = bothOf(bothOf(there.held, partsOfRows(ids, stayed)), kept);
  return {
    before: { ...members, held: bothOf(members.held, partsOfRows(ids, copies)) },
    after: withoutAccounts({ ...there, held }, lostIds),
    barredIds,
    readNow,
  };
}
