import type { ConversationSummary } from '#shared/bridge/models/client.ts';
import type { Bridge } from '#preload/bridge.ts';
import { settled } from '../calls.ts';

/** New messages that come close together are one reason to ask again. */
const SETTLE_MS = 400;

/** What happened last in every conversation, for as long as the page of them is open. */
export class Summaries {
  readonly #bridge: Pick<Bridge, 'recent' | 'on'>;
  readonly #accountId: string;
  #all = $state.raw<readonly ConversationSummary[] | null>(null);
  #failure = $state('');
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly stop: () => void;

  constructor(bridge: Pick<Bridge, 'recent' | 'on'>, accountId: string) {
    this.#bridge = bridge;
    this.#accountId = accountId;
    // Not put off by what comes next: history may be fetched in the background for minutes.
    const again = (event: { readonly accountId: string }): void => {
      if (event.accountId !== accountId) return;
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        void this.load();
      }, SETTLE_MS);
    };
    const stops = [
      bridge.on('messagesArrived', again),
      bridge.on('messagesRemoved', again),
      bridge.on('messagesChanged', again),
      bridge.on('messagesReset', again),
      bridge.on('cacheChanged', again),
      bridge.on('connectionChanged', (event) => {
        if (event.connection.state === 'live') again(event);
      }),
    ];
    this.stop = () => {
      clearTimeout(this.#timer);
      for (const stop of stops) stop();
    };
  }

  /** Newest first; null until the first answer. */
  get all(): readonly ConversationSummary[] | null {
    return this.#all;
  }

  get failure(): string {
    return this.#failure;
  }

  async load(): Promise<void> {
    const outcome = await settled(() => this.#bridge.recent(this.#accountId));
    if (outcome.ok) this.#all = outcome.value;
    this.#failure = outcome.ok ? '' : outcome.failure.message;
  }
}
