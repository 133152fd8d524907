import {
  isInView,
  type MessagePage,
  type ShownMessage,
  type View,
} from '../../src-main/contract/models/client.ts';
import type { Outcome } from '../../src-main/contract/outcome.ts';
import type { Bridge } from '../../src-preload/bridge.ts';
import { words } from '../text/words.ts';
import { entriesOf, mergeMessages, type Entry } from './entries.ts';
import { isSameView } from './places.ts';

const PAGE_MESSAGES = 100;
/** More than this are not kept below each other while the reader is at the newest. */
const KEPT_MESSAGES = 400;

type Calls = Pick<Bridge, 'messages' | 'on'>;

/** The messages of the view that is shown. */
export class Timeline {
  readonly #bridge: Calls;
  readonly #accountId: string;
  readonly #onArrival: (message: ShownMessage) => void;
  #view = $state.raw<View | null>(null);
  #messages = $state.raw<readonly ShownMessage[]>([]);
  #phase = $state<'loading' | 'ready' | 'failed'>('loading');
  #failure = $state('');
  #hasOldest = $state(false);
  #isLoadingOlder = $state(false);
  #isAtNewest = $state(true);
  #missedCount = $state(0);
  /** Counts what was asked for, so that an answer that came too late is recognised. */
  #generation = 0;
  readonly #entries = $derived(
    entriesOf(this.#messages, this.#view?.kind === 'stream' && this.#view.topic === null),
  );
  readonly stop: () => void;

  /** @param onArrival  told of every message that joins the view and is somebody else's */
  constructor(bridge: Calls, accountId: string, onArrival: (message: ShownMessage) => void) {
    this.#bridge = bridge;
    this.#accountId = accountId;
    this.#onArrival = onArrival;
    const stops = [
      bridge.on('messageArrived', (event) => {
        if (event.accountId === accountId) this.#apply(event.message);
      }),
      bridge.on('messagesReset', (event) => {
        if (event.accountId === accountId) void this.reload();
      }),
    ];
    this.stop = () => stops.forEach((end) => end());
  }

  get view(): View | null {
    return this.#view;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  get messages(): readonly ShownMessage[] {
    return this.#messages;
  }

  get phase(): 'loading' | 'ready' | 'failed' {
    return this.#phase;
  }

  get failure(): string {
    return this.#failure;
  }

  get hasOldest(): boolean {
    return this.#hasOldest;
  }

  get isLoadingOlder(): boolean {
    return this.#isLoadingOlder;
  }

  get isAtNewest(): boolean {
    return this.#isAtNewest;
  }

  /** Messages that arrived below while the reader was further up. */
  get missedCount(): number {
    return this.#missedCount;
  }

  async show(view: View | null): Promise<void> {
    if (isSameView(view, this.#view)) return;
    this.#view = view;
    this.#messages = [];
    this.#hasOldest = false;
    this.#isLoadingOlder = false;
    this.#isAtNewest = true;
    this.#missedCount = 0;
    this.#phase = 'loading';
    await this.reload();
  }

  /** Fetches the newest page anew; what connects to it stays. */
  async reload(): Promise<void> {
    const generation = ++this.#generation;
    this.#isLoadingOlder = false;
    const known = this.#messages;
    const outcome = await this.#fetch(null);
    if (generation !== this.#generation || outcome === null) return;
    if (!outcome.ok) {
      // With messages on the screen the connection line says enough.
      if (known.length === 0) this.#phase = 'failed';
      this.#failure = outcome.failure.message;
      return;
    }
    const { messages, hasOldest } = outcome.value;
    const arrivedMeanwhile = this.#messages.filter((message) => !known.includes(message));
    const oldestId = messages[0]?.id ?? Infinity;
    const isConnected = known.some((message) => message.id >= oldestId);
    const kept = isConnected ? known.filter((message) => message.id < oldestId) : [];
    if (kept.length === 0) this.#hasOldest = hasOldest;
    this.#messages = mergeMessages(mergeMessages(kept, messages), arrivedMeanwhile);
    this.#phase = 'ready';
  }

  async loadOlder(): Promise<void> {
    const oldest = this.#messages[0];
    if (this.#phase !== 'ready' || this.#hasOldest || this.#isLoadingOlder || !oldest) return;
    const generation = this.#generation;
    this.#isLoadingOlder = true;
    const outcome = await this.#fetch(oldest.id);
    if (generation !== this.#generation) return;
    this.#isLoadingOlder = false;
    // A failure needs no words of its own: scrolling asks again, and the connection line says why.
    if (outcome?.ok !== true) return;
    this.#hasOldest = outcome.value.hasOldest || outcome.value.messages.length === 0;
    this.#messages = mergeMessages(outcome.value.messages, this.#messages);
  }

  /** What the reader sees: the newest message, or something further up. */
  standAt(isAtNewest: boolean): void {
    this.#isAtNewest = isAtNewest;
    if (isAtNewest) this.#missedCount = 0;
  }

  #apply(message: ShownMessage): void {
    if (this.#view === null || !isInView(message.conversation, this.#view)) return;
    const isKnown = this.#messages.some(({ id }) => id === message.id);
    const merged = mergeMessages(this.#messages, [message]);
    const surplus = this.#isAtNewest ? merged.length - KEPT_MESSAGES : 0;
    this.#messages = surplus > 0 ? merged.slice(surplus) : merged;
    if (surplus > 0) this.#hasOldest = false;
    if (isKnown || message.isOwn) return;
    if (!this.#isAtNewest) this.#missedCount += 1;
    this.#onArrival(message);
  }

  async #fetch(beforeId: number | null): Promise<Outcome<MessagePage> | null> {
    const view = this.#view;
    if (view === null) return null;
    const request = { view, beforeId, limit: PAGE_MESSAGES };
    try {
      return await this.#bridge.messages(this.#accountId, request);
    } catch {
      // A rejection is a bug on the other side, which logs it; here it is one more reason for no messages.
      return { ok: false, failure: { code: 'INTERNAL_ERROR', message: words.bug } };
    }
  }
}
