/** How long one turn takes of the thread before others have theirs, but for the piece that is under way. */
const SLICE_MS = 4;
/**
 * Between two turns, because each round of the event loop accepts one connection: whoever comes while a thousand are
 * being answered would wait a turn for each of those who came before. An idle round takes some microseconds.
 */
const ROUNDS_BETWEEN = 32;

/**
 * Long pieces of work in turns of the event loop of their own: whoever else asks is answered in between. Short ones share
 * a turn, and with it the commit of what they write afterwards.
 */
export class TimeSlicer {
  readonly #now: () => number;
  #waiting: (() => Promise<void>)[] = [];
  #isOpen = false;

  /** @param now  milliseconds from anywhere */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve) => {
      this.#waiting.push(async () => {
        const begun = (async () => work())();
        // Its failure, too, goes to whoever asked, and to nobody else.
        resolve(begun);
        await Promise.allSettled([begun]);
      });
      if (this.#isOpen) return;
      this.#isOpen = true;
      this.#schedule(0);
    });
  }

  #schedule(afterRounds: number): void {
    setImmediate(() => {
      if (afterRounds === 0) void this.#turn();
      else this.#schedule(afterRounds - 1);
    });
  }

  /** What a piece does on this thread is done when it returns its promise. */
  async #turn(): Promise<void> {
    const endsAt = this.#now() + SLICE_MS;
    const begun: Promise<void>[] = [];
    do {
      const next = this.#waiting.shift();
      if (next !== undefined) begun.push(next());
    } while (this.#waiting.length > 0 && this.#now() < endsAt);
    await Promise.all(begun);
    if (this.#waiting.length > 0) this.#schedule(ROUNDS_BETWEEN);
    else this.#isOpen = false;
  }
}
