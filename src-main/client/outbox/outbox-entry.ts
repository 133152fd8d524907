/** One message of the outbox while the application runs. */
import type { OutboxItem } from '#shared/bridge/models/client.ts';
import { conversationKey } from '#shared/bridge/models/conversation.ts';
import type { Failure } from '#shared/bridge/outcome.ts';
import type { StoredItem } from './outbox-store.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The service knows a local id for at least 30 days; after that a repetition would be another message. */
const LONGEST_WAIT_DAYS = 25;

export const isTooOld = ({ writtenAtSeconds }: StoredItem, nowMs: number): boolean =>
  nowMs - writtenAtSeconds * 1000 > LONGEST_WAIT_DAYS * DAY_MS;

export const tooOld = (mayBeSent: boolean): Failure => ({
  code: 'TOO_OLD',
  ...clientWords(mayBeSent ? 'message_waited_perhaps_sent' : 'message_waited_too_long', {
    days: LONGEST_WAIT_DAYS,
  }),
});

/** A message on the wire. */
export interface Attempt {
  readonly settled: Promise<void>;
  /** Ends it without an answer. */
  readonly cancel: () => void;
}

export class Entry {
  /** As it is on disk. */
  stored: StoredItem;
  readonly lane: string;
  /** An earlier attempt had no answer. What is on disk may say so before, because it is written first. */
  isUncertain: boolean;
  /** A person asked for it: its age no longer counts. */
  isForced = false;
  /** Answers that could not be understood, since somebody last decided. */
  strangeAnswers = 0;
  /** What the service answered; the message itself is not here yet. */
  messageId: number | null = null;
  attempt: Attempt | null = null;
  #settle: () => void = () => undefined;
  #shown: OutboxItem | undefined;

  constructor(stored: StoredItem) {
    this.stored = stored;
    this.lane = conversationKey(stored.conversation);
    this.isUncertain = stored.mayBeSent;
  }

  get localId(): string {
    return this.stored.localId;
  }

  isSendable(): boolean {
    return this.stored.state !== 'failed' && this.messageId === null;
  }

  begin(): AbortSignal {
    const controller = new AbortController();
    const settled = new Promise<void>((resolve) => {
      this.#settle = resolve;
    });
    this.attempt = {
      settled,
      cancel: () => {
        controller.abort();
      },
    };
    return controller.signal;
  }

  end(): void {
    this.attempt = null;
    this.#settle();
  }

  /** As a window sees it; the same object as long as nothing of it changed. */
  shown(): OutboxItem {
    const isSending = this.attempt !== null || this.messageId !== null;
    const state = isSending ? 'sending' : this.stored.state;
    const { mayBeSent: _, ...item } = this.stored;
    const { failure, refusal } = this.#shown ?? {};
    if (this.#shown?.state !== state || failure !== item.failure || refusal !== item.refusal) {
      this.#shown = { ...item, state };
    }
    return this.#shown;
  }
}
