/** What was decided about the last messages of all accounts, kept so that a restart rings for none of them again. */
import type {
  NotificationLogRecord,
  NotificationLogEntry,
} from '#shared/bridge/models/notifications.ts';
import { NOTIFICATION_LOG_LIMIT } from '#shared/bridge/models/notifications.ts';
import type { Clock, NotificationLogStore } from '../ports.ts';

/** Decisions that made no sound and showed nothing can wait this long for the disk. */
const LAZY_WRITE_MS = 1000;

export class NotificationLog {
  /** Settles when what was kept is known; never rejects. */
  readonly ready: Promise<void>;
  readonly #store: NotificationLogStore;
  readonly #clock: Pick<Clock, 'wait'>;
  readonly #lastDecided = new Map<string, number>();
  readonly #stopped = new AbortController();
  #entries: readonly NotificationLogEntry[] = [];
  #isChanged = false;
  #writing: Promise<void> = Promise.resolve();
  #isWaiting = false;

  constructor(store: NotificationLogStore, clock: Pick<Clock, 'wait'>) {
    this.#store = store;
    this.#clock = clock;
    this.ready = this.#load();
  }

  /** Newest first. */
  entries(): readonly NotificationLogEntry[] {
    return this.#entries.toReversed();
  }

  /** Every message up to this one was decided about; 0 where there was none. Known once it is `ready`. */
  lastDecided(accountId: string): number {
    return this.#lastDecided.get(accountId) ?? 0;
  }

  /** Smaller than before only where the service lost messages: their ids may come again. */
  setLastDecided(accountId: string, messageId: number): void {
    if (this.#lastDecided.get(accountId) === messageId) return;
    this.#lastDecided.set(accountId, messageId);
    this.#isChanged = true;
  }

  add(entries: readonly NotificationLogEntry[]): void {
    if (entries.length === 0) return;
    this.#entries = [...this.#entries, ...entries].slice(-NOTIFICATION_LOG_LIMIT);
    this.#isChanged = true;
  }

  forget(accountId: string): void {
    this.#lastDecided.delete(accountId);
    this.#entries = this.#entries.filter((entry) => entry.accountId !== accountId);
    this.#isChanged = true;
  }

  /** Settles when everything up to now is stored, or cannot be; never rejects. */
  save(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Stores before long, many changes at once. */
  saveSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    void this.#clock.wait(LAZY_WRITE_MS, this.#stopped.signal).then(() => {
      this.#isWaiting = false;
      return this.save();
    });
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.ready;
    await this.save();
  }

  async #load(): Promise<void> {
    let record: NotificationLogRecord | null;
    try {
      record = await this.#store.load();
    } catch {
      // Unreadable is like new: at worst a message that rang before the restart rings once more.
      record = null;
    }
    if (record === null) return;
    this.#entries = [...record.entries, ...this.#entries].slice(-NOTIFICATION_LOG_LIMIT);
    for (const [accountId, id] of Object.entries(record.lastDecided)) {
      if (!this.#lastDecided.has(accountId)) this.#lastDecided.set(accountId, id);
    }
  }

  async #write(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const lastDecided = Object.fromEntries(this.#lastDecided);
    try {
      await this.#store.save({ lastDecided, entries: this.#entries });
    } catch {
      // A full disk must not silence what is important; the next write has all of it again.
      this.#isChanged = true;
    }
  }
}
