/** What a database of before becomes, before anybody is served from it again. */
import Database from 'better-sqlite3';
import type { Operation } from '../operation.ts';
import type { RestoreGenerationRow } from '#service/features/organization/queries/organization.ts';
import {
  type ChangedText,
  withholdTexts,
} from '#service/features/organization/queries/account-snapshot/texts.ts';
import {
  type AccountSnapshot,
  applyAccountSnapshot,
} from '#service/features/organization/queries/account-snapshot/standing.ts';
import { identify, lock, migrate, openError } from './open.ts';

/** More than were given out between a copy and the restore of it. */
const RAISED_FAR = 100_000_000;
const RAISED = 100_000;
/** Tables with many rows: everything that is written has one. */
const MANY = ['message', 'message_edit', 'reaction', 'audit_entry', 'event'];

export interface DatedAccountSnapshot extends AccountSnapshot {
  /** UNIX seconds. */
  readonly atSeconds: number;
}

export interface Restoration {
  /** @param before  the restore generation of the copy, undefined for an organization that was never restored */
  readonly nextRestoreGeneration: (
    before: RestoreGenerationRow | undefined,
  ) => RestoreGenerationRow;
  /** UNIX seconds. */
  readonly now: number;
  /** UNIX seconds: the moment that the copy shows. */
  readonly backedUpAt: number;
  /** Whether the keys of the copy go on being good. */
  readonly keepsKeys: boolean;
  /** Whether somebody else has the computer of before: the audit log says so. */
  readonly isStolen?: boolean;
  /** The number with which it is opened to others. */
  readonly opensWith: string;
  /** How many files of the copy could not be read. */
  readonly lostFiles: number;
  /** What was closed later, by the restore generation in which that was. */
  readonly accountSnapshots: ReadonlyMap<number, DatedAccountSnapshot>;
  /** Which texts were changed, by the restore generation in which that was. */
  readonly edits?: ReadonlyMap<number, readonly ChangedText[]>;
}

export interface AppliedAccountSnapshot {
  /** UNIX seconds. */
  readonly atSeconds: number;
  /** How many accounts are another thing than in the copy. */
  readonly changedAccounts: number;
}

export interface RestoredDatabase {
  readonly restoreGeneration: RestoreGenerationRow;
  /** Null where nothing later than the copy is known. */
  readonly accountSnapshot: AppliedAccountSnapshot | null;
}

/** What may be missing since a restore. Times are UNIX seconds. */
export interface RestoreReport {
  /** The moment that the copy shows. */
  readonly backedUpAt: number;
  /** Up to when it is known what was closed; null where nothing later than the copy is known. */
  readonly standingAt: number | null;
  /** How many files of the copy could not be read. */
  readonly lostFiles: number;
}

/** Every id that leaves the process comes from a counter that never goes back. */
function raiseIds(db: Database.Database): void {
  const counted = db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'`)
    .pluck()
    .all() as string[];
  const raise = db.prepare('UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?');
  const begin = db.prepare('INSERT INTO sqlite_sequence (seq, name) VALUES (?, ?)');
  for (const name of counted) {
    const by = MANY.includes(name) ? RAISED_FAR : RAISED;
    if (raise.run(by, name).changes === 0) begin.run(by, name);
  }
  db.prepare('UPDATE event_counter SET reserved_through = reserved_through + ?').run(RAISED_FAR);
}

/**
 * What was given out and may have been used since: queues, links, invitations, requests to join, and answers that bots were still to get.
 * Pieces of uploads are in no copy.
 * Pictures get addresses that nobody has kept other pictures of.
 */
const ENDED = `
DELETE FROM queue;
DELETE FROM password_link;
DELETE FROM bot_delivery;
UPDATE realm SET is_deactivated = 0, succeeded_by = NULL WHERE succeeded_by IS NOT NULL;
UPDATE invitation SET status = 'revoked' WHERE status = 'pending';
DELETE FROM join_request;
DELETE FROM unfinished_upload;
UPDATE account SET avatar_version = avatar_version + ${String(RAISED)};
UPDATE account SET key_floor = MAX(key_floor, key_generation) + ${String(RAISED)};
UPDATE device SET key_floor = MAX(key_floor, key_generation) + ${String(RAISED)};
`;

