import type { Minutes } from './current-time.svelte.ts';

/** The current day, for "Today" and "Yesterday" in a window that stays open overnight. */
export class Today {
  readonly #minutes: Pick<Minutes, 'nowSeconds'>;
  /** A value of its own, so that what shows days is drawn anew with another day, not with every minute. */
  readonly #nowMs = $derived.by(() => {
    const now = new Date(this.#minutes.nowSeconds * 1000);
    return new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  });

  constructor(minutes: Pick<Minutes, 'nowSeconds'>) {
    this.#minutes = minutes;
  }

  /** The beginning of today where the reader is, in milliseconds. */
  get nowMs(): number {
    return this.#nowMs;
  }
}
