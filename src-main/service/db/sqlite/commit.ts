import Database from 'better-sqlite3';
import type { LoggedEvent } from '../event-log.ts';
import type { CachedFrom, Operation } from '../operation.ts';
import type { Driver } from './run-operation.ts';
import type { CounterPosition, EventCounter } from './event-counter.ts';

interface Job {
  readonly operation: () => Operation<unknown>;
  /** Alone in its transaction, with turns for others at its pauses. */
  readonly isInParts: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** A job that has a transaction of its own, between two of its turns. */
interface RunningJob {
  readonly job: Job;
  readonly operation: Operation<unknown>;
  readonly turns: number;
  /** Before its first event; undefined until then. */
  readonly since: CounterPosition | undefined;
}

type Attempt = { readonly value: unknown } | { readonly reason: unknown };

const isOfDatabase = (reason: unknown): boolean => reason instanceof Database.SqliteError;

interface Committed {
  /** One for each operation that was run: as many of the first as there was time for. */
  readonly attempts: readonly Attempt[];
  readonly events: readonly LoggedEvent[];
}

/** Tells all who asked what has come of it. */
function settle(jobs: readonly Job[], attempts: readonly Attempt[]): void {
  attempts.forEach((outcome, index) => {
    const job = jobs[index];
    if ('reason' in outcome) job?.reject(outcome.reason);
    else job?.resolve(outcome.value);
  });
}

/** Attempts at least one, and no other once `ms` have passed: nobody is answered while a transaction is open. */
function attemptFor(
  ms: number,
  jobs: readonly Job[],
  attempt: (job: Job) => Attempt,
): readonly Attempt[] {
  const endsAt = performance.now() + ms;
  const attempts: Attempt[] = [];
  for (const job of jobs) {
    attempts.push(attempt(job));
    if (performance.now() >= endsAt) break;
  }
  return attempts;
}

// eslint-disable-next-line require-yield -- it only stands in the queue
function* nothing(): Operation<void> {
  return;
}

/** In the same turn, when nothing is left of what was resolved before. */
function afterMicrotasks(callback: () => void): void {
  queueMicrotask(() => {
    process.nextTick(callback);
  });
}

export interface WriterParts {
  readonly driver: Driver;
  readonly counter: EventCounter;
  readonly onCommit: (events: readonly LoggedEvent[]) => void;
  /** Called after a commit that changed what kept answers were read from, before anybody can read again. */
  readonly onTouched: (from: readonly CachedFrom[]) => void;
  /** After how long a commit takes no further operation; the others have another one, with a turn for others between. */
  readonly commitMs: number;
}

/**
 * Group commit (architecture 3): what waits runs in one transaction, each operation in a savepoint of its
 * own, and all promises settle after the one flush.
 */
export class Writer {
  readonly #db: Database.Database;
  readonly #parts: WriterParts;
  /** All of them without savepoints; throws when one of them fails after it has written, and then nothing has happened. */
  readonly #quickly: Database.Transaction<(jobs: readonly Job[]) => readonly Attempt[]>;
  readonly #carefully: Database.Transaction<(jobs: readonly Job[]) => readonly Attempt[]>;
  #waiting: Job[] = [];
  #copyLog = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#db.open) this.#db.pragma('wal_checkpoint(PASSIVE)');
  };

  constructor(db: Database.Database, parts: WriterParts) {
    this.#db = db;
    this.#parts = parts;
    const { driver, counter, commitMs } = parts;
    const alone = db.transaction((job: Job): unknown => driver.drive(job.operation()));
    const attempt = (job: Job): Attempt => {
      const appended = driver.countAppended();
      const position = counter.position();
      try {
        return { value: alone(job) };
      } catch (reason) {
        // Without a transaction SQLite dropped the whole batch, not only this savepoint (disk full, I/O error).
        if (!db.inTransaction) throw reason;
        driver.forgetAppended(appended);
        counter.restore(position);
        return { reason };
      }
    };
    this.#carefully = db.transaction((jobs) => attemptFor(commitMs, jobs, attempt));
    const attemptReading = (job: Job): Attempt => {
      const written = driver.countWritten();
      try {
        return { value: driver.drive(job.operation()) };
      } catch (reason) {
        // What refuses before it has written anything leaves nothing to undo.
        const isRefusal = driver.countWritten() === written && !isOfDatabase(reason);
        if (!isRefusal) throw reason;
        return { reason };
      }
    };
    this.#quickly = db.transaction((jobs) => attemptFor(commitMs, jobs, attemptReading));
  }

  write<T>(operation: () => Operation<T>): Promise<T> {
    return this.#queue(operation, false);
  }

  /** The same for what takes long: its transaction stays open while others read, and who writes waits behind it. */
  writeInParts<T>(operation: () => Operation<T>): Promise<T> {
    return this.#queue(operation, true);
  }

