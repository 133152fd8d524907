/** Flags that an account sets on messages one by one (API decisions 7.1). */
import { keepHistorical } from './historical-flags.ts';
import { findOne, list, type Operation, run, type Values } from '#service/db/operation.ts';
import { compact, DELETE_EXCEPTION, PUT_EXCEPTION } from './read-compaction.ts';
import { type MayUse, recordFlags } from './read-marks.ts';
import { HELD, HISTORICAL, MARKED_READ, READ } from './narrow-sql.ts';
import { streamReads, type StreamRow } from '#service/features/streams/queries/streams.ts';

export type SettableFlag = 'read' | 'starred' | 'collapsed';

export interface FlagChange {
  readonly userId: number;
  readonly messageIds: readonly number[];
  readonly op: 'add' | 'remove';
  readonly flag: SettableFlag;
}

interface Row {
  readonly id: number;
  readonly recipient_id: number;
  readonly topic_id: number | null;
  readonly is_held: 0 | 1;
  readonly is_historical: 0 | 1;
  /** By the sender and the marks alone. */
  readonly is_marked: 0 | 1;
  readonly is_read: 0 | 1;
  readonly is_set: 0 | 1;
}

const AT_ONCE = 100;
const MAX_COMPACTED_TOPICS = 20;

const names = Array.from({ length: AT_ONCE }, (_, index) => `i${String(index)}`);
const FIND = `SELECT m.id, m.recipient_id, m.topic_id, ${HELD} AS is_held, ${HISTORICAL} AS is_historical,
    ${MARKED_READ} AS is_marked, ${READ} AS is_read,
    EXISTS (SELECT 1 FROM message_flag g WHERE g.account_id = :userId AND g.message_id = m.id
      AND g.flag = :flag) AS is_set
  FROM message m WHERE m.id IN (${names.map((name) => `:${name}`).join(', ')}) ORDER BY m.id`;
const PUT_FLAG = `INSERT INTO message_flag (account_id, message_id, flag)
  VALUES (:userId, :id, :flag) ON CONFLICT DO NOTHING`;
const DELETE_FLAG = `DELETE FROM message_flag
  WHERE account_id = :userId AND message_id = :id AND flag = :flag`;
const FIND_STREAM = 'SELECT id FROM stream WHERE recipient_id = :recipientId';
const HAS_EXCEPTION = `SELECT 1 FROM read_exception WHERE account_id = :userId AND message_id = :id`;

function* findRows(change: FlagChange): Operation<readonly Row[]> {
  const { userId, flag } = change;
  const ids = [...new Set(change.messageIds)].sort((a, b) => a - b);
  const rows: Row[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const values: Record<string, Values[string]> = { userId, flag };
    names.forEach((name, index) => (values[name] = ids[start + index] ?? 0));
    rows.push(...(yield* list<Row>(FIND, values)));
  }
  return rows;
}

/** An exception stands only where the marks say something else. */
function* setRead(
  userId: number,
  { id, is_marked: isMarked }: Row,
  isRead: 0 | 1,
): Operation<void> {
  if (isMarked === isRead) yield* run(DELETE_EXCEPTION, { userId, id });
  else yield* run(PUT_EXCEPTION, { userId, id, isRead });
}

/** Whether history is open to the account, asked once for each stream. */
function openness(userId: number, mayRead: MayUse): (recipientId: number) => Operation<boolean> {
  const known = new Map<number, boolean>();
  return function* (recipientId) {
    const answer = known.get(recipientId);
    if (answer !== undefined) return answer;
    const found = yield* findOne<{ id: number }>(FIND_STREAM, { recipientId });
    const stream: StreamRow | undefined =
      found === undefined ? undefined : yield* streamReads.findStream(found.id);
    const isOpen =
      stream?.is_archived === 0 &&
      mayRead(stream, yield* streamReads.isMember(recipientId, userId));
    known.set(recipientId, isOpen);
    return isOpen;
  };
}

function* changeRead({ userId, op }: FlagChange, row: Row): Operation<boolean> {
  const isRead = op === 'add' ? 1 : 0;
  // History that was never delivered stays read.
  if (row.is_held === 0 || row.is_read === isRead) return false;
  yield* setRead(userId, row, isRead);
  return true;
}

function* changeFlag(
  { userId, op, flag }: FlagChange,
  row: Row,
  isOpen: (recipientId: number) => Operation<boolean>,
): Operation<boolean> {
  if (row.is_set === (op === 'add' ? 1 : 0)) return false;
  if (row.is_held === 0 && row.is_historical === 0) {
    if (op === 'remove' || flag !== 'starred' || !(yield* isOpen(row.recipient_id))) return false;
    yield* keepHistorical(userId, row.id);
  }
  yield* run(op === 'add' ? PUT_FLAG : DELETE_FLAG, { userId, id: row.id, flag });
  return true;
}

function* compactAround(userId: number, rows: readonly Row[]): Operation<void> {
  for (const recipientId of new Set(rows.map((row) => row.recipient_id))) {
    yield* compact(userId, { recipientId, topicId: 0 });
  }
  const topics = new Map<number, Row>();
  for (const row of rows) if (row.topic_id !== null) topics.set(row.topic_id, row);
  for (const [topicId, row] of [...topics].slice(-MAX_COMPACTED_TOPICS)) {
    if ((yield* findOne(HAS_EXCEPTION, { userId, id: row.id })) === undefined) continue;
    yield* compact(userId, { recipientId: row.recipient_id, topicId });
  }
}

export const flagWrites = {
  /**
   * Adds or removes a flag and announces the messages that it changed. Messages that the account may not see are
   * passed over; starring one that it may read but does not hold makes a historical copy.
   * @param mayRead  whether messages of a stream may be read that the account does not hold
   */
  *changeFlags(change: FlagChange, mayRead: MayUse): Operation<void> {
    const isOpen = openness(change.userId, mayRead);
    const changed: Row[] = [];
    for (const row of yield* findRows(change)) {
      const isChanged =
        change.flag === 'read'
          ? yield* changeRead(change, row)
          : yield* changeFlag(change, row, isOpen);
      if (isChanged) changed.push(row);
    }
    if (changed.length === 0) return;
    const { userId, op, flag } = change;
    if (flag === 'read' && op === 'add') yield* compactAround(userId, changed);
    yield* recordFlags([userId], { op, flag, messageIds: changed.map((row) => row.id) });
  },
};
