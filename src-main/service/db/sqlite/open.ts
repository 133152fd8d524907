import Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultLimits } from '#shared/limits.ts';
import type { LoggedEvent } from '../event-log.ts';
import { FORM, OLDEST_FORM, sqlFrom } from '../migrations/index.ts';
import type { Operation } from '../operation.ts';
import {
  cachedReads,
  versionReads,
  type Reading,
  reads,
  recording,
  type Store,
  StoreOpenError,
  type Transaction,
  writes,
} from '../port.ts';
import { isWhole } from './integrity-check.ts';
import { Writer } from './commit.ts';
import { createDriver, type Driver } from './run-operation.ts';
import { createEventCounter, type EventCounter } from './event-counter.ts';
import { searchReads, searchWrites } from './search.ts';
import {
  attachEmptyIndex,
  attachSearchFile,
  giveUpSearchFile,
  prepareSearchFile,
  adoptSearchFile,
  remakeSearchFile,
  searchFileOf,
} from './search-file.ts';
import { createMemory, type MemoryOptions } from './memory.ts';
import { keepPrivate } from './private-file.ts';
import type { ReadCache } from './read-cache.ts';
import { giveUpReserve, keepReserve } from './disk-reserve.ts';
import { codeOf, isCorruption, isDamage, isDiskFull } from '#node/error-code.ts';
import { serviceWords } from '#shared/i18n/service-words.ts';

const APPLICATION_ID = 0x48727468;

export function openError(file: string, reason: unknown): unknown {
  if (reason instanceof StoreOpenError) return reason;
  const code = codeOf(reason);
  if (isDamage(reason)) return damaged(file, reason);
  if (code.startsWith('SQLITE_BUSY')) {
    return new StoreOpenError('IN_USE', serviceWords('database_in_use', { file }), reason);
  }
  if (isDiskFull(reason)) {
    return new StoreOpenError('UNWRITABLE', serviceWords('database_disk_full', { file }), reason);
  }
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|IOERR)/.test(code)) {
    const told = serviceWords('database_not_writable', { file });
    return new StoreOpenError('UNWRITABLE', told, reason);
  }
  return reason;
}

const damaged = (file: string, cause?: unknown): StoreOpenError =>
  new StoreOpenError('DAMAGED', serviceWords('database_damaged', { file }), cause);

/** The operating system gives the lock back when the process ends, however it ends. */
export function lock(file: string): Database.Database {
  const lockFile = join(dirname(file), 'hearth.lock');
  const held = new Database(lockFile, { timeout: 0 });
  try {
    // Nothing is ever written, not even a journal: the disk may be full.
    held.pragma('journal_mode = MEMORY');
    held.exec('BEGIN EXCLUSIVE');
    return held;
  } catch (reason) {
    held.close();
    if (codeOf(reason).startsWith('SQLITE_BUSY')) {
      throw new StoreOpenError('IN_USE', serviceWords('database_served', { file }), reason);
    }
    if (codeOf(reason) === 'SQLITE_NOTADB') {
      const told = serviceWords('database_lock_damaged', { file: lockFile });
      throw new StoreOpenError('DAMAGED', told, reason);
    }
    throw reason;
  }
}

/** Settings of the connection that writes. */
export function configure(db: Database.Database): void {
  db.pragma('journal_mode = WAL');
  // The library is compiled so that WAL runs at NORMAL, which loses acknowledged writes in a power cut.
  db.pragma('synchronous = FULL');
  if (db.pragma('synchronous', { simple: true }) !== 2) throw new Error('synchronous is not FULL');
  db.pragma('foreign_keys = ON');
  db.pragma('wal_autocheckpoint = 10000');
  db.pragma('journal_size_limit = 67108864');
  // KiB. What is not in it comes out of the memory of the system; writing touches the ends of its tables.
  db.pragma('cache_size = -4096');
}

/** Answers the version; changes nothing, because the file may be somebody else's. */
export function identify(db: Database.Database, file: string): number {
  const version = Number(db.pragma('user_version', { simple: true }));
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  const isMarked = db.pragma('application_id', { simple: true }) === APPLICATION_ID;
  if (version === 0 ? !isEmpty : !isMarked) {
    throw new StoreOpenError('DAMAGED', serviceWords('database_foreign', { file }));
  }
  if (version > FORM) {
    throw new StoreOpenError(
      'NEWER',
      serviceWords('database_of_newer_version', { file, format: version, highest: FORM }),
    );
  }
  if (version > 0 && version < OLDEST_FORM) {
    throw new StoreOpenError(
      'DAMAGED',
      serviceWords('database_too_old', { file, format: version, lowest: OLDEST_FORM }),
    );
  }
  return version;
}

