/** The outbox of an account as a file of the profile. */
import Database from 'better-sqlite3';
import { OutboxError, type OutboxStore } from '#client/outbox/outbox-store.ts';
import { createFile, moveAside, readCopy, importSalvaged } from './outbox-file.ts';
import { DamagedError, NewerError, prepareOutbox, rowsOf, salvage } from './outbox-schema.ts';
import { type Writes, writesOf } from './outbox-writes.ts';
import { codeOf, isDamage } from '#node/error-code.ts';
import { storageWords } from '#shared/i18n/storage-words.ts';

/** Another process of this application may hold the file for a moment; the windows wait meanwhile. */
const BUSY_MS = 2000;

export interface OpenedOutbox {
  readonly outbox: OutboxStore;
  /** What somebody has to be told of the file, as a sentence. */
  readonly problem: string | null;
}

interface Opened {
  readonly db: Database.Database;
  readonly problem: string | null;
}

const isDamaged = (reason: unknown): boolean => reason instanceof DamagedError || isDamage(reason);

/** As it is told to the person whose text it is; bugs stay what they are. */
function errorOf(reason: unknown): unknown {
  if (reason instanceof OutboxError) return reason;
  const cause = { cause: reason };
  if (reason instanceof NewerError) {
    return new OutboxError('UNAVAILABLE', storageWords('outbox_of_newer_version'), cause);
  }
  const code = codeOf(reason);
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return new OutboxError('DISK_FULL', storageWords('outbox_disk_full'), cause);
  }
  if (code === '') return reason;
  return new OutboxError('UNAVAILABLE', storageWords('outbox_disk_refuses', { code }), cause);
}

function connect(file: string): Database.Database {
  createFile(file);
  const db = new Database(file, { timeout: BUSY_MS });
  try {
    prepareOutbox(db);
    const { listItems, listDrafts, listFlags } = rowsOf(db);
    // A file may be damaged where only reading shows it.
    for (const list of [listItems, listDrafts, listFlags]) list();
    return db;
  } catch (reason) {
    db.close();
    throw reason;
  }
}

/** Takes over what can be read; the damaged file stays beside the new one, as it was. */
function repair(file: string): Opened {
  const salvaged = `${file}.salvaged`;
  const copy = readCopy(file);
  let read: ReadableCounts;
  try {
    const db = connect(salvaged);
    try {
      read = copyReadable(copy.file, writesOf(db));
    } finally {
      db.close();
    }
  } finally {
    copy.remove();
  }
  const aside = moveAside(file);
  importSalvaged(file);
  const told =
    read.messages + read.drafts === 0
      ? storageWords('outbox_lost', { file: aside })
      : storageWords('outbox_salvaged', { ...read, file: aside });
  return { db: connect(file), problem: told.message };
}

interface ReadableCounts {
  readonly messages: number;
  readonly drafts: number;
}

function copyReadable(from: string, to: Writes): ReadableCounts {
  let items: ReturnType<OutboxStore['listItems']> = [];
  let drafts: ReturnType<OutboxStore['listDrafts']> = [];
  let flags: ReturnType<OutboxStore['listFlags']> = [];
  try {
    const db = new Database(from, { timeout: BUSY_MS });
    try {
      const rows = salvage(db);
      [items, drafts, flags] = [rows.listItems(), rows.listDrafts(), rows.listFlags()];
    } finally {
      db.close();
    }
  } catch (reason) {
    // Not even the beginning of the file is readable.
    if (!isDamaged(reason)) throw reason;
  }
  to.takeOver(items, drafts, flags);
  return { messages: items.length, drafts: drafts.length };
}

function open(file: string): Opened {
  importSalvaged(file);
  try {
    return { db: connect(file), problem: null };
  } catch (reason) {
    if (!isDamaged(reason)) throw reason;
    return repair(file);
  }
}

interface Connection {
  readonly db: Database.Database;
  readonly rows: ReturnType<typeof rowsOf>;
  readonly writes: Writes;
}

/** The file, open whenever that is possible. */
class OutboxFile {
  readonly #file: string;
  readonly #listeners = new Set<() => void>();
  #connection: Connection | null = null;
  #isClosed = false;

  constructor(file: string) {
    this.#file = file;
  }

  get rows(): Connection['rows'] | null {
    return this.#connection?.rows ?? null;
  }

  /** What has to be told of it. */
  open(): string | null {
    try {
      return this.#connect().problem;
    } catch (reason) {
      const error = errorOf(reason);
      if (error instanceof OutboxError) return error.message;
      throw error;
    }
  }

  write(run: (writes: Writes) => void): void {
    try {
      if (this.#connection === null) {
        this.#connect();
        this.#announce();
      }
      if (this.#connection !== null) run(this.#connection.writes);
    } catch (reason) {
      if (this.#connection === null || !isDamaged(reason)) throw errorOf(reason);
      // The next write opens it again, which takes over what can be read.
      this.#disconnect();
      throw new OutboxError('UNAVAILABLE', storageWords('outbox_damaged'), { cause: reason });
    }
  }

  onArrival(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#disconnect();
  }

  #connect(): Opened {
    if (this.#isClosed) throw new OutboxError('UNAVAILABLE', storageWords('account_closed'));
    const opened = open(this.#file);
    const { db } = opened;
    this.#connection = { db, rows: rowsOf(db), writes: writesOf(db) };
    return opened;
  }

  #disconnect(): void {
    this.#connection?.db.close();
    this.#connection = null;
  }

  /** Opened late: whoever asked before got nothing. */
  #announce(): void {
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener();
    });
  }
}

/**
 * Opens the outbox, and creates it where there is none. One of an earlier version is migrated; a damaged one is moved aside
 * after all that can be read of it was taken over. One that cannot be opened now, as on a full disk, answers every
 * write with an OutboxError, and is opened as soon as that is possible.
 */
export function openSqliteOutbox(file: string): OpenedOutbox {
  const kept = new OutboxFile(file);
  const problem = kept.open();
  const writing =
    <A extends readonly unknown[]>(pick: (writes: Writes) => (...values: A) => void) =>
    (...values: A): void => {
      kept.write((writes) => {
        pick(writes)(...values);
      });
    };
  const outbox: OutboxStore = {
    listItems: () => kept.rows?.listItems() ?? [],
    listDrafts: () => kept.rows?.listDrafts() ?? [],
    listFlags: () => kept.rows?.listFlags() ?? [],
    putItem: writing(({ putItem }) => putItem),
    removeItem: writing(({ removeItem }) => removeItem),
    putDraft: writing(({ putDraft }) => putDraft),
    removeDraft: writing(({ removeDraft }) => removeDraft),
    submit: writing(({ submit }) => submit),
    putFlags: writing(({ putFlags }) => putFlags),
    removeFlags: writing(({ removeFlags }) => removeFlags),
    onArrival: (listener) => kept.onArrival(listener),
    close: () => {
      kept.close();
    },
  };
  return { outbox, problem };
}
