import { SvelteMap } from 'svelte/reactivity';
import type { Bridge } from '../../src-preload/bridge.ts';
import { settled } from './calls.ts';

/** How many people are in each stream: the service says so for one stream at a time, and somebody has to look. */
export class MemberCounts {
  readonly #bridge: Pick<Bridge, 'request'>;
  readonly #accountId: string;
  readonly #known = new SvelteMap<number, number>();
  /** Looked at, and not asked for yet. */
  readonly #wanted = new Set<number>();
  readonly #asked = new Set<number>();
  #isAsking = false;

  constructor(bridge: Pick<Bridge, 'request'>, accountId: string) {
    this.#bridge = bridge;
    this.#accountId = accountId;
  }

  /** Null until it is known. */
  of(streamId: number): number | null {
    return this.#known.get(streamId) ?? null;
  }

  /** @returns what says that nobody looks at it any more: then it is not asked for */
  look(streamId: number): () => void {
    if (!this.#asked.has(streamId)) this.#wanted.add(streamId);
    void this.#ask();
    return () => this.#wanted.delete(streamId);
  }

  /** One after the other: nobody waits for these, and other calls are not to wait behind them. */
  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    for (const streamId of this.#wanted) {
      this.#wanted.delete(streamId);
      this.#asked.add(streamId);
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