/** To the newest version. */
export function migrate(db: Database.Database, version: number): void {
  // Also where there is nothing to migrate: a file that may not be written is found out here.
  try {
    db.transaction(() => {
      db.exec(sqlFrom(version));
      db.pragma(`user_version = ${String(FORM)}`);
      db.pragma(`application_id = ${String(APPLICATION_ID)}`);
    }).immediate();
  } catch (reason) {
    // What is there can still be read.
    if (version < FORM || !isDiskFull(reason)) throw reason;
  }
}

type Operations = Readonly<Record<string, (...values: never[]) => Operation<unknown>>>;

function bind(
  operations: Operations,
  start: (operation: () => Operation<unknown>, name: string, values: never[]) => Promise<unknown>,
): Record<string, unknown> {
  const port: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries(operations)) {
    port[name] = (...values: never[]) => start(() => operation(...values), name, values);
  }
  return port;
}

/**
 * The reads, of which the kept ones are answered from memory as long as nothing in the transaction has changed their
 * tables: until then they are what was committed last.
 */
function withCachedReads(driver: Driver, cache: ReadCache): Reading {
  const steps: Record<string, unknown> = { ...reads, ...versionReads };
  for (const name of cachedReads) {
    const operation = (reads as Operations)[name];
    if (operation === undefined) throw new Error(`no read ${name}`);
    steps[name] = function* (...values: never[]): Operation<unknown> {
      if (driver.isTouched('directory')) return yield* operation(...values);
      return cache.answer(name, values, () => driver.drive(operation(...values)));
    };
  }
  return steps as unknown as Reading;
}

interface Connections {
  readonly file: string;
  readonly writing: Database.Database;
  readonly reading: Database.Database;
  readonly held: Database.Database;
  readonly counter: EventCounter;
}

function prepare(writing: Database.Database, file: string): EventCounter {
  const version = identify(writing, file);
  if (!isWhole(writing, file)) throw damaged(file);
  configure(writing);
  migrate(writing, version);
  const counter = createEventCounter(writing);
  if (counter === undefined) throw damaged(file);
  return counter;
}

/**
 * @returns false where there is no index, because the disk is full
 * @throws StoreOpenError, which names the file of the index where that is what cannot be used
 */
function prepareIndex(writing: Database.Database, file: string): boolean {
  try {
    return prepareSearchFile(writing, file);
  } catch (reason) {
    throw openError(searchFileOf(file), reason);
  }
}

/** Reads the database and its search index. It may not be opened for reading alone: it can be the first to open the index. */
function openReading(file: string, hasIndex: boolean): Database.Database {
  const reading = new Database(file, { fileMustExist: true, timeout: 5000 });
  try {
    if (hasIndex) attachSearchFile(reading, file);
    else attachEmptyIndex(reading);
    reading.pragma('query_only = ON');
    // KiB: what the index does not have of 16 MiB.
    reading.pragma('main.cache_size = -12288');
    return reading;
  } catch (reason) {
    reading.close();
    throw reason;
  }
}

type OpenedConnections = Omit<Connections, 'file' | 'held'>;

function openOnce(file: string): OpenedConnections {
  const writing = new Database(file, { timeout: 5000 });
  try {
    const counter = prepare(writing, file);
    const hasIndex = prepareIndex(writing, file);
    return { writing, reading: openReading(file, hasIndex), counter };
  } catch (reason) {
    writing.close();
    throw reason;
  }
}

/** What can be done without, the least missed first. */
const spare: readonly ((file: string) => void)[] = [giveUpReserve, giveUpSearchFile];

/** On a full disk room is made for what reading needs. */
function openWithRoom(file: string, [makeRoom, ...others] = spare): OpenedConnections {
  try {
    return openOnce(file);
  } catch (reason) {
    if (makeRoom === undefined || !isDiskFull(reason)) throw reason;
    makeRoom(file);
    return openWithRoom(file, others);
  }
}

function connect(file: string): Connections {
  const held = lock(file);
  try {
    keepPrivate(file);
    const opened = openWithRoom(file);
    keepReserve(file);
    return { file, held, ...opened };
  } catch (reason) {
    held.close();
    throw reason;
  }
}

type Read = (
  operation: () => Operation<unknown>,
  name: string,
  values: readonly unknown[],
) => Promise<unknown>;

