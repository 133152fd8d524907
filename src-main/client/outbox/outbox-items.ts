/** The messages of the outbox, in memory as on disk. */
import type { OutboxItem } from '#shared/bridge/models/client.ts';
import type { Failure, Outcome } from '#shared/bridge/outcome.ts';
import { asWriteOutcome } from './storage-outcome.ts';
import { Entry, isTooOld, tooOld } from './outbox-entry.ts';
import type { OutboxStore, StoredItem } from './outbox-store.ts';
import type { Clock } from '../ports.ts';

export interface StoredItemsParts {
  readonly store: Pick<OutboxStore, 'listItems' | 'putItem' | 'removeItem'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly changed: (items: readonly OutboxItem[]) => void;
}

export class StoredItems {
  /** In the order in which they were written. */
  readonly entries = new Map<string, Entry>();
  readonly #parts: StoredItemsParts;
  /** Done, but the disk did not take that. */
  readonly #leftovers = new Set<string>();
  #items: readonly OutboxItem[] = [];

  constructor(parts: StoredItemsParts) {
    this.#parts = parts;
    this.load();
    this.#items = this.#shown();
  }

  /** The same array as long as nothing changed. */
  get items(): readonly OutboxItem[] {
    return this.#items;
  }

  /** It is done. What the disk does not let go now it lets go later. */
  remove(localId: string): void {
    this.entries.delete(localId);
    this.#leftovers.add(localId);
    this.removeLeftovers();
  }

  load(): void {
    for (const stored of this.#parts.store.listItems()) {
      const { localId } = stored;
      if (this.entries.has(localId) || this.#leftovers.has(localId)) continue;
      this.entries.set(localId, new Entry(stored));
    }
    this.failOld();
  }

  failOld(): void {
    for (const entry of this.entries.values()) {
      if (entry.stored.state !== 'waiting' || entry.isForced || entry.attempt !== null) continue;
      if (entry.messageId !== null) continue;
      if (!isTooOld(entry.stored, this.#parts.clock.now())) continue;
      this.fail(entry, tooOld(entry.isUncertain));
    }
  }

  #shown(): readonly OutboxItem[] {
    return [...this.entries.values()].map((entry) => entry.shown());
  }

  tell(): void {
    const items = this.#shown();
    const isSame = (item: OutboxItem, index: number): boolean => item === this.#items[index];
    if (items.length === this.#items.length && items.every(isSame)) return;
    this.#items = items;
    this.#parts.changed(items);
  }

  put(entry: Entry, change: Partial<StoredItem>): Outcome<null> {
    const stored = { ...entry.stored, ...change };
    const kept = asWriteOutcome(() => {
      this.#parts.store.putItem(stored);
    });
    if (kept.ok) entry.stored = stored;
    return kept;
  }

  /** Where the disk does not take it, the item is tried once more after a restart, and fails again. */
  fail(entry: Entry, { code, message, cause }: Failure): void {
    const mayBeSent = entry.isUncertain;
    const told = { failure: message, refusal: { code, cause } };
    const change = { state: 'failed', ...told, mayBeSent } as const;
    const kept = this.put(entry, change);
    if (!kept.ok) entry.stored = { ...entry.stored, ...change };
  }

  removeLeftovers(): void {
    for (const localId of this.#leftovers) {
      const removed = asWriteOutcome(() => {
        this.#parts.store.removeItem(localId);
      });
      if (removed.ok) this.#leftovers.delete(localId);
    }
  }
}
