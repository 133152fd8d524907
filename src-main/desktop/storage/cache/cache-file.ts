import type Database from 'better-sqlite3';
import { cacheError, isDamage } from './errors.ts';
import { suspect } from './open.ts';
import type { Purge } from './purge.ts';

/** How long a deletion may take to leave the index, before it goes on with the next write. */
const PURGE_MS = 100;

interface LossHandlers {
  /** What was just written is not there: nothing may be remembered of it. */
  readonly lost: () => void;
  /** Before the next write: what is here may have gaps. */
  readonly recover: () => void;
}

/** Reads and writes of the file of a cache, and what follows where one of them fails. */
export class CacheFile {
  readonly #db: Database.Database;
  readonly #file: string;
  readonly #purge: Purge;
  readonly #handlers: LossHandlers;
  #hasLost = false;
  /** Something in the transaction that runs. */
  #failed = false;

  constructor(db: Database.Database, file: string, purge: Purge, handlers: LossHandlers) {
    this.#db = db;
    this.#file = file;
    this.#purge = purge;
    this.#handlers = handlers;
  }

  /** Something could not be written: what is here may have gaps that no coverage tells. */
  get hasLost(): boolean {
    return this.#hasLost;
  }

  read<T>(run: () => T): T {
    try {
      return run();
    } catch (reason) {
      throw this.#failure(reason);
    }
  }

  /** Everything or nothing. One inside of another is a part of it: where it fails, all of it fails. */
  write<T>(run: () => T): T {
    try {
      return this.#db.inTransaction ? run() : this.#transact(run);
    } catch (reason) {
      this.#failed = true;
      throw this.#failure(reason);
    }
  }

  /** The same of what is no message: it leaves no gap among them where it cannot be written. */
  writeExtra(run: () => void): void {
    const hasLost = this.#hasLost;
    try {
      this.write(run);
    } catch (error) {
      if (!this.#db.inTransaction) this.#hasLost = hasLost;
      throw error;
    }
  }

  /** Where it fails, as on a full disk, the next write tries again. */
  runPurge(): void {
    try {
      this.#purge.run(PURGE_MS);
    } catch (reason) {
      if (isDamage(reason)) suspect(this.#file);
    }
  }

  // No savepoints: each of them makes the index write what it has gathered.
  #transact<T>(run: () => T): T {
    this.#failed = false;
    try {
      const answer = this.#db.transaction(() => {
        if (this.#hasLost) this.#handlers.recover();
        const result = run();
        if (this.#failed) throw new Error('a part of what was to be kept has failed');
        this.#hasLost = false;
        return result;
      })();
      this.runPurge();
      return answer;
    } catch (reason) {
      this.#hasLost = true;
      this.#handlers.lost();
      throw reason;
    }
  }

  #failure(reason: unknown): unknown {
    if (isDamage(reason)) suspect(this.#file);
    return cacheError(reason);
  }
}
