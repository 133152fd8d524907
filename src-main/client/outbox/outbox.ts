/**
 * Messages between here and the service. Each is on disk before it is on the wire and carries a local id that the
 * service accepts once, so that it may be sent again whenever no answer came.
 */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { Draft, OutboxItem } from '#shared/bridge/models/client.ts';
import { conversationKey } from '#shared/bridge/models/conversation.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { Api } from '../transport/api.ts';
import type { ApiFailure } from '../transport/answers.ts';
import { asWriteOutcome } from './storage-outcome.ts';
import { Entry } from './outbox-entry.ts';
import { StoredItems } from './outbox-items.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { Clock } from '../ports.ts';
import { refusedHere } from '../transport/refused-here.ts';
import { DISK_FULL, pauseMs, failureKindOf } from '../transport/retry.ts';
import { recipientOf } from '../sync/shown-message.ts';
import { randomUuid } from './uuid.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

export interface OutboxParts {
  readonly store: OutboxStore;
  readonly api: Pick<Api, 'call'>;
  readonly clock: Clock;
  readonly ownUserId: number;
  /** The queue whose event tells of what is sent here; null while there is none. */
  readonly queueId: () => string | null;
  readonly changed: (items: readonly OutboxItem[]) => void;
  /**
   * The service has the message under this id. The item stays until `confirm`, so that the session can first show the
   * message itself; told again with every `resume` until then.
   */
  readonly accepted: (localId: string, messageId: number) => void;
}

export interface Outbox {
  /** In the order in which they were written. The same array as long as nothing changed. */
  readonly items: () => readonly OutboxItem[];
  /** On disk when it answers. @param draftKey  of the draft that it was, which is gone then */
  readonly submit: (draft: Draft, draftKey: string | null) => Outcome<OutboxItem>;
  /** Tries a failed item again. */
  readonly retry: (localId: string) => Outcome<null>;
  /** Waits for an attempt that is under way. ALREADY_SENT where the service has it, or may have it. */
  readonly withdraw: (localId: string) => Promise<Outcome<Draft>>;
  /** The message itself is here, by an event or fetched: the item is done. Unknown ids change nothing. */
  readonly confirm: (localId: string, messageId: number) => void;
  /** The session is live: what waits is sent at once. Nothing is sent before the first time. */
  readonly resume: () => void;
  /** There is no connection: what is not on the wire waits for `resume`. */
  readonly pause: () => void;
  /** Settles when no attempt is under way. What is unsent stays on disk. */
  readonly stop: () => Promise<void>;
}

/** So often a service may answer what cannot be understood before somebody has to look. */
const STRANGE_ANSWERS = 8;

const gone = failure('ALREADY_SENT', clientWords('message_not_waiting'));
const sent = failure('ALREADY_SENT', clientWords('message_sent_already'));
const perhapsSent = failure('ALREADY_SENT', clientWords('message_perhaps_sent'));

/** How an attempt ended for the conversation: go on with its next message, or wait and try again. */
type Step = { readonly kind: 'next' | 'again' | 'leave' } | Pause;
interface Pause {
  readonly kind: 'wait';
  readonly failure: ApiFailure;
}

const next: Step = { kind: 'next' };

