/**
 * The file of the full-text index. It stands beside the database, because SQLite has one writer for a file, and holds nothing that
 * is not in there: where it is missing, damaged or of another state, it is made anew and filled in the background.
 */
import Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { isDamage } from '../../../platform/error-code.ts';
import { INDEX_FORM } from '../../../search/index-tokens.ts';
import { isWhole } from './check.ts';
import { keepPrivate } from './private-file.ts';

const APPLICATION_ID = 0x48727373;
/** Of the tables, and of the words that are put into them. */
const FORMAT = INDEX_FORM;
/** The check of the index as such takes thirty times as long as that of its tables. */
const CHECKED_TABLES = [
  'search_index_data',
  'search_index_idx',
  'search_index_docsize',
  'search_word',
];

/**
 * Tokens that are cut elsewhere, without the text itself. Segments are merged in small steps between other work, never inside of
 * a commit. `key` names the state of the database, and `previous` the one before, in case it never got the new one.
 */
const SCHEMA = `
CREATE VIRTUAL TABLE search_index USING fts5(
  tokens, content='', contentless_delete=1, tokenize='ascii'
);
INSERT INTO search_index (search_index, rank) VALUES ('automerge', 0);
INSERT INTO search_index (search_index, rank) VALUES ('crisismerge', 1000);
-- Every word that the index has ever held, folded: what a prefix is looked up in.
CREATE TABLE search_word (
  word TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE search_progress (
  indexed_through INTEGER NOT NULL
) STRICT;
INSERT INTO search_progress (indexed_through) VALUES (0);
CREATE TABLE search_owner (
  key TEXT NOT NULL,
  previous TEXT NOT NULL
) STRICT;
INSERT INTO search_owner (key, previous) VALUES ('', '');
PRAGMA application_id = ${String(APPLICATION_ID)};
PRAGMA user_version = ${String(FORMAT)};
`;
const OWNER = `SELECT key, previous, (SELECT indexed_through FROM search_progress) AS indexed FROM search_owner`;
const SET_OWNER = 'UPDATE search_owner SET key = :next, previous = :key';
const FORGET_PREVIOUS = "UPDATE search_owner SET previous = ''";
const NEWEST = 'SELECT (SELECT key FROM search_key) AS key, id AS newest FROM newest_message';
const SET_KEY = 'UPDATE search_key SET key = :next';

export const searchFileOf = (file: string): string => `${file.replace(/\.db$/, '')}-search.db`;

interface DatabaseState {
  readonly key: string;
  /** The largest id that a message ever had. */
  readonly newest: number;
}

interface IndexState {
  readonly key: string;
  readonly previous: string;
  readonly indexed: number;
}

const isSound = (db: Database.Database, file: string): boolean =>
  db.pragma('application_id', { simple: true }) === APPLICATION_ID &&
  db.pragma('user_version', { simple: true }) === FORMAT &&
  isWhole(db, file, CHECKED_TABLES);

/** Whether the index was made of this database, and of nothing that it has not got. */
function belongs(db: Database.Database, { key, newest }: DatabaseState): boolean {
  const state = db.prepare<[], IndexState>(OWNER).get();
  if (state === undefined || key === '') return false;
  return (key === state.key || key === state.previous) && state.indexed <= newest;
}

function configure(db: Database.Database): Database.Database {
  db.pragma('journal_mode = WAL');
  return db;
}

/** The index that is there, if it can be gone on with. */
function openKnown(file: string, state: DatabaseState): Database.Database | undefined {
  if (!existsSync(file)) return undefined;
  const db = new Database(file, { timeout: 5000 });
  try {
    if (isSound(db, file) && belongs(db, state)) return configure(db);
  } catch (reason) {
    if (!isDamage(reason)) {
      db.close();
      throw reason;
    }
  }
  db.close();
  return undefined;
}

function create(file: string): Database.Database {
  for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
    rmSync(each, { force: true });
  }
  keepPrivate(file);
  const db = new Database(file, { timeout: 5000 });
  try {
    configure(db).transaction(() => db.exec(SCHEMA))();
    return db;
  } catch (reason) {
    db.close();
    throw reason;
  }
}

const stateOf = (writing: Database.Database): DatabaseState =>
  writing.prepare<[], DatabaseState>(NEWEST).get() ?? { key: '', newest: 0 };

/** Gives the index and its database the same new key, and closes the index. */
function claim(db: Database.Database, writing: Database.Database, { key }: DatabaseState): void {
  const next = randomUUID();
  try {
    db.pragma('synchronous = FULL');
    db.prepare(SET_OWNER).run({ next, key });
    writing.prepare(SET_KEY).run({ next });
    db.exec(FORGET_PREVIOUS);
  } finally {
    db.close();
  }
}

/**
 * Sees to it that the index of a database is there, and is its own. Only whoever holds the lock of the database may.
 * @param writing  the database, in the newest version
 */
export function prepareSearchFile(writing: Database.Database, file: string): void {
  const search = searchFileOf(file);
  const state = stateOf(writing);
  claim(openKnown(search, state) ?? create(search), writing, state);
}

/** From now on the tables of the index can be read on this connection, by their names alone. */
export function attachSearchFile(reading: Database.Database, file: string): void {
  reading.prepare('ATTACH ? AS search').run(searchFileOf(file));
  // KiB
  reading.pragma('search.cache_size = -4096');
}

/** Puts an index with nothing in it in the place of the one that is attached. Nobody else may have that one open. */
export function remakeSearchFile(
  {
    writing,
    reading,
  }: { readonly writing: Database.Database; readonly reading: Database.Database },
  file: string,
): void {
  const attached = reading.pragma('database_list') as readonly { readonly name: string }[];
  // It is not where an attempt before this one got half way.
  if (attached.some(({ name }) => name === 'search')) reading.exec('DETACH search');
  claim(create(searchFileOf(file)), writing, stateOf(writing));
  attachSearchFile(reading, file);
}
