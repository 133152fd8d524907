/** Fills the search index while messages are written straight into the tables. */
import type Database from 'better-sqlite3';
import { indexEntry } from '../../src-main/service/domain/rules/messages/index-entry.ts';
import type { IndexableRow } from '../../src-main/service/store/port.ts';
import { entryText } from '../../src-main/service/store/sqlite/search-window.ts';

/** Written at once. */
const GATHERED_BYTES = 2 ** 24;
const USUAL_BYTES = 2 ** 20;
const INSERT = 'INSERT INTO search_index (rowid, tokens) VALUES (CAST(? AS INTEGER), ?)';
const CONFIGURE = 'INSERT INTO search_index (search_index, rank) VALUES (?, CAST(? AS INTEGER))';
const MERGED_PAGES = 10_000;
const CHANGES = 'SELECT total_changes()';
const INSERT_WORD = 'INSERT INTO search_word (word) VALUES (?)';
const SET_PROGRESS =
  'UPDATE search_progress SET indexed_through = (SELECT COALESCE(MAX(id), 0) FROM message)';

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

export function openBulkIndex(db: Database.Database): BulkIndex {
  const configure = db.prepare(CONFIGURE);
  const insert = db.prepare(INSERT);
  const words = new Set<string>();
  configure.run('hashsize', GATHERED_BYTES);
  return {
    add(row) {
      const entry = indexEntry(row);
      insert.run(row.id, entryText(row.id, entry));
      for (const word of entry.words) words.add(word);
    },
    finish() {
      const insertWord = db.prepare(INSERT_WORD);
      for (const word of [...words].sort()) insertWord.run(word);
      configure.run('hashsize', USUAL_BYTES);
      mergeAll(db);
      db.exec(SET_PROGRESS);
    },
  };
}