/** Everybody signs in anew: who was shut out since must not come back with a key of before. */
const NEW_KEYS = `
DELETE FROM key_use;
DELETE FROM device;
UPDATE account SET key_generation = key_floor, key_hash = NULL;
`;

/** Whoever said so sat at the computer, and is nobody in particular. */
const SAY_STOLEN = `INSERT INTO audit_entry (type, at, address, client, details)
  VALUES ('organization_stolen', ?, '', 'Hearth', '{}')`;

const NEWEST = 'SELECT n, id, parent, signature FROM epoch ORDER BY n DESC LIMIT 1';
const INSERT = `INSERT INTO epoch (n, id, parent, signature, made_at, backed_up_at)
  VALUES (:n, :id, :parent, :signature, :now, :backedUpAt)`;

/** Nobody is told of anything yet, because all queues have ended: plain statements will do. */
function perform<T>(db: Database.Database, operation: Operation<T>): T {
  const known = new Map<string, Database.Statement>();
  const prepare = (sql: string): Database.Statement => {
    const prepared = known.get(sql) ?? db.prepare(sql);
    known.set(sql, prepared);
    return prepared;
  };
  let step = operation.next();
  while (step.done !== true) {
    const { value: statement } = step;
    if (!('sql' in statement)) {
      step = operation.next();
      continue;
    }
    const prepared = prepare(statement.sql);
    if (statement.kind === 'one') step = operation.next(prepared.get(statement.values));
    else if (statement.kind === 'all') step = operation.next(prepared.all(statement.values));
    else if (statement.kind === 'column')
      step = operation.next(prepared.pluck().all(statement.values));
    else step = operation.next(prepared.run(statement.values).changes);
  }
  return step.value;
}

const CLOSE = 'UPDATE realm SET opens_with = ?';
const REPORT = `REPLACE INTO restore_report (id, backed_up_at, standing_at, lost_files)
  VALUES (1, :backedUpAt, :standingAt, :lostFiles)`;
const FIND_REPORT = `SELECT backed_up_at AS backedUpAt, standing_at AS standingAt, lost_files AS lostFiles
  FROM restore_report, realm WHERE opens_with IS NOT NULL`;
const OPEN = 'UPDATE realm SET opens_with = NULL WHERE opens_with = COALESCE(?, opens_with)';
const IS_OPEN = 'SELECT 1 FROM realm WHERE opens_with IS NULL';
const SAY_OPENED = `INSERT INTO audit_entry (type, at, address, client, details)
  VALUES ('organization_reactivated', ?, '', 'Hearth', '{}')`;

const GENERATIONS = 'SELECT id, key_generation FROM account';

/** To others, until somebody has read what may be missing. */
function close(
  db: Database.Database,
  { backedUpAt, opensWith, lostFiles }: Restoration,
  standing: AppliedAccountSnapshot | null,
): void {
  db.prepare(CLOSE).run(opensWith);
  db.prepare(REPORT).run({ backedUpAt, standingAt: standing?.atSeconds ?? null, lostFiles });
}

function renew(db: Database.Database, restoration: Restoration): RestoredDatabase {
  const { nextRestoreGeneration, now, backedUpAt, keepsKeys, isStolen, accountSnapshots } =
    restoration;
  const generations = new Map(db.prepare(GENERATIONS).raw().all() as [number, number][]);
  raiseIds(db);
  db.exec(ENDED);
  if (!keepsKeys) db.exec(NEW_KEYS);
  const before = db.prepare(NEWEST).get() as RestoreGenerationRow | undefined;
  const later = accountSnapshots.get(before?.n ?? 0);
  const edits = restoration.edits?.get(before?.n ?? 0) ?? [];
  const accountSnapshot =
    later === undefined
      ? null
      : {
          atSeconds: later.atSeconds,
          changedAccounts: perform(db, applyAccountSnapshot(later, generations)),
        };
  perform(db, withholdTexts(edits, later?.streams));
  if (isStolen === true) db.prepare(SAY_STOLEN).run(now);
  const restoreGeneration = nextRestoreGeneration(before);
  db.prepare(INSERT).run({ ...restoreGeneration, now, backedUpAt });
  close(db, restoration, accountSnapshot);
  return { restoreGeneration, accountSnapshot };
}

