/** Keeps the search index up with what was sent: after the acknowledgement, on a thread of its own. */
import type { LoggedEvent } from '#service/db/event-log.ts';
import type { Clock } from '#node/clock.ts';
import type { Log } from '#node/log.ts';
import { IndexDamaged, type Indexing, type Store } from '#service/db/port.ts';

/** How long messages are gathered before they are indexed; a search reads them for itself until then. */
const GATHER_MS = 200;
/** The same where the thread has to be started for them. */
const FIRST_GATHER_MS = 1500;
/** What fails again is tried after twice as long each time: a full disk is not emptied, or a log filled, by trying. */
const FIRST_RETRY_MS = 5000;
const LAST_RETRY_MS = 60_000;
/** What is damaged again before that was not mended by making the index anew. */
const MEND_PAUSE_MS = 60 * 60_000;
/** How long nothing was to be done before the thread ends. */
const REST_MS = 30_000;

/** What leaves something to be indexed. */
const relevant: ReadonlySet<string> = new Set([
  'message',
  'update_message',
  'delete_message',
  'messages_recovered',
]);

export interface SearchIndexerParts {
  readonly store: Pick<Store, 'isSearchBehind' | 'settleIndexed' | 'remakeIndex' | 'adoptIndex'>;
  readonly indexing: Indexing;
  readonly clock: Clock;
  readonly log: Log;
}

export class SearchIndexer {
  readonly #parts: SearchIndexerParts;
  /** Whether something was committed that the last block did not see. */
  #isBehind = false;
  #isStopped = false;
  #isResting = true;
  #isDamaged = false;
  #mendedAtMs = -Infinity;
  #retryMs = FIRST_RETRY_MS;
  /** Told when it was tried to mend the index. */
  #mending: (() => void)[] = [];
  #cancelTimer: (() => void) | null = null;
  #running: Promise<void> | null = null;

  constructor(parts: SearchIndexerParts) {
    this.#parts = parts;
  }

  /** Goes on where the process before this one stopped. */
  async start(): Promise<void> {
    try {
      if (!(await this.#parts.store.isSearchBehind())) return;
      this.#isBehind = true;
      // Searches do not look beyond it.
      this.#setTimer(GATHER_MS);
    } catch (reason) {
      // Everything else works without it.
      this.#parts.log.error('the search index cannot be read', { cause: reason });
      this.#noteWork();
    }
  }

  /** Takes note of what was committed. */
  note(events: readonly LoggedEvent[]): void {
    if (events.some(({ type }) => relevant.has(type))) this.#noteWork();
  }

  /** The index is damaged: it is made anew. Settles when that was tried, or is of no use. */
  async mend(): Promise<void> {
    if (!this.#noteDamage()) return;
    await new Promise<void>((resolve) => {
      this.#mending.push(resolve);
      if (this.#running === null) this.#setTimer(0);
    });
  }

  /** Has the thread of the index copy the log of the database into its file. */
  async copyLog(): Promise<void> {
    if (!this.#isStopped) await this.#parts.indexing.copyLog?.();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer?.();
    await this.#running;
    this.#endMending();
    await this.#parts.indexing.rest();
  }

  #noteWork(): void {
    if (this.#isBehind) return;
    this.#isBehind = true;
    if (this.#running !== null) return;
    this.#setTimer(this.#isResting ? FIRST_GATHER_MS : GATHER_MS);
  }

  /** Answers whether the index is to be made anew. */
  #noteDamage(): boolean {
    const isRecent = this.#parts.clock.now() - this.#mendedAtMs < MEND_PAUSE_MS;
    if (this.#isStopped || isRecent) return false;
    this.#isDamaged = true;
    this.#isBehind = true;
    return true;
  }

  #endMending(): void {
    for (const resolve of this.#mending) resolve();
    this.#mending = [];
  }

  async #remake(): Promise<void> {
    const { indexing, store, clock, log } = this.#parts;
    try {
      await indexing.rest();
      await store.remakeIndex();
      this.#isDamaged = false;
      this.#mendedAtMs = clock.now();
      log.warn('the search index was damaged, and is made anew');
    } finally {
      this.#endMending();
    }
  }

  async #adopt(): Promise<void> {
    const { indexing, store, log } = this.#parts;
    await indexing.rest();
    await store.adoptIndex();
    log.info('the search index was made anew in its new form');
  }

  #setTimer(delayMs: number): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#isStopped) return;
    this.#cancelTimer = this.#parts.clock.setTimer(() => {
      this.#cancelTimer = null;
      this.#running = (this.#isBehind ? this.#index() : this.#rest()).then((delay) => {
        this.#running = null;
        if (delay !== null) this.#setTimer(delay);
      });
    }, delayMs);
  }

  /** Answers after how many milliseconds there is something to do again. */
  async #index(): Promise<number> {
    const { indexing, store } = this.#parts;
    this.#isResting = false;
    try {
      for (let isMore = true; isMore && !this.#isStopped;) {
        if (this.#isDamaged) await this.#remake();
        this.#isBehind = false;
        const { settled, isBehind, isBuilt } = await indexing.index();
        if (settled.length > 0) await store.settleIndexed(settled);
        if (isBuilt === true) await this.#adopt();
        isMore = isBehind;
        this.#retryMs = FIRST_RETRY_MS;
      }
      return this.#isBehind ? GATHER_MS : REST_MS;
    } catch (reason) {
      if (reason instanceof IndexDamaged && this.#noteDamage()) return 0;
      this.#parts.log.error('the search index could not be brought up to date', { cause: reason });
      this.#isBehind = true;
      const pauseMs = this.#retryMs;
      this.#retryMs = Math.min(2 * pauseMs, LAST_RETRY_MS);
      return pauseMs;
    }
  }

  async #rest(): Promise<number | null> {
    this.#isResting = true;
    await this.#parts.indexing.rest();
    return this.#isBehind ? FIRST_GATHER_MS : null;
  }
}

/** The index follows every commit from here on. */
export async function startSearchIndexer(
  parts: SearchIndexerParts & { readonly store: Store },
): Promise<SearchIndexer> {
  const { store, indexing } = parts;
  const indexer = new SearchIndexer(parts);
  store.onCommit((events) => {
    indexer.note(events);
  });
  store.onIndexDamage(() => indexer.mend());
  if (indexing.copyLog !== undefined) store.onLongLog(() => indexer.copyLog());
  await indexer.start();
  return indexer;
}
