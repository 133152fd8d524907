const FIRST_PAUSE_MS = 2000;
const LAST_PAUSE_MS = 10_000;

interface AwaitedHitsParts {
  /** How many hits are here. */
  readonly count: () => number;
  /** Asks for those that are missing, and calls `put` where an answer came. */
  readonly ask: () => Promise<void>;
}

/** Hits of a search that are missing while the index is made anew: they are asked for again and again, with pauses. */
export class AwaitedHits {
  readonly #parts: AwaitedHitsParts;
  #areAwaited = $state(false);
  #pauseMs = FIRST_PAUSE_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: AwaitedHitsParts) {
    this.#parts = parts;
  }

  get areAwaited(): boolean {
    return this.#areAwaited;
  }

  put(areAwaited = false): void {
    this.#areAwaited = areAwaited;
    this.#wait(FIRST_PAUSE_MS);
  }

  #wait(pauseMs: number): void {
    clearTimeout(this.#timer);
    if (!this.#areAwaited) return;
    this.#pauseMs = pauseMs;
    this.#timer = setTimeout(() => void this.#askAgain(), pauseMs);
  }

  async #askAgain(): Promise<void> {
    const pauseMs = this.#pauseMs;
    const before = this.#parts.count();
    await this.#parts.ask();
    const isNews = this.#parts.count() > before;
    this.#wait(isNews ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LAST_PAUSE_MS));
  }
}
