/**
 * The file of the full-text index. It stands beside the database, because SQLite has one writer for a file, and holds nothing that
 * is not in there: where it is missing, damaged or of another state, it is made anew and filled in the background.
 */
import Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { isDamage, isDiskFull } from '#node/error-code.ts';
import { INDEX_FORM } from '#shared/search/index-tokens.ts';
import { isWhole } from './integrity-check.ts';
import { keepPrivate } from './private-file.ts';

const APPLICATION_ID = 0x48727373;
/** From this form on an index answers until the one of now is there: it may know less, of words in plain letters hardly. */
const FIRST_ANSWERING = 1;
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
const TABLES = `
CREATE VIRTUAL TABLE search_index USING fts5(
  tokens, content='', contentless_delete=1, tokenize='ascii'
);
INSERT INTO search_index (search_index, rank) VALUES ('automerge', 0);
INSERT INTO search_index (search_index, rank) VALUES ('crisismerge', 1000);
-- Every word that the index has ever held, folded: what a prefix is looked up in.
CREATE TABLE search_word (
  word TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
-- Every message from one id through the other is in the index.
CREATE TABLE search_progress (
  indexed_through INTEGER NOT NULL,
  indexed_from INTEGER NOT NULL DEFAULT 1
) STRICT;
INSERT INTO search_progress (indexed_through) VALUES (0);
CREATE TABLE search_owner (
  key TEXT NOT NULL,
  previous TEXT NOT NULL
) STRICT;
INSERT INTO search_owner (key, previous) VALUES ('', '');
`;
const SCHEMA = `${TABLES}
PRAGMA application_id = ${String(APPLICATION_ID)};
PRAGMA user_version = ${String(INDEX_FORM)};
`;
const OWNER = `SELECT key, previous, (SELECT indexed_through FROM search_progress) AS indexed FROM search_owner`;
const SET_OWNER = 'UPDATE search_owner SET key = :next, previous = :key';
const FORGET_PREVIOUS = "UPDATE search_owner SET previous = ''";
const NEWEST = 'SELECT (SELECT key FROM search_key) AS key, id AS newest FROM newest_message';
const SET_KEY = 'UPDATE search_key SET key = :next';
/** As `IndexedRange` has it. */
export const INDEXED_RANGE =
  'SELECT indexed_from AS "from", indexed_through AS through FROM search_progress';
/** New messages go above it, and those that are there below it. */
const BEGIN = 'UPDATE search_progress SET indexed_through = :newest, indexed_from = :newest + 1';
// Indexes were filled from the oldest message on before.
const KNOWS_RANGE =
  "SELECT 1 FROM pragma_table_info('search_progress') WHERE name = 'indexed_from'";
const ADD_RANGE = 'ALTER TABLE search_progress ADD COLUMN indexed_from INTEGER NOT NULL DEFAULT 1';

export const searchFileOf = (file: string): string => `${file.replace(/\.db$/, '')}-search.db`;

/** Where the index of a new form is made while the old one answers. */
export const nextSearchFileOf = (file: string): string =>
  `${file.replace(/\.db$/, '')}-search-next.db`;

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

const formOf = (db: Database.Database): number =>
  Number(db.pragma('user_version', { simple: true }));

const isSound = (db: Database.Database, file: string, firstForm: number): boolean =>
  db.pragma('application_id', { simple: true }) === APPLICATION_ID &&
  formOf(db) >= firstForm &&
  formOf(db) <= INDEX_FORM &&
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
function openKnown(
  file: string,
  state: DatabaseState,
  firstForm = INDEX_FORM,
): Database.Database | undefined {
  if (!existsSync(file)) return undefined;
  const db = new Database(file, { timeout: 5000 });
  try {
    if (isSound(db, file, firstForm) && belongs(db, state)) {
      if (db.prepare(KNOWS_RANGE).get() === undefined) db.exec(ADD_RANGE);
      return configure(db);
    }
  } catch (reason) {
    if (!isDamage(reason)) {
      db.close();
      throw reason;
    }
  }
  db.close();
  return undefined;
}

function remove(file: string): void {
  for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
    rmSync(each, { force: true });
  }
}

function create(file: string, { newest }: DatabaseState): Database.Database {
  remove(file);
  keepPrivate(file);
  const db = new Database(file, { timeout: 5000 });
  try {
    configure(db).transaction(() => {
      db.exec(SCHEMA);
      db.prepare(BEGIN).run({ newest });
    })();
    return db;
  } catch (reason) {
    db.close();
    throw reason;
  }
}

const stateOf = (writing: Database.Database): DatabaseState =>
  writing.prepare<[], DatabaseState>(NEWEST).get() ?? { key: '', newest: 0 };

