/** What a person wrote and the service does not have yet. It is kept apart from the cache: that can be fetched again. */
import type { OutboxItem, StoredDraft } from '#shared/bridge/models/client.ts';
import { ExplainedError, type Explanation } from '#shared/i18n/explained-error.ts';

/** A flag that was changed here and of which the service has to be told. */
export interface PendingFlag {
  readonly messageId: number;
  readonly flag: 'read' | 'starred';
  readonly isSet: boolean;
}

/** An item as it is kept. `sending` is a state of this process only: what is kept is `waiting` or `failed`. */
export interface StoredItem extends OutboxItem {
  /** An attempt to send it was begun of which no refusal is known: the service may have it. */
  readonly mayBeSent: boolean;
}

/**
 * Every write is on disk when it returns, and throws OutboxError where it cannot be: then nothing of it was written, the
 * person is told that the text is not safe, and it stays in the window.
 */
export interface OutboxStore {
  /** In the order in which each was first put. */
  readonly listItems: () => readonly StoredItem[];
  /** One that is there keeps its place. */
  readonly putItem: (item: StoredItem) => void;
  readonly removeItem: (localId: string) => void;
  readonly listDrafts: () => readonly StoredDraft[];
  readonly putDraft: (draft: StoredDraft) => void;
  readonly removeDraft: (key: string) => void;
  /** The item goes into the outbox and the draft of its place is gone, both or neither. */
  readonly submit: (item: StoredItem, draftKey: string | null) => void;
  readonly listFlags: () => readonly PendingFlag[];
  /** One that is there for the same message and flag is replaced. */
  readonly putFlags: (flags: readonly PendingFlag[]) => void;
  /** Those that are there with the same value: one that was changed since stays. */
  readonly removeFlags: (flags: readonly PendingFlag[]) => void;
  /**
   * Told when something came in that was not written through this object: a file that could be opened at last, what a
   * closed tab of the same browser left. Returns the function that ends the listening.
   */
  readonly onArrival: (listener: () => void) => () => void;
  readonly close: () => void;
}

export class OutboxError extends ExplainedError {
  override readonly name = 'OutboxError';
  readonly code: 'DISK_FULL' | 'UNAVAILABLE';

  constructor(code: OutboxError['code'], told: string | Explanation, options?: ErrorOptions) {
    super(told, options);
    this.code = code;
  }
}
