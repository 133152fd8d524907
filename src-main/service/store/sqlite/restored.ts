/** What a database of before becomes, before anybody is served from it again. */
import Database from 'better-sqlite3';
import type { EpochRow } from '../organization/realm.ts';
import { identify, migrate, openError } from './open.ts';

/** More than were given out between a copy and the restore of it. */
const RAISED_FAR = 100_000_000;
const RAISED = 100_000;
/** Of these there are many: everything that is written has one. */
const MANY = ['message', 'message_edit', 'reaction', 'audit_entry', 'event'];

export interface Restoration {
  /** @param before  the epoch of the copy, undefined for an organization that was never restored */
  readonly epochAfter: (before: EpochRow | undefined) => EpochRow;
  /** UNIX seconds. */
  readonly now: number;
  /** UNIX seconds: the moment that the copy shows. */
  readonly backedUpAt: number;
  /** Whether the keys of the copy go on being good. */
  readonly keepsKeys: boolean;
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

/** The index has seen the gap: what it has not seen of before waits apart, as what was changed does. */
const INDEX = `
INSERT INTO search_pending (message_id)
  SELECT id FROM message WHERE id > (SELECT indexed_through FROM search_progress)
  ON CONFLICT DO NOTHING;
UPDATE search_progress SET indexed_through = (SELECT id FROM newest_message);
`;

/**
 * What was given out and may have been used since: queues, links, invitations, and answers that bots were still to get.
 * Pictures get addresses that nobody has kept other pictures of.
 */
const ENDED = `
DELETE FROM queue;
DELETE FROM password_link;
DELETE FROM bot_delivery;
UPDATE realm SET is_deactivated = 0, succeeded_by = NULL WHERE succeeded_by IS NOT NULL;
UPDATE invitation SET status = 'revoked' WHERE status = 'pending';
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

const NEWEST = 'SELECT n, id, parent, signature FROM epoch ORDER BY n DESC LIMIT 1';
const INSERT = `INSERT INTO epoch (n, id, parent, signature, made_at, backed_up_at)
  VALUES (:n, :id, :parent, :signature, :now, :backedUpAt)`;

function renew(db: Database.Database, restoration: Restoration): EpochRow {
  const { epochAfter, now, backedUpAt, keepsKeys } = restoration;
  raiseIds(db);
  db.exec(INDEX);
  db.exec(ENDED);
  if (!keepsKeys) db.exec(NEW_KEYS);
  const epoch = epochAfter(db.prepare(NEWEST).get() as EpochRow | undefined);
  db.prepare(INSERT).run({ ...epoch, now, backedUpAt });
  return epoch;
}

/**
 * Makes a copy of a database fit to go on from, in one transaction. Nobody else may have it open.
 * @throws StoreOpenError for a file that is no database, or of a newer version
 */
export function restoreDatabase(file: string, restoration: Restoration): EpochRow {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { fileMustExist: true });
    db.pragma('synchronous = FULL');
    const opened = db;
    migrate(opened, identify(opened, file));
    return opened.transaction(() => renew(opened, restoration)).immediate();
  } catch (reason) {
    throw openError(file, reason);
  } finally {
    db?.close();
  }
}
