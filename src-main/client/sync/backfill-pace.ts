/** How long the service is left alone between two pages of history, by how long it takes for one. */

/** Others have their turn here too, also where the service takes no time at all. */
const LEAST_MS = 20;
const MOST_MS = 1000;
/** Until it is known how long a page takes. */
const FIRST_MS = 250;
const FIRST_PAGES = 4;
/** One page may wait for anything; the quickest of some is what the service is like now. */
const LAST_PAGES = 3;
/** By which the time of a service that does nothing else is forgotten with each page: after some 140 it may be twice as long. */
const FORGETTING = 1.005;

export class BackfillPace {
  #pages = 0;
  #last: readonly number[] = [];
  #idleMs = Infinity;

  /** How long a page of the usual size took. */
  took(ms: number): void {
    const tookMs = Math.max(1, ms);
    this.#pages += 1;
    this.#last = [...this.#last, tookMs].slice(-LAST_PAGES);
    this.#idleMs = Math.min(tookMs, this.#idleMs * FORGETTING);
  }

  /**
   * As long as a page takes, so that a service that has nothing else to do gives half of its time at most. Where it takes three
   * times as long, because others ask or its computer is busy, nine times as long as that.
   */
  get pauseMs(): number {
    if (this.#pages < FIRST_PAGES) return FIRST_MS;
    const nowMs = Math.min(...this.#last);
    return Math.min(MOST_MS, Math.max(LEAST_MS, nowMs * (nowMs / this.#idleMs) ** 2));
  }
}
