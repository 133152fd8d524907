/** The database as it was at one moment, copied while another process may be writing to it. */
import Database from 'better-sqlite3';
import { codeOf } from '#node/error-code.ts';
import { identify, openError } from './open.ts';

export interface NamedFiles {
  readonly uploads: readonly { readonly path: string; readonly sizeBytes: number }[];
  readonly avatars: readonly string[];
  readonly emoji: readonly string[];
  /** Addresses of the picture of the organization, where it has one. */
  readonly icons: readonly string[];
}

export interface SnapshotContent {
  /** The organization's. */
  readonly name: string;
  readonly messages: number;
  readonly files: NamedFiles;
}

const ICON = `SELECT json_extract(settings, '$.icon_url') FROM realm
  WHERE json_extract(settings, '$.icon_url') IS NOT NULL`;

const hasOrganization = (db: Database.Database, version: number): boolean =>
  version > 0 && db.prepare('SELECT 1 FROM realm').get() !== undefined;

function withReader<T>(file: string, work: (db: Database.Database) => T): T {
  try {
    return withOpened(file, true, work);
  } catch (reason) {
    // Reading beside others needs a file that is shared with them, for which a full disk has no room; alone it needs none.
    if (codeOf(reason) !== 'SQLITE_IOERR_SHMSIZE') throw readingError(file, reason);
  }
  try {
    return withOpened(file, false, work);
  } catch (reason) {
    throw readingError(file, reason);
  }
}

function withOpened<T>(file: string, isShared: boolean, work: (db: Database.Database) => T): T {
  const db = new Database(file, { readonly: isShared, fileMustExist: true, timeout: 5000 });
  try {
    if (!isShared) db.pragma('locking_mode = EXCLUSIVE');
    return work(db);
  } finally {
    db.close();
  }
}

/** What went wrong in writing the copy says nothing of the database. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly code: string;

  constructor(cause: InstanceType<typeof Database.SqliteError>) {
    super(cause.message, { cause });
    this.code = cause.code;
  }
}

const readingError = (file: string, reason: unknown): unknown =>
  reason instanceof SnapshotError ? reason : openError(file, reason);

/** What goes on from a copy is another state than the one that an index of now belongs to. */
function disownIndex(file: string): void {
  const copy = new Database(file, { fileMustExist: true });
  try {
    copy.exec("UPDATE search_key SET key = ''");
  } finally {
    copy.close();
  }
}

/**
 * Copies what is committed now. A reader holds up no writer, whichever process that is, and what was deleted is not in
 * the free pages of the copy, because it has none.
 * @param into  an empty file: SQLite would make one that others can read
 * @returns false, without a copy, where the database has no organization
 * @throws StoreOpenError for a file that cannot be read; SnapshotError where the copy cannot be written
 */
export const takeSnapshot = (file: string, into: string): boolean =>
  withReader(file, (db) => {
    const version = identify(db, file);
    if (!hasOrganization(db, version)) return false;
    try {
      db.prepare('VACUUM INTO ?').run(into);
      disownIndex(into);
    } catch (reason) {
      const isCopy =
        reason instanceof Database.SqliteError && !reason.code.startsWith('SQLITE_CORRUPT');
      throw isCopy ? new SnapshotError(reason) : reason;
    }
    return true;
  });

/** What is wrong with the pages of a copy, or the references between its rows; undefined where nothing is. */
export const findDamage = (file: string): string | undefined =>
  withReader(file, (db) => {
    const found = String(db.pragma('integrity_check(1)', { simple: true }));
    if (found !== 'ok') return found;
    const broken = db.prepare('PRAGMA foreign_key_check').get() as { table: string } | undefined;
    return broken && `a row of ${broken.table} refers to one that is not there`;
  });

/** Whether the organization goes on elsewhere, or is about to; undefined where it lives here. */
export const readNextHostState = (file: string): 'signed' | 'pending' | undefined =>
  withReader(file, (db) => {
    if (identify(db, file) === 0) return undefined;
    const found = db.prepare('SELECT succeeded_by FROM realm').pluck().get() as string | null;
    if (!found) return undefined;
    const { signature } = JSON.parse(found) as { readonly signature: string | null };
    return signature === null ? 'pending' : 'signed';
  });

export const readSnapshot = (file: string): SnapshotContent =>
  withReader(file, (db) => {
    const { messages } = db.prepare('SELECT COUNT(*) AS messages FROM message').get() as {
      readonly messages: number;
    };
    const name = String(db.prepare('SELECT name FROM realm').pluck().get());
    const names = (sql: string): string[] => db.prepare(sql).pluck().all() as string[];
    return {
      name,
      messages,
      files: {
        uploads: db
          .prepare('SELECT path, size_bytes AS "sizeBytes" FROM attachment ORDER BY path')
          .all() as NamedFiles['uploads'],
        avatars: names('SELECT avatar_file FROM account WHERE avatar_file IS NOT NULL'),
        emoji: names('SELECT file_name FROM emoji'),
        icons: names(ICON),
      },
    };
  });
