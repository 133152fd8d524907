import Database from 'better-sqlite3';
import type { LoggedEvent } from '../../ports/log.ts';
import type { KeptFrom, Operation } from '../operation.ts';
import type { Driver } from './drive.ts';
import type { EventCounter } from './event-counter.ts';

interface Job {
  readonly operation: () => Operation<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

type Attempt = { readonly value: unknown } | { readonly reason: unknown };

const isOfDatabase = (reason: unknown): boolean => reason instanceof Database.SqliteError;

interface Committed {
  /** One for each operation. */
  readonly attempts: readonly Attempt[];
  readonly events: readonly LoggedEvent[];
}

/** Tells all who asked what has come of it. */
function settle(jobs: readonly Job[], attempts: readonly Attempt[]): void {
  jobs.forEach((job, index) => {
    const outcome = attempts[index];
    if (outcome === undefined || 'reason' in outcome) job.reject(outcome?.reason);
    else job.resolve(outcome.value);
  });
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
  readonly onTouched: (from: readonly KeptFrom[]) => void;
}

/**
 * Group commit (architecture 3): everything that waits runs in one transaction, each operation in a
 * savepoint of its own, and all promises settle after the one flush.
 */
export class Writer {
  readonly #parts: WriterParts;
  /** All of them without savepoints; throws when one of them fails after it has written, and then nothing has happened. */
  readonly #quickly: Database.Transaction<(jobs: readonly Job[]) => readonly Attempt[]>;
  readonly #carefully: Database.Transaction<(jobs: readonly Job[]) => readonly Attempt[]>;
  #waiting: Job[] = [];
  #drained: (() => void)[] = [];

  constructor(db: Database.Database, parts: WriterParts) {
    this.#parts = parts;
    const { driver, counter } = parts;
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
    this.#carefully = db.transaction((jobs) => jobs.map(attempt));
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
    this.#quickly = db.transaction((jobs) => jobs.map(attemptReading));
  }

  write<T>(operation: () => Operation<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.length === 0) {
        setImmediate(() => {
          this.#flush();
        });
      }
      this.#waiting.push({ operation, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** Resolves when everything that was queued is on disk. */
  drain(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drained.push(resolve);
    });
  }

  #flush(): void {
    const jobs = this.#waiting;
    this.#waiting = [];
    const drained = this.#drained;
    this.#drained = [];
    const { attempts, events } = this.#commit(jobs);
    try {
      // Those who wait for news are told first: writing an answer takes as long as telling one of them.
      if (events.length > 0) this.#parts.onCommit(events);
    } finally {
      afterMicrotasks(() => {
        settle(jobs, attempts);
        for (const resolve of drained) resolve();
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

  #commit(jobs: readonly Job[]): Committed {
    const { driver, counter, onTouched } = this.#parts;
    const position = counter.position();
    try {
      const attempts = this.#attemptAll(jobs);
      const touched = driver.takeTouched();
      if (touched.length > 0) onTouched(touched);
      return { attempts, events: driver.takeAppended() };
    } catch (reason) {
      driver.takeAppended();
      counter.restore(position);
      return { attempts: jobs.map(() => ({ reason })), events: [] };
    }
  }
}