/** Gives the indexes and their database the same new key, and closes the indexes. */
function claim(
  indexes: readonly Database.Database[],
  writing: Database.Database,
  { key }: DatabaseState,
): void {
  const next = randomUUID();
  try {
    for (const db of indexes) {
      db.pragma('synchronous = FULL');
      db.prepare(SET_OWNER).run({ next, key });
    }
    writing.prepare(SET_KEY).run({ next });
    for (const db of indexes) db.exec(FORGET_PREVIOUS);
  } finally {
    for (const db of indexes) db.close();
  }
}

/** Puts an index that nobody has open in the place of another one. Where it ends half way, the next start does it. */
function moveInto(next: string, search: string): void {
  const db = new Database(next, { fileMustExist: true, timeout: 5000 });
  // With all that is in its log.
  db.pragma('journal_mode = DELETE');
  db.close();
  remove(search);
  renameSync(next, search);
  configure(new Database(search, { fileMustExist: true, timeout: 5000 })).close();
}

/** What is there of a new form, where the old one is gone. */
function openNext(
  next: string,
  search: string,
  state: DatabaseState,
): Database.Database | undefined {
  const db = openKnown(next, state);
  if (db === undefined) return undefined;
  db.close();
  moveInto(next, search);
  return openKnown(search, state);
}

/**
 * Sees to it that the index of a database is there, and is its own. One of an older form stays until that of now is filled beside it.
 * Only whoever holds the lock of the database may.
 * @param writing  the database, in the newest version
 * @returns false where the disk is full and there is none yet
 */
export function prepareSearchFile(writing: Database.Database, file: string): boolean {
  const [search, next] = [searchFileOf(file), nextSearchFileOf(file)];
  const state = stateOf(writing);
  let known: Database.Database | undefined;
  try {
    known = openKnown(search, state, FIRST_ANSWERING);
    if (known !== undefined && formOf(known) < INDEX_FORM) {
      claim([known, openKnown(next, state) ?? create(next, state)], writing, state);
      return true;
    }
    claim([known ?? openNext(next, search, state) ?? create(search, state)], writing, state);
    remove(next);
    return true;
  } catch (reason) {
    known?.close();
    if (!isDiskFull(reason)) throw reason;
    // One that could not be given a new key still belongs to the database.
    return known !== undefined;
  }
}

/** For its room: it is made anew once there is some. Only whoever holds the lock of the database may. @param file  the database */
export function giveUpSearchFile(file: string): void {
  remove(searchFileOf(file));
  remove(nextSearchFileOf(file));
}

/** An index with nothing in it, until there is room for a file: what is not in it is looked up in the messages themselves. */
export function attachEmptyIndex(reading: Database.Database): void {
  reading.exec("ATTACH ':memory:' AS search");
  reading.exec(TABLES.replaceAll(' TABLE ', ' TABLE search.'));
  reading.function('index_form', () => INDEX_FORM);
}

/** From now on the tables of the index can be read on this connection, by their names alone. */
export function attachSearchFile(reading: Database.Database, file: string): void {
  reading.prepare('ATTACH ? AS search').run(searchFileOf(file));
  // KiB
  reading.pragma('search.cache_size = -4096');
  const form = Number(reading.pragma('search.user_version', { simple: true }));
  reading.function('index_form', () => form);
}

/** The connection that writes the database, and the one that reads it and its index. */
interface Connections {
  readonly writing: Database.Database;
  readonly reading: Database.Database;
}

/** Puts another index in the place of the one that is attached. Nobody else may have that one open. */
function replaceSearchFile(reading: Database.Database, file: string, replace: () => void): void {
  const attached = reading.pragma('database_list') as readonly { readonly name: string }[];
  // It is not where an attempt before this one got half way.
  if (attached.some(({ name }) => name === 'search')) reading.exec('DETACH search');
  replace();
  attachSearchFile(reading, file);
}

/** Puts an index with nothing in it in the place of the one that is attached. Nobody else may have that one open. */
export function remakeSearchFile({ writing, reading }: Connections, file: string): void {
  replaceSearchFile(reading, file, () => {
    remove(nextSearchFileOf(file));
    const state = stateOf(writing);
    claim([create(searchFileOf(file), state)], writing, state);
  });
}

/** Puts the index of a new form, which is filled, in the place of the old one. Nobody else may have one of them open. */
export function adoptSearchFile({ reading }: Connections, file: string): void {
  const next = nextSearchFileOf(file);
  replaceSearchFile(reading, file, () => {
    // It is gone where an attempt before this one got half way.
    if (existsSync(next)) moveInto(next, searchFileOf(file));
  });
}
