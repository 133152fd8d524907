import { SvelteMap } from 'svelte/reactivity';
import type { Bridge } from '#preload/bridge.ts';
import { settled } from './calls.ts';

/** How many people are in each stream: the service says so for one stream at a time, and somebody has to look. */
export class MemberCounts {
  readonly #bridge: Pick<Bridge, 'request'>;
  readonly #accountId: string;
  readonly #known = new SvelteMap<number, number>();
  /** Looked at, and not asked for yet; each with the number of its changes then. */
  readonly #wanted = new Map<number, number>();
  readonly #asked = new Map<number, number>();
  #isAsking = false;

  constructor(bridge: Pick<Bridge, 'request'>, accountId: string) {
    this.#bridge = bridge;
    this.#accountId = accountId;
  }

  /** Null until it is known. */
  of(streamId: number): number | null {
    return this.#known.get(streamId) ?? null;
  }

  /**
   * @param changes  another number whenever people came to the stream or left it: then it is asked for again
   * @returns what says that nobody looks at it any more: then it is not asked for
   */
  look(streamId: number, changes: number): () => void {
    if (this.#asked.get(streamId) !== changes) this.#wanted.set(streamId, changes);
    void this.#ask();
    return () => this.#wanted.delete(streamId);
  }

  /** One after the other: nobody waits for these, and other calls are not to wait behind them. */
  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    for (const [streamId, changes] of this.#wanted) {
      this.#wanted.delete(streamId);
      this.#asked.set(streamId, changes);
      const outcome = await settled(() =>
        this.#bridge.request(this.#accountId, 'streams.members', { streamId }),
      );
      if (outcome.ok) this.#known.set(streamId, outcome.value.subscribers.length);
      // The next look asks again.
      else this.#asked.delete(streamId);
    }
    this.#isAsking = false;
  }
}
