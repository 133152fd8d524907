/** Opening the file of a cache. What cannot be used is moved aside: everything in it can be fetched again. */
import Database from 'better-sqlite3';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { cacheError, isDamage } from './errors.ts';
import { INDEX_FORM } from '#shared/search/index-tokens.ts';
import { INDEX_SCHEMA, SAME_TABLES_VERSION, SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { storageWords } from '#shared/i18n/storage-words.ts';

const APPLICATION_ID = 0x48727463;
/** Up to this size the whole file is checked at every start: a few milliseconds. In a larger one damage is met where it is. */
const CHECKED_BYTES = 2 * 1024 * 1024;

const damagedFileOf = (file: string): string => `${file}.damaged`;
const suspectFileOf = (file: string): string => `${file}.suspect`;

export interface OpenedFile {
  readonly db: Database.Database;
  /** What had to be done, in one sentence. */
  readonly problem: string | null;
}

class Damaged extends Error {}
class OtherVersion extends Error {}

/** Damage was met where the check of a start does not look: the next one begins anew. */
export function suspect(file: string): void {
  try {
    writeFileSync(suspectFileOf(file), '', { mode: 0o600 });
  } catch {
    // Then it is met again.
  }
}

function configure(db: Database.Database): void {
  db.pragma('auto_vacuum = INCREMENTAL');
  db.pragma('journal_mode = WAL');
  // A power cut may lose the last transactions, each as a whole: the state in them says from where to go on.
  db.pragma('synchronous = NORMAL');
  db.pragma('cache_size = -16384');
  db.pragma('journal_size_limit = 16777216');
  // What is deleted is overwritten.
  db.pragma('secure_delete = ON');
}

function isOurs(db: Database.Database): boolean {
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  return isEmpty || db.pragma('application_id', { simple: true }) === APPLICATION_ID;
}

function check(db: Database.Database, file: string): void {
  if (!isOurs(db)) throw new Damaged('it is something else');
  if (existsSync(suspectFileOf(file))) throw new Damaged('damage was met in it');
  if (statSync(file).size > CHECKED_BYTES) return;
  if (db.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new Damaged('quick_check');
}

function createIndex(db: Database.Database): void {
  db.exec(INDEX_SCHEMA);
  db.pragma(`user_version = ${String(SCHEMA_VERSION)}`);
}

export function createTables(db: Database.Database): void {
  db.exec(SCHEMA);
  createIndex(db);
  db.pragma(`application_id = ${String(APPLICATION_ID)}`);
}

function hasIndexOfNow(db: Database.Database): boolean {
  const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search_state'").get();
  if (isThere === undefined) return false;
  return db.prepare('SELECT form FROM search_state').pluck().get() === INDEX_FORM;
}

function prepare(db: Database.Database, file: string): void {
  check(db, file);
  configure(db);
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version === 0) db.transaction(createTables)(db);
  else if (version === SAME_TABLES_VERSION) db.transaction(createIndex)(db);
  else if (version !== SCHEMA_VERSION) throw new OtherVersion(String(version));
  else if (!hasIndexOfNow(db)) db.transaction(createIndex)(db);
  // A table that is gone is found out here and not when a message is put there.
  db.prepare('SELECT messages FROM total').get();
  db.prepare('SELECT rowid FROM search_index LIMIT 1').get();
}

function connect(file: string): Database.Database {
  // Made before the database makes it, so that nobody else can read it for a moment.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const db = new Database(file, { timeout: 2000 });
  try {
    prepare(db, file);
    return db;
  } catch (reason) {
    db.close();
    throw reason;
  }
}

const companions = ['-wal', '-shm', '.suspect'] as const;

function removeFile(file: string): void {
  for (const end of ['', ...companions]) rmSync(`${file}${end}`, { force: true });
}

/** One that was moved aside earlier is replaced. */
function moveAside(file: string): void {
  rmSync(damagedFileOf(file), { force: true, recursive: true });
  renameSync(file, damagedFileOf(file));
  removeFile(file);
}

function open(file: string): OpenedFile {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    return { db: connect(file), problem: null };
  } catch (reason) {
    if (reason instanceof OtherVersion) {
      removeFile(file);
      return { db: connect(file), problem: null };
    }
    const isDirectory = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!(reason instanceof Damaged) && !isDamage(reason) && !isDirectory) throw reason;
    moveAside(file);
    const problem = storageWords('cache_set_aside', { file: damagedFileOf(file) }).message;
    return { db: connect(file), problem };
  }
}

/** @throws CacheError where the file cannot be made: the disk is full, or nothing may be written there */
export function openFile(file: string): OpenedFile {
  try {
    return open(file);
  } catch (reason) {
    throw cacheError(reason);
  }
}
