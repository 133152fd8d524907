/** Fills the full-text index (`search-file.ts`). It reads the database, and changes nothing in it. */
import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import type {
  EntryOf,
  IndexableRow,
  IndexedBlock,
  IndexedRange,
  PendingVersion,
} from '#service/features/reading/queries/search.ts';
import { INDEXED_RANGE, nextSearchFileOf, searchFileOf } from './search-file.ts';
import { entryText } from './search-window.ts';

/** In one commit: some hundredths of a second. */
const BLOCK_MESSAGES = 256;
const MERGED_PAGES = 64;
/** How long segments are merged before what was sent meanwhile has its turn. */
const MERGE_MS = 50;
const WORDS_REMEMBERED = 8_000;

const INDEXABLE = `SELECT m.id, m.recipient_id, m.topic_id, COALESCE(m.topic_name, t.name) AS topic, m.sender_id,
    m.content, m.has_link, m.has_image, m.has_attachment
  FROM message m LEFT JOIN topic t ON t.id = m.topic_id`;
const NEWER = `${INDEXABLE} WHERE m.id > :through ORDER BY m.id LIMIT :limit`;
const OLDER = `${INDEXABLE} WHERE m.id < :from ORDER BY m.id DESC LIMIT :limit`;
const PENDING =
  'SELECT message_id AS id, version FROM search_pending ORDER BY message_id DESC LIMIT :limit';
const FIND_PENDING = `${INDEXABLE} WHERE m.id = :id AND m.id BETWEEN :from AND :through`;
const SET_PROGRESS = 'UPDATE search_progress SET indexed_from = :from, indexed_through = :through';
const DELETE_ENTRY = 'DELETE FROM search_index WHERE rowid = CAST(:id AS INTEGER)';
const INSERT_ENTRY =
  'INSERT INTO search_index (rowid, tokens) VALUES (CAST(:id AS INTEGER), :text)';
const INSERT_WORD = 'INSERT INTO search_word (word) VALUES (:word) ON CONFLICT DO NOTHING';
const MERGE =
  "INSERT INTO search_index (search_index, rank) VALUES ('merge', CAST(:pages AS INTEGER))";
const CHANGES = 'SELECT total_changes()';

export interface IndexWriter {
  /** Indexes a block of what waits; merges segments where nothing does. */
  readonly index: () => IndexedBlock;
  readonly close: () => void;
}

interface Changed {
  readonly id: number;
  readonly version: number;
  /** Undefined where it is gone, or the index has not come to it. */
  readonly row: IndexableRow | undefined;
}

interface Waiting {
  readonly changed: readonly Changed[];
  /** Ascending: the index takes them in this order without a segment for each. */
  readonly added: readonly IndexableRow[];
  /** What the index has with them. */
  readonly range: IndexedRange;
}

const changedOf = (blockMessages: number): number => Math.ceil(blockMessages / 2);

/** What waits, as it is at one moment: what is new, and then what is older than all that is indexed, the newest first. */
function openReading(
  database: Database.Database,
  isNext: boolean,
): (range: IndexedRange, limit: number) => Waiting {
  const pending = database.prepare<[{ limit: number }], Omit<Changed, 'row'>>(PENDING);
  const findNewer = database.prepare<[{ through: number; limit: number }], IndexableRow>(NEWER);
  const findOlder = database.prepare<[{ from: number; limit: number }], IndexableRow>(OLDER);
  const find = database.prepare<[{ id: number } & IndexedRange], IndexableRow>(FIND_PENDING);
  return database.transaction((range: IndexedRange, limit: number): Waiting => {
    // The old index answers meanwhile: what has changed waits until it is gone.
    const changed = isNext ? [] : pending.all({ limit: changedOf(limit) });
    const { from, through } = range;
    const newer = findNewer.all({ through, limit });
    const room = from > 1 ? limit - newer.length : 0;
    const older = findOlder.all({ from, limit: room }).reverse();
    const nowFrom = older.length < room ? 1 : (older[0]?.id ?? from);
    return {
      changed: changed.map((each) => ({ ...each, row: find.get({ id: each.id, ...range }) })),
      added: [...older, ...newer],
      range: { from: nowFrom, through: newer.at(-1)?.id ?? through },
    };
  });
}

