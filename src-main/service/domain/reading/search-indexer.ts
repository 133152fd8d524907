/** Keeps the search index up with what was sent: after the acknowledgement, in small blocks, between other work. */
import type { LoggedEvent } from '../../ports/log.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Store } from '../../store/port.ts';
import { indexEntry } from '../rules/messages/index-entry.ts';
import { turn } from './turn.ts';

/** How long messages are gathered before they are indexed. */
const GATHER_MS = 200;
const RETRY_MS = 5000;
const BLOCK_MESSAGES = 256;
/** Sends wait for a block: while messages come in one by one, it is a short one. */
const SHORT_MS = 2;
const LONG_MS = 8;
const SHORT_BLOCKS = 5;
const MERGED_PAGES = 16;

/** What leaves something to be indexed. */
const relevant: ReadonlySet<string> = new Set([
  'message',
  'update_message',
  'delete_message',
  'messages_recovered',
]);

export interface SearchIndexerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

export class SearchIndexer {
  readonly #parts: SearchIndexerParts;
  /** At the start nobody knows what the process before this one has left. */
  #isBehind = true;
  #isStopped = false;
  #cancelTimer: (() => void) | null = null;
  #running: Promise<void> | null = null;

  constructor(parts: SearchIndexerParts) {
    this.#parts = parts;
  }

  /** Goes on where the process before this one stopped. */
  start(): void {
    this.#schedule(0);
  }

  /** Takes note of what was committed. */
  note(events: readonly LoggedEvent[]): void {
    if (!events.some(({ type }) => relevant.has(type))) return;
    this.#isBehind = true;
    this.#schedule(GATHER_MS);
  }

  /** Indexes what waits as far as one block goes, so that a search has little to read for itself. */
  async catchUp(): Promise<void> {
    if (!this.#isBehind || this.#isStopped || this.#running !== null) return;
    try {
      await this.#indexBlock(LONG_MS);
    } catch (reason) {
      // The search itself reads what is not indexed; the timer tries again.
      this.#report(reason);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer?.();
    await this.#running;
  }

  #schedule(delayMs: number): void {
    if (this.#isStopped || this.#running !== null) return;
    this.#cancelTimer ??= this.#parts.clock.setTimer(() => {
      this.#cancelTimer = null;
      this.#running = this.#run().then((isDone) => {
        this.#running = null;
        if (this.#isBehind) this.#schedule(isDone ? GATHER_MS : RETRY_MS);
      });
    }, delayMs);
  }

  /** Answers whether it went well. */
  async #run(): Promise<boolean> {
    try {
      for (let block = 0; this.#isBehind && !this.#isStopped; block += 1) {
        await this.#indexBlock(block < SHORT_BLOCKS ? SHORT_MS : LONG_MS);
        await this.#parts.store.mergeSearchIndex(MERGED_PAGES);
        await turn();
      }
      while (!this.#isStopped && (await this.#parts.store.mergeSearchIndex(MERGED_PAGES)))
        await turn();
      return true;
    } catch (reason) {
      this.#report(reason);
      return false;
    }
  }

  async #indexBlock(milliseconds: number): Promise<void> {
    const { store } = this.#parts;
    await store.indexMessages(indexEntry, { messages: BLOCK_MESSAGES, milliseconds });
    this.#isBehind = await store.isSearchBehind();
  }

  #report(reason: unknown): void {
    this.#parts.log.error('the search index could not be brought up to date', { cause: reason });
  }
}