/** Searches, which are tried once more where they meet damage and somebody mends that. */
function bindSearch(
  connections: Connections,
  read: Read,
  drain: () => Promise<void>,
): Record<string, unknown> {
  let mend: (() => Promise<void>) | undefined;
  const search: Read = (...asked) =>
    read(...asked).catch(async (reason: unknown) => {
      if (mend === undefined || !isCorruption(reason)) throw reason;
      await mend();
      return read(...asked);
    });
  return {
    ...bind(searchReads, search),
    onIndexDamage: (asked: () => Promise<void>) => void (mend = asked),
    async remakeIndex() {
      // It writes by itself, and must not do so in the transaction of somebody else.
      await drain();
      remakeSearchFile(connections, connections.file);
    },
    adoptIndex: async () => adoptSearchFile(connections, connections.file),
  };
}

interface StoreOptions extends MemoryOptions {
  readonly commitMs: number;
}

function disconnect({ file, reading, writing, held }: Connections): void {
  reading.close();
  try {
    writing.pragma('wal_checkpoint(TRUNCATE)');
  } catch (reason) {
    // The log stays beside the database, and is read with it.
    if (!isDiskFull(reason)) throw reason;
  } finally {
    writing.close();
    // What was given up for this run is needed by the next one.
    keepReserve(file);
    held.close();
  }
}

function assemble(connections: Connections, { commitMs, ...memory }: StoreOptions): Store {
  const { writing, reading, counter } = connections;
  const listeners = new Set<(events: readonly LoggedEvent[]) => void>();
  const { caches, messages, invalidators } = createMemory(writing, memory);
  const cache = caches.directory;
  const changer = createDriver(writing, counter, { caches });
  const writer = new Writer(writing, {
    onTouched: (touched) => touched.forEach((from) => invalidators[from].forEach((tell) => tell())),
    driver: changer,
    counter,
    commitMs,
    onCommit(events) {
      for (const listener of listeners) listener(events);
    },
  });
  const reader = createDriver(reading, counter, { caches, messages });
  // No transaction is needed for the statements of an operation to agree: they run in one go, on the thread of the
  // only writer. Beginning and ending one costs more than most reads.
  const read: Read = (operation, name, values) =>
    new Promise((resolve) => {
      const ask = (): unknown => reader.drive(operation());
      resolve(cachedReads.has(name) ? cache.answer(name, values, ask) : ask());
    });

  const looking = withCachedReads(reader, cache);
  const transaction: Transaction = { ...withCachedReads(changer, cache), ...writes, ...recording };
  return {
    ...bind(reads, read),
    ...bind(writes, (operation) => writer.write(operation)),
    read: <T>(look: (tx: Reading) => Operation<T>) =>
      new Promise<T>((resolve) => {
        resolve(reader.drive(look(looking)));
      }),
    change: <T>(work: (tx: Transaction) => Operation<T>) => writer.write(() => work(transaction)),
    changeInParts: <T>(work: (tx: Transaction) => Operation<T>) =>
      writer.writeInParts(() => work(transaction)),
    ...bindSearch(connections, read, () => writer.drain()),
    ...bind(searchWrites, (operation) => writer.write(operation)),
    onCommit(listener: (events: readonly LoggedEvent[]) => void) {
      listeners.add(listener);
    },
    onLongLog: (copy: () => Promise<void>) => writer.copyLogBy(copy),
    onDirectoryChange: (listener: () => void) => void invalidators.directory.add(listener),
    lastEventId: () => counter.last(),
    directoryVersion: caches.directory.version,
    async takeEventId() {
      return (
        counter.takeReserved() ??
        (await writer.write(function* (): Operation<number> {
          // Nothing to write but the reservation itself.
          return yield* reserveOne(counter.takeInTransaction);
        }))
      );
    },
    async close() {
      await writer.drain();
      disconnect(connections);
    },
  } as unknown as Store;
}

// eslint-disable-next-line require-yield -- runs inside the writer's transaction, which is all it needs
function* reserveOne(take: () => number): Operation<number> {
  return take();
}

/**
 * Opens, and where needed creates or migrates, the database.
 * @throws StoreOpenError when the file cannot be used, with one sentence that says why
 */

export async function openStore({
  file,
  messageBytes = defaultLimits.memoryBytes,
  foreignWritesMs = 100,
  commitMs = 10,
}: {
  readonly file: string;
  /** How much is kept of messages that were read lately. */
  readonly messageBytes?: number;
  /** How long what another program writes into the file may stay unseen; 0 for the next turn of the event loop. */
  readonly foreignWritesMs?: number;
  /** After how long a commit takes no further operation; `Infinity` for all that wait. */
  readonly commitMs?: number;
}): Promise<Store> {
  if (!existsSync(dirname(file))) {
    const told = serviceWords('database_folder_missing', { folder: dirname(file) });
    throw new StoreOpenError('UNWRITABLE', told);
  }
  let connections: Connections;
  try {
    connections = connect(file);
  } catch (reason) {
    throw openError(file, reason);
  }
  return assemble(connections, { messageBytes, foreignWritesMs, commitMs });
}
