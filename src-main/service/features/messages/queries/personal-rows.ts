/** What is read of messages: as they are, and as one account sees them. */
import {
  findOne,
  cached,
  cachedMessages,
  type CachedRows,
  list,
  listColumn,
  type Operation,
  type Values,
} from '#service/db/operation.ts';
import {
  COLUMNS,
  FROM,
  type PersonalMessageRow,
  seen,
  SEEN_COLUMNS,
  SEEN_TOPIC,
} from './message-rows.ts';
import { userMessageStateOf, type PlacedRow } from './personal-state.ts';
import { HELD, HISTORICAL } from '#service/features/reading/queries/narrow-sql.ts';

/** Whether the account sees any message otherwise than it is now. */
export const ANY_REVISION = `SELECT 1 FROM kept_version
  WHERE account_id = :userId AND edit_id IS NOT NULL LIMIT 1`;
const JOIN_REVISION = 'LEFT JOIN kept_version v ON v.account_id = :userId AND v.message_id = m.id';
/** As `TOPICS`, for an account that sees messages of the stream as they were. */
export const SEEN_TOPICS = `SELECT ${seen('prev_topic_id', 'm.topic_id')} AS id, MAX(m.id) AS max_id
  FROM message m ${JOIN_REVISION} WHERE m.recipient_id = :recipientId AND (${HELD} OR ${HISTORICAL})
  GROUP BY 1 ORDER BY max_id DESC`;
export const SEEN_TOPIC_NAME = `SELECT ${SEEN_TOPIC} AS name FROM message m
  JOIN topic t ON t.id = m.topic_id ${JOIN_REVISION} WHERE m.id = :id`;
/** In the place of what is the account's own (`withUserState`). */
const UNKNOWN_OWN = '0 AS is_held, 0 AS is_read, NULL AS flags';
/** Selects what the account `:userId` sees of `message m`. */
export const PERSONAL = `SELECT ${SEEN_COLUMNS}, m.topic_id, ${UNKNOWN_OWN} ${FROM}
  ${JOIN_REVISION}
  LEFT JOIN lost_access la ON la.account_id = :userId AND la.recipient_id = m.recipient_id`;
/** The same for an account that sees every message as it is now, in half the time. */
const PRESENT = `SELECT ${COLUMNS}, m.topic_id, NULL AS kept_edit_id, 0 AS is_lost, ${UNKNOWN_OWN} ${FROM}`;
const SEES_FORMER = `SELECT EXISTS (SELECT 1 FROM lost_access WHERE account_id = :userId)
  OR EXISTS (SELECT 1 FROM kept_version WHERE account_id = :userId AND edit_id IS NOT NULL) AS sees`;

const IDS = 'SELECT m.id FROM message m';
const BY_IDS = `${PRESENT} WHERE m.id IN (SELECT value FROM json_each(:ids))`;
/** Of more rows than this at once hardly any is asked for again soon. */
export const MAX_CACHED_ROWS = 128;

export interface SelectedRow {
  readonly id: number;
}

/** How rows of `PersonalMessageRow` are read for an account. */
export interface PersonalRead {
  readonly userId: number;
  /** What selects them, or a part of them, from `message m`. */
  readonly select: string;
  /** Where it selects ids alone: messages that are kept, of which those ids are that have one. */
  readonly known: CachedRows<PresentRow> | undefined;
}

/** A row of which what is the account's own is not known yet. */
type PresentRow = PersonalMessageRow & PlacedRow;

/** Step: what is the account's own of rows that have everything else. */
export function* withUserState(
  userId: number,
  rows: readonly SelectedRow[],
): Operation<readonly PersonalMessageRow[]> {
  const present = rows as readonly PresentRow[];
  if (present.length === 0) return present;
  const ownOf = yield* userMessageStateOf(userId, present);
  return present.map((row) => ({ ...row, ...ownOf(row) }));
}

/** Step: messages as everybody sees them, kept from now on; ids that no message has are left out. */
function* presentRows(
  rows: readonly SelectedRow[],
  known: CachedRows<PresentRow>,
): Operation<readonly PresentRow[]> {
  const lacking = rows.filter(({ id }) => known.get(id) === undefined);
  const read = new Map<number, PresentRow>();
  if (lacking.length > 0) {
    const ids = JSON.stringify(lacking.map(({ id }) => id));
    for (const row of yield* list<PresentRow>(BY_IDS, { ids })) read.set(row.id, row);
  }
  const present: PresentRow[] = [];
  for (const { id } of rows) {
    const row = known.get(id) ?? read.get(id);
    if (row !== undefined) present.push(row);
  }
  for (const row of read.values()) known.put(row);
  return present;
}

/** Step: makes what was selected whole, in the same order. */
export function* completePersonal(
  { userId, known }: PersonalRead,
  rows: readonly SelectedRow[],
): Operation<readonly PersonalMessageRow[]> {
  if (known === undefined) return yield* withUserState(userId, rows);
  if (rows.length === 0) return [];
  const present = yield* presentRows(rows, known);
  const ownOf = yield* userMessageStateOf(userId, present);
  return present.map((shared) => {
    const own = ownOf(shared);
    // Spreading `own` as well would take three times as long.
    return {
      ...shared,
      is_held: own.is_held,
      is_read: own.is_read,
      flags: own.flags,
      shared,
    };
  });
}

/** Step: selects rows, or parts of them. @param rest  of the statement, from `WHERE` on */
export function* selectPersonal(
  { select, known }: PersonalRead,
  rest: string,
  values: Values,
): Operation<readonly SelectedRow[]> {
  const sql = `${select} ${rest}`;
  if (known === undefined) return yield* list<SelectedRow>(sql, values);
  return (yield* listColumn<number>(sql, values)).map((id) => ({ id }));
}

/**
 * Step: how an account's rows are read.
 * @param isKept  whether somebody is likely to ask for the same messages soon
 */
export function* personalFor(userId: number, isKept: boolean): Operation<PersonalRead> {
  const former = yield* cached('directory', `former ${String(userId)}`, () =>
    findOne<{ sees: 0 | 1 }>(SEES_FORMER, { userId }),
  );
  if (former?.sees === 1) return { userId, select: PERSONAL, known: undefined };
  const known = isKept ? yield* cachedMessages<PresentRow>() : undefined;
  return { userId, select: known === undefined ? PRESENT : IDS, known };
}
