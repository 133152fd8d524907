/** The audit log: written with what it tells of, read by administrators, ended by age alone (API decisions 15.9). */
import type { AuditType } from '#shared/api/models/audit.ts';
import {
  findOne,
  list,
  type NewEntry,
  type Operation,
  record,
  run,
  type Value,
} from '#service/db/operation.ts';

export interface AuditRow {
  readonly id: number;
  readonly type: AuditType;
  /** UNIX seconds. */
  readonly at: number;
  readonly actor_id: number | null;
  readonly address: string;
  readonly client: string;
  readonly user_id: number | null;
  readonly stream_id: number | null;
  readonly count: number;
  /** JSON. */
  readonly details: string;
}

/** Which entries; what is undefined leaves none out. */
export interface AuditFilter {
  readonly types?: readonly AuditType[] | undefined;
  /** Who did it, or to whom it was done. */
  readonly userId?: number | undefined;
  /** UNIX seconds, inclusive. */
  readonly since?: number | undefined;
  /** UNIX seconds, exclusive. */
  readonly until?: number | undefined;
  /** Only smaller ids. */
  readonly before?: number | undefined;
}

const COLUMNS = 'id, type, at, actor_id, address, client, user_id, stream_id, count, details';

function whereOf({ types, userId, since, until, before }: AuditFilter) {
  const values: Record<string, Value> = {};
  const terms: string[] = [];
  const add = (term: string, name: string, value: Value | undefined): void => {
    if (value === undefined) return;
    terms.push(term);
    values[name] = value;
  };
  add('id < :before', 'before', before);
  add('(actor_id = :userId OR user_id = :userId)', 'userId', userId);
  add('at >= :since', 'since', since);
  add('at < :until', 'until', until);
  if (types !== undefined) {
    const names = types.map((type, index) => {
      values[`type${String(index)}`] = type;
      return `:type${String(index)}`;
    });
    terms.push(`type IN (${names.join(', ')})`);
  }
  return { sql: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}

const MINUTE = 60;
const DAY = 86_400;
/** How many failures have an entry of their own: what comes beyond them is counted in one that names nobody. */
const MAX_PER_MINUTE = 60;
const MAX_PER_DAY = 5000;

const FIND_FAILURE = `SELECT id FROM audit_entry WHERE type = :type AND at > :after AND address = :address
    AND COALESCE(user_id, 0) = :userId AND COALESCE(actor_id, 0) = :actorId
  ORDER BY id DESC LIMIT 1`;
const COUNT_SINCE = 'SELECT COUNT(*) AS count FROM audit_entry WHERE type = :type AND at > :after';
const COUNT_UP = 'UPDATE audit_entry SET count = count + 1 WHERE id = :id';
const DELETE_OLD = `DELETE FROM audit_entry
  WHERE id IN (SELECT id FROM audit_entry WHERE at < :before ORDER BY at LIMIT :count)`;

/** Step: counts a failure in the entry that its account and address have within the minute. */
function* countUp(failure: NewEntry): Operation<boolean> {
  const { entry: type, at, address, userId, actorId } = failure;
  const known = yield* findOne<{ id: number }>(FIND_FAILURE, {
    type,
    after: at - MINUTE,
    address,
    userId: userId ?? 0,
    actorId: actorId ?? 0,
  });
  if (known === undefined) return false;
  yield* run(COUNT_UP, { id: known.id });
  return true;
}

function* countSince(type: AuditType, after: number): Operation<number> {
  return (yield* findOne<{ count: number }>(COUNT_SINCE, { type, after }))?.count ?? 0;
}

export const auditReads = {
  /** The newest first. */
  *listAuditEntries(filter: AuditFilter, limit: number): Operation<readonly AuditRow[]> {
    const { sql, values } = whereOf(filter);
    return yield* list<AuditRow>(
      `SELECT ${COLUMNS} FROM audit_entry ${sql} ORDER BY id DESC LIMIT :limit`,
      { ...values, limit },
    );
  },
};

export const auditWrites = {
  /** What has no change of its own to be written with. */
  *addAuditEntry(entry: NewEntry): Operation<void> {
    yield* record(entry);
  },
  /**
   * Writes that somebody failed to sign in. What the same account and address failed within the minute is counted in
   * one entry, and so is what comes from so many that it would fill the disk.
   */
  *addFailure(failure: NewEntry): Operation<void> {
    const { entry: type, at } = failure;
    if (yield* countUp(failure)) return;
    const isFlood =
      (yield* countSince(type, at - MINUTE)) >= MAX_PER_MINUTE ||
      (yield* countSince(type, at - DAY)) >= MAX_PER_DAY;
    if (!isFlood) {
      yield* record(failure);
      return;
    }
    const anybody = { address: '', client: '', actorId: null, userId: null, details: {} };
    const many: NewEntry = { ...failure, ...anybody };
    if (!(yield* countUp(many))) yield* record(many);
  },
  /** Ends entries that are older, the oldest first; answers how many. @param before  UNIX seconds */
  *trimAuditLog(before: number, count: number): Operation<number> {
    return yield* run(DELETE_OLD, { before, count });
  },
};