class OutboxEngine {
  readonly #parts: OutboxParts;
  readonly #kept: StoredItems;
  /** Conversations with somebody at work: in each, one message after the other. */
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #stopListening: () => void;
  /** Aborted to end all pauses between attempts. */
  #pauses = new AbortController();
  #isOpen = false;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#kept = new StoredItems(parts);
    this.#stopListening = parts.store.onArrival(() => {
      this.#kept.load();
      this.#kept.tell();
      this.#pump();
    });
  }

  get items(): readonly OutboxItem[] {
    return this.#kept.items;
  }

  submit(draft: Draft, draftKey: string | null): Outcome<OutboxItem> {
    if (draft.content.trim() === '') {
      return refusedHere('content', 'message_empty', {});
    }
    const { clock, store } = this.#parts;
    const lane = conversationKey(draft.conversation);
    const entry = new Entry({
      conversation: draft.conversation,
      content: draft.content,
      localId: randomUuid(),
      writtenAtSeconds: Math.floor(clock.now() / 1000),
      state: 'waiting',
      failure: '',
      // What goes out at once is written once.
      mayBeSent: this.#isOpen && !this.#lanes.has(lane) && !this.#stopping.signal.aborted,
    });
    const kept = asWriteOutcome(() => {
      store.submit(entry.stored, draftKey);
    });
    if (!kept.ok) return kept;
    entry.isUncertain = false;
    this.#kept.entries.set(entry.localId, entry);
    this.#pump();
    this.#kept.tell();
    return success(entry.shown());
  }

  retry(localId: string): Outcome<null> {
    const entry = this.#kept.entries.get(localId);
    if (entry === undefined) return gone;
    if (entry.stored.state === 'failed') {
      const cleared = { state: 'waiting', failure: '', refusal: undefined } as const;
      const kept = this.#kept.put(entry, cleared);
      if (!kept.ok) return kept;
      entry.isForced = true;
      entry.strangeAnswers = 0;
      this.#kept.tell();
    }
    this.#endPauses();
    this.#pump();
    return success(null);
  }

  async takeBack(localId: string): Promise<Outcome<Draft>> {
    const entry = this.#kept.entries.get(localId);
    if (entry === undefined) return gone;
    await entry.attempt?.settled;
    if (!this.#kept.entries.has(localId)) return gone;
    if (entry.messageId !== null) return sent;
    // A failed one says so itself where it may have been sent: whoever takes it back has read that.
    if (entry.isUncertain && entry.stored.state !== 'failed') return perhapsSent;
    const removed = asWriteOutcome(() => {
      this.#parts.store.removeItem(localId);
    });
    if (!removed.ok) return removed;
    this.#kept.entries.delete(localId);
    this.#kept.tell();
    const { conversation, content } = entry.stored;
    return success({ conversation, content });
  }

  confirm(localId: string): void {
    const entry = this.#kept.entries.get(localId);
    if (entry === undefined) return;
    this.#kept.remove(localId);
    // The answer that it still waits for says nothing new.
    entry.attempt?.cancel();
    this.#kept.tell();
  }

  resume(): void {
    const wasOpen = this.#isOpen;
    this.#isOpen = true;
    this.#kept.removeLeftovers();
    this.#kept.failOld();
    for (const entry of this.#kept.entries.values()) {
      // Begun on a connection that was lost meanwhile: an answer may never come.
      if (!wasOpen) entry.attempt?.cancel();
      if (entry.messageId !== null) this.#parts.accepted(entry.localId, entry.messageId);
    }
    this.#endPauses();
    this.#pump();
    this.#kept.tell();
  }

  pause(): void {
    this.#isOpen = false;
    this.#endPauses();
  }

  async stop(): Promise<void> {
    this.#stopListening();
    this.#stopping.abort();
    for (const entry of this.#kept.entries.values()) entry.attempt?.cancel();
    this.#endPauses();
    await Promise.all(this.#lanes.values());
  }

  #endPauses(): void {
    this.#pauses.abort();
    this.#pauses = new AbortController();
  }

  #isRunning(): boolean {
    return this.#isOpen && !this.#stopping.signal.aborted;
  }

  #pump(): void {
    if (!this.#isRunning()) return;
    for (const entry of this.#kept.entries.values()) {
      if (!entry.isSendable() || this.#lanes.has(entry.lane)) continue;
      this.#open(entry.lane);
    }
  }

  #open(lane: string): void {
    const running = this.#run(lane).finally(() => {
      this.#lanes.delete(lane);
      // What was written after the last look.
      this.#pump();
    });
    this.#lanes.set(lane, running);
  }

  async #run(lane: string): Promise<void> {
    for (let failures = 0; this.#isRunning();) {
      const entry = this.#firstOf(lane);
      if (entry === undefined) return;
      const { signal } = this.#pauses;
      const step = await this.#attempt(entry).catch((error: unknown) => this.#broken(entry, error));
      this.#kept.tell();
      if (step.kind === 'leave') return;
      if (step.kind !== 'wait') {
        failures = 0;
        continue;
      }
      failures += 1;
      const { clock } = this.#parts;
      await clock.wait(pauseMs(clock, failures, step.failure), signal);
    }
  }

  #firstOf(lane: string): Entry | undefined {
    for (const entry of this.#kept.entries.values()) {
      if (entry.lane === lane && entry.isSendable()) return entry;
    }
    return undefined;
  }

  /** A bug, here or in whoever was told: repeating it at once and for ever would help nobody. */
  #broken(entry: Entry, error: unknown): Step {
    if (entry.messageId !== null) return next;
    if (entry.attempt !== null) entry.isUncertain = true;
    entry.end();
    const told = clientWords('message_failed_here', { reason: String(error) });
    this.#kept.fail(entry, { code: 'FAILED_HERE', ...told });
    return next;
  }

  async #attempt(entry: Entry): Promise<Step> {
    if (!entry.stored.mayBeSent) {
      const marked = this.#kept.put(entry, { mayBeSent: true });
      if (!marked.ok) {
        this.#kept.fail(entry, marked.failure);
        return next;
      }
    }
    const { api, ownUserId, queueId } = this.#parts;
    const { localId, conversation, content } = entry.stored;
    const args = {
      ...recipientOf(conversation, ownUserId),
      content,
      localId,
      queueId: queueId() ?? undefined,
    };
    const signal = entry.begin();
    const call = api.call(endpoints.messages.send, args, { signal });
    this.#kept.tell();
    const outcome = await call;
    entry.end();
    if (!this.#kept.entries.has(localId)) return next;
    if (!outcome.ok) return this.#afterFailure(entry, outcome.failure, signal.aborted);
    entry.messageId = outcome.value.id;
    this.#kept.tell();
    this.#parts.accepted(localId, outcome.value.id);
    return next;
  }

  #afterFailure(entry: Entry, problem: ApiFailure, wasCancelled: boolean): Step {
    const verdict = problem.code === DISK_FULL ? 'refused' : failureKindOf(problem);
    if (verdict === 'unanswered') {
      entry.isUncertain = true;
      if (wasCancelled) return { kind: 'again' };
      if (problem.status !== undefined) entry.strangeAnswers += 1;
      if (entry.strangeAnswers < STRANGE_ANSWERS) return { kind: 'wait', failure: problem };
      const reason = problem.message;
      const told = clientWords('message_perhaps_sent_all_the_same', { reason });
      this.#kept.fail(entry, { code: 'PERHAPS_SENT', ...told });
      return next;
    }
    if (verdict === 'refused') {
      // The service looks for the local id first: it does not have the message from an earlier attempt either.
      entry.isUncertain = false;
      this.#kept.fail(entry, problem);
      return next;
    }
    if (!entry.isUncertain) this.#kept.put(entry, { mayBeSent: false });
    if (verdict === 'later') return { kind: 'wait', failure: problem };
    this.#isOpen = false;
    return { kind: 'leave' };
  }
}

export function createOutbox(parts: OutboxParts): Outbox {
  const engine = new OutboxEngine(parts);
  return {
    items: () => engine.items,
    submit: (draft, draftKey) => engine.submit(draft, draftKey),
    retry: (localId) => engine.retry(localId),
    withdraw: (localId) => engine.takeBack(localId),
    confirm: (localId) => {
      engine.confirm(localId);
    },
    resume: () => {
      engine.resume();
    },
    pause: () => {
      engine.pause();
    },
    stop: () => engine.stop(),
  };
}