/** Puts messages into the index, in the transaction that is open. */
function openEntries(search: Database.Database, entryOf: EntryOf) {
  const deleteEntry = search.prepare(DELETE_ENTRY);
  const insertEntry = search.prepare(INSERT_ENTRY);
  const insertWord = search.prepare(INSERT_WORD);
  /** Words that are in the table. */
  const known = new Set<string>();

  return {
    forgetWords: () => known.clear(),
    remove: (id: number) => void deleteEntry.run({ id }),
    add(row: IndexableRow): void {
      const entry = entryOf(row);
      insertEntry.run({ id: row.id, text: entryText(row.id, entry) });
      if (known.size > WORDS_REMEMBERED) known.clear();
      for (const word of entry.words) {
        if (known.has(word)) continue;
        insertWord.run({ word });
        known.add(word);
      }
    },
  };
}

/** Merges segments for some time; answers whether there is more to merge. */
function openMerging(search: Database.Database): () => boolean {
  const merge = search.prepare(MERGE);
  const countChanges = search.prepare<[], number>(CHANGES).pluck();
  return () => {
    const endsAt = performance.now() + MERGE_MS;
    while (performance.now() < endsAt) {
      const before = countChanges.get() ?? 0;
      merge.run({ pages: MERGED_PAGES });
      if ((countChanges.get() ?? 0) - before < 2) return false;
    }
    return true;
  };
}

/**
 * Where an index of a new form stands beside the old one, that is what is filled.
 * @param file  the database, which somebody else has open and has prepared the index of
 * @param blockMessages  how many messages are written in one commit at most
 */
export function openIndexWriter(
  file: string,
  entryOf: EntryOf,
  blockMessages = BLOCK_MESSAGES,
): IndexWriter {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 });
  const next = nextSearchFileOf(file);
  const isNext = existsSync(next);
  const searchFile = isNext ? next : searchFileOf(file);
  const search = new Database(searchFile, { fileMustExist: true, timeout: 5000 });
  // KiB. Messages are read once, and entries written at the end of the file.
  database.pragma('cache_size = -512');
  search.pragma('cache_size = -2048');

  const progress = search.prepare<[], IndexedRange>(INDEXED_RANGE);
  const setProgress = search.prepare(SET_PROGRESS);
  const waitingAfter = openReading(database, isNext);
  const entries = openEntries(search, entryOf);
  const mergeSome = openMerging(search);

  const write = search.transaction(({ changed, added, range }: Waiting): void => {
    for (const { id, row } of changed) {
      entries.remove(id);
      if (row !== undefined) entries.add(row);
    }
    for (const row of added) entries.add(row);
    setProgress.run(range);
  });

  function indexBlock(waiting: Waiting): IndexedBlock {
    const { changed, added } = waiting;
    // The database is told that what had changed waits no longer, so that this has to outlast a power cut. What the index has
    // come to is told by itself.
    search.pragma(`synchronous = ${changed.length > 0 ? 'FULL' : 'NORMAL'}`);
    try {
      write.immediate(waiting);
    } catch (reason) {
      entries.forgetWords();
      throw reason;
    }
    const settled = changed.map(({ id, version }): PendingVersion => [id, version]);
    const isFull = changed.length === changedOf(blockMessages) || added.length === blockMessages;
    return { settled, isBehind: isFull };
  }

  return {
    index() {
      const before = progress.get() ?? { from: 1, through: 0 };
      const waiting = waitingAfter(before, blockMessages);
      const isWhole = waiting.range.from === before.from;
      const isIdle = isWhole && waiting.changed.length + waiting.added.length === 0;
      const block = isIdle ? { settled: [], isBehind: false } : indexBlock(waiting);
      const isBehind = block.isBehind || mergeSome();
      return isNext && !isBehind
        ? { ...block, isBehind: true, isBuilt: true }
        : { ...block, isBehind };
    },
    close() {
      database.close();
      search.close();
    },
  };
}

/** Copies the log of a database that somebody else has open into its file, as far as nobody reads what is older. */
export function copyLog(file: string): void {
  const database = new Database(file, { fileMustExist: true, timeout: 0 });
  try {
    database.pragma('wal_checkpoint(PASSIVE)');
  } finally {
    database.close();
  }
}