/** Opens a copy, brings it to the newest version and changes it in one transaction. @throws StoreOpenError */
function changeCopy<T>(file: string, work: (db: Database.Database) => T): T {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { fileMustExist: true });
    db.pragma('synchronous = FULL');
    const opened = db;
    migrate(opened, identify(opened, file));
    return opened.transaction(() => work(opened)).immediate();
  } catch (reason) {
    throw openError(file, reason);
  } finally {
    db?.close();
  }
}

/**
 * Makes a copy of a database fit to go on from, in one transaction. Nobody else may have it open.
 * @throws StoreOpenError for a file that is no database, or of a newer version
 */
export const restoreDatabase = (file: string, restoration: Restoration): RestoredDatabase =>
  changeCopy(file, (db) => renew(db, restoration));

/** What may be missing in an organization that is served; null where it is open to others. @throws StoreOpenError */
export function findRestoreReport(file: string): RestoreReport | null {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    return (db.prepare(FIND_REPORT).get() as RestoreReport | undefined) ?? null;
  } catch (reason) {
    throw openError(file, reason);
  } finally {
    db?.close();
  }
}

/**
 * Opens a restored organization to others, also while it is served. Answers what came of it.
 * @param opensWith  null for whoever reads the report of the restore at this computer
 * @param now  UNIX seconds
 * @throws StoreOpenError
 */
export function openRestored(
  file: string,
  opensWith: string | null,
  now: number,
): 'opened' | 'open' | 'refused' {
  return changeCopy(file, (db) => {
    if (db.prepare(IS_OPEN).get() !== undefined) return 'open';
    if (db.prepare(OPEN).run(opensWith).changes === 0) return 'refused';
    db.prepare(SAY_OPENED).run(now);
    return 'opened';
  });
}

const REOPEN = `
UPDATE realm SET is_deactivated = 0, succeeded_by = NULL WHERE succeeded_by IS NOT NULL;
DELETE FROM unfinished_upload;
`;

/**
 * The same of a database that was handed over whole, after its last change: nothing was given out since, so that keys,
 * queues, links and numbers go on as they are. May be done twice.
 * @param now  UNIX seconds
 */
export function openHandedOver(file: string, epoch: RestoreGenerationRow, now: number): void {
  changeCopy(file, (db) => {
    db.exec(REOPEN);
    const isKnown = db.prepare('SELECT 1 FROM epoch WHERE id = ?').get(epoch.id) !== undefined;
    if (!isKnown) db.prepare(INSERT).run({ ...epoch, now, backedUpAt: now });
  });
}

/** What was given out by a computer that somebody else has now; its numbers were never given out here. */
const ENDED_BY_THEFT = `
DELETE FROM queue;
DELETE FROM password_link;
DELETE FROM bot_delivery;
UPDATE invitation SET status = 'revoked' WHERE status = 'pending';
DELETE FROM join_request;
`;

/**
 * Ends everything that the secret of before has made, in a database that nobody serves meanwhile.
 * @param rekey  puts the other keys in place
 * @throws StoreOpenError, where a service is running too
 */
export async function endStolen(
  file: string,
  { nextRestoreGeneration, now }: Pick<Restoration, 'nextRestoreGeneration' | 'now'>,
  rekey: () => Promise<void>,
): Promise<RestoreGenerationRow> {
  const held = lock(file);
  try {
    const epoch = changeCopy(file, (db) => {
      db.exec(ENDED_BY_THEFT);
      db.exec(NEW_KEYS);
      db.prepare(SAY_STOLEN).run(now);
      const next = nextRestoreGeneration(
        db.prepare(NEWEST).get() as RestoreGenerationRow | undefined,
      );
      db.prepare(INSERT).run({ ...next, now, backedUpAt: now });
      return next;
    });
    await rekey();
    return epoch;
  } finally {
    held.close();
  }
}
