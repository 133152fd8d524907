/** The sync of an account on a storage that may be full, or damaged. */
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { CacheError } from '../cache/port.ts';
import type { AccountStorage } from '../ports.ts';
import { SyncState } from './account-sync.ts';
import type { PreviousSyncState, SyncStateParts } from './sync-parts.ts';

export interface CachedSyncStateParts extends Omit<SyncStateParts, 'cache' | 'failed'> {
  readonly accountId: string;
  readonly storage: AccountStorage;
  /** What cannot be kept, as a sentence; null when all is well again. */
  readonly problem: (sentence: string | null) => void;
  /** It begins anew: the position in the event log is lost. */
  readonly reopened: () => void;
}

export class CachedSyncState {
  readonly #parts: CachedSyncStateParts;
  #current: SyncState;
  /** What was found when it was opened: the person keeps being told. */
  #found: string | null = null;
  #problem: string | null = null;
  #isFull = false;
  #isClosed = false;

  constructor(parts: CachedSyncStateParts) {
    this.#parts = parts;
    this.#current = this.#open();
  }

  get current(): SyncState {
    return this.#current;
  }

  get problem(): string | null {
    return this.#problem;
  }

  /**
   * Runs what writes. A full disk is told, and the caller tries again later; storage that is damaged is made anew.
   * @returns the failure, which has been told
   */
  write(run: (sync: SyncState) => void): Outcome<null> {
    try {
      run(this.#current);
    } catch (error) {
      if (!(error instanceof CacheError)) throw error;
      this.#isFull = error.code === 'DISK_FULL';
      this.failed(error);
      return failure(error.code, error.message);
    }
    this.#isFull = false;
    this.#tell(this.#found);
    return success(null);
  }

  /** The disk did not take the last write: what the service told stays there. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Somebody else found that the cache cannot be read or written. */
  failed(error: CacheError): void {
    if (this.#isClosed) return;
    this.#tell(error.message);
    if (error.code !== 'DISK_FULL') this.#reopen();
  }

  /** Removes what was kept and begins anew. */
  clear(): Outcome<null> {
    const cleared = this.write(({ cache }) => {
      cache.clear();
    });
    if (cleared.ok) this.#reopen();
    return cleared;
  }

  close(): void {
    this.#isClosed = true;
    this.#current.cache.close();
  }

  #open(earlier?: PreviousSyncState): SyncState {
    const { accountId, storage } = this.#parts;
    const { cache, problem } = storage.openCache(accountId);
    this.#found = problem;
    this.#problem = problem;
    const sync = new SyncState(
      {
        ...this.#parts,
        cache,
        failed: (error) => {
          // Whoever found out goes on with this sync until it is done.
          queueMicrotask(() => {
            if (this.#current === sync) this.failed(error);
          });
        },
      },
      earlier,
    );
    sync.open();
    return sync;
  }

  #reopen(): void {
    const { cache, state, newestMessageId } = this.#current;
    cache.close();
    this.#current = this.#open({ state, newestMessageId });
    if (this.#problem !== null) this.#parts.problem(this.#problem);
    this.#parts.reopened();
  }

  #tell(sentence: string | null): void {
    if (sentence === this.#problem) return;
    this.#problem = sentence;
    this.#parts.problem(sentence);
  }
}
