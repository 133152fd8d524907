import { words } from '../i18n/common.ts';

const PAUSE_MS = 1000;

/** What a screen reader is told of new messages: at most one sentence a second. */
export class Announcer {
  #text = $state('');
  #isPlain = false;
  #waiting: string[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** The content of the live region. */
  get text(): string {
    return this.#text;
  }

  announce(sentence: string): void {
    this.#waiting.push(sentence);
    if (this.#timer === null) this.#speak();
  }

  readonly stop = (): void => {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  };

  #speak(): void {
    const [first, ...more] = this.#waiting;
    this.#waiting = [];
    this.#timer = null;
    if (first === undefined) return;
    const text = more.length === 0 ? first : words.timeline.manyArrived(more.length + 1);
    // The same words twice would change nothing in the region, and nothing would be said.
    this.#isPlain = !this.#isPlain;
    this.#text = this.#isPlain ? text : `${text}\u00a0`;
    this.#timer = setTimeout(() => this.#speak(), PAUSE_MS);
  }
}