  /** Copies the log into the file, after what has left a long one. */
  copyLogBy(copy: () => Promise<void>): void {
    this.#copyLog = copy;
  }

  #queue<T>(operation: () => Operation<T>, isInParts: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.length === 0) this.#flushSoon();
      const settles = { resolve: resolve as (value: unknown) => void, reject };
      this.#waiting.push({ operation, isInParts, ...settles });
    });
  }

  /** Resolves when everything that was queued is on disk, or has failed. */
  async drain(): Promise<void> {
    if (this.#waiting.length > 0) await this.write(nothing).catch(() => undefined);
  }

  #flushSoon(): void {
    setImmediate(() => {
      this.#flush();
    });
  }

  #flush(): void {
    const [first] = this.#waiting;
    if (first?.isInParts === true) {
      this.#begin(first);
      return;
    }
    const next = this.#waiting.findIndex((job) => job.isInParts);
    const jobs = next === -1 ? this.#waiting : this.#waiting.slice(0, next);
    this.#finish(jobs, this.#commit(jobs));
  }

  #begin(job: Job): void {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
    } catch (reason) {
      this.#finish([job], { attempts: [{ reason }], events: [] });
      return;
    }
    this.#goOn({ job, operation: job.operation(), turns: 1, since: undefined });
  }

  /** The job stays the first of those that wait, so that nothing else is begun. */
  #goOn(running: RunningJob): void {
    const next = this.#advance(running);
    if ('attempts' in next) {
      this.#finish([running.job], next);
      return;
    }
    setImmediate(() => {
      this.#goOn(next);
    });
  }

  /** What was recorded before a pause is told with the rest: ids of events are handed to others in their order. */
  #advance(running: RunningJob): Committed | RunningJob {
    const { counter, driver, commitMs } = this.#parts;
    const since = running.since ?? counter.position();
    counter.hideSince(undefined);
    try {
      const done = driver.driveOn(running.operation, commitMs);
      if (done !== undefined) {
        this.#commitParts(running);
        return { attempts: [done], events: this.#tellTouched() };
      }
      if (driver.countAppended() === 0) return { ...running, turns: running.turns + 1 };
      counter.hideSince(since);
      return { ...running, turns: running.turns + 1, since };
    } catch (reason) {
      // SQLite itself may have rolled back (disk full, I/O error).
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      driver.takeAppended();
      driver.takeTouched();
      counter.restore(since);
      return { attempts: [{ reason }], events: [] };
    }
  }

  /** What takes long leaves a long log: copying it into the file is for another thread, or has a turn of its own. */
  #commitParts({ turns }: RunningJob): void {
    const db = this.#db;
    if (turns === 1) {
      db.exec('COMMIT');
      return;
    }
    const copiedAt = Number(db.pragma('wal_autocheckpoint', { simple: true }));
    db.pragma('wal_autocheckpoint = 0');
    const copyAgain = (): void => {
      if (db.open) db.pragma(`wal_autocheckpoint = ${String(copiedAt)}`);
    };
    try {
      db.exec('COMMIT');
    } catch (reason) {
      copyAgain();
      throw reason;
    }
    // It is all in the log: what fails is made up for by a later commit.
    void this.#copyLog()
      .catch(() => undefined)
      .then(copyAgain);
  }

  #finish(jobs: readonly Job[], { attempts, events }: Committed): void {
    this.#waiting = this.#waiting.slice(attempts.length);
    if (this.#waiting.length > 0) this.#flushSoon();
    try {
      // Those who wait for news are told first: writing an answer takes as long as telling one of them.
      if (events.length > 0) this.#parts.onCommit(events);
    } finally {
      afterMicrotasks(() => {
        settle(jobs, attempts);
      });
    }
  }

  /** Only a batch in which an operation fails after it has written is run again, each operation in a savepoint. */
  #attemptAll(jobs: readonly Job[]): readonly Attempt[] {
    const { driver, counter } = this.#parts;
    const position = counter.position();
    try {
      return this.#quickly.immediate(jobs);
    } catch {
      driver.takeAppended();
      driver.takeTouched();
      counter.restore(position);
      return this.#carefully.immediate(jobs);
    }
  }

  /** After a commit; answers its events. */
  #tellTouched(): readonly LoggedEvent[] {
    const { driver, onTouched } = this.#parts;
    const touched = driver.takeTouched();
    if (touched.length > 0) onTouched(touched);
    return driver.takeAppended();
  }

  #commit(jobs: readonly Job[]): Committed {
    const { driver, counter } = this.#parts;
    const position = counter.position();
    try {
      const attempts = this.#attemptAll(jobs);
      return { attempts, events: this.#tellTouched() };
    } catch (reason) {
      driver.takeAppended();
      counter.restore(position);
      return { attempts: jobs.map(() => ({ reason })), events: [] };
    }
  }
}
