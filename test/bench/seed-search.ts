/** Fills the search index while messages are written straight into the tables. */
import Database from 'better-sqlite3';
import { indexEntry } from '#service/features/reading/rules/index-entry.ts';
import type { IndexableRow } from '#service/db/port.ts';
import { searchFileOf } from '#service/db/sqlite/search-file.ts';
import { entryText } from '#service/db/sqlite/search-window.ts';

/** Written at once. */
const GATHERED_BYTES = 2 ** 24;
const USUAL_BYTES = 2 ** 20;
const INSERT = 'INSERT INTO search_index (rowid, tokens) VALUES (CAST(? AS INTEGER), ?)';
const CONFIGURE = 'INSERT INTO search_index (search_index, rank) VALUES (?, CAST(? AS INTEGER))';
const MERGED_PAGES = 10_000;
const CHANGES = 'SELECT total_changes()';
const INSERT_WORD = 'INSERT INTO search_word (word) VALUES (?)';
const SET_PROGRESS = 'UPDATE search_progress SET indexed_from = 1, indexed_through = ?';

/** As a service leaves the index that has nothing to do: else one that starts on it merges while it is measured. */
function mergeAll(db: Database.Database): void {
  const merge = db.prepare(CONFIGURE);
  const countChanges = db.prepare<[], number>(CHANGES).pluck();
  for (;;) {
    const before = countChanges.get() ?? 0;
    merge.run('merge', MERGED_PAGES);
    if ((countChanges.get() ?? 0) - before < 2) return;
  }
}

export interface BulkIndex {
  readonly add: (row: IndexableRow) => void;
  readonly finish: () => void;
}

/** @param file  the database, which a service has made and nobody has open */
export function openBulkIndex(file: string): BulkIndex {
  const db = new Database(searchFileOf(file), { fileMustExist: true });
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.exec('BEGIN');
  const configure = db.prepare(CONFIGURE);
  const insert = db.prepare(INSERT);
  const words = new Set<string>();
  let last = 0;
  configure.run('hashsize', GATHERED_BYTES);
  return {
    add(row) {
      const entry = indexEntry(row);
      insert.run(row.id, entryText(row.id, entry));
      last = row.id;
      for (const word of entry.words) words.add(word);
    },
    finish() {
      const insertWord = db.prepare(INSERT_WORD);
      for (const word of [...words].sort()) insertWord.run(word);
      configure.run('hashsize', USUAL_BYTES);
      mergeAll(db);
      db.prepare(SET_PROGRESS).run(last);
      db.exec('COMMIT');
      db.close();
    },
  };
}
