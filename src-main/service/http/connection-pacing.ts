/** How long a round of the event loop may go on with new connections, but for the one under way. */
const ROUND_MS = 4;

/**
 * Takes in new connections a few in each round of the event loop. When an office comes back at once, a thousand of them speak
 * in one moment: read in one go, they would hold up everybody who is here already for a tenth of a second, and with a
 * handshake for a second and more.
 */
export class ConnectionThrottle {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  /** When the first one came in this round. */
  #beganMs: number | undefined;

  /** @param now  milliseconds from anywhere */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @param begin  goes on with the connection: at once, or in a later round, after all who came before */
  admit(begin: () => void): void {
    if (this.#waiting.length === 0 && this.#isInTime()) begin();
    else this.#waiting.push(begin);
  }

  #isInTime(): boolean {
    const now = this.#now();
    if (this.#beganMs === undefined) {
      this.#beganMs = now;
      setImmediate(() => {
        this.#beganMs = undefined;
        this.#goOn();
      });
    }
    return now - this.#beganMs < ROUND_MS;
  }

  #goOn(): void {
    if (this.#waiting.length === 0 || !this.#isInTime()) return;
    this.#waiting.shift()?.();
    // Its request is read, and its answer begun, in the ticks that follow.
    process.nextTick(() => this.#goOn());
  }
}
