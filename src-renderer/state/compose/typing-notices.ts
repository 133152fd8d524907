/** Tells others that somebody types to them: again while it goes on, and once when it has ended. */
const AGAIN_AFTER_MS = 10_000;
const IDLE_AFTER_MS = 5_000;

type SendTyping = (op: 'start' | 'stop', userIds: readonly number[]) => void;

export class TypingNotices {
  readonly #tell: SendTyping;
  #userIds: readonly number[] | null = null;
  #toldAtMs = 0;
  #idle: ReturnType<typeof setTimeout> | null = null;

  constructor(tell: SendTyping) {
    this.#tell = tell;
  }

  typed(userIds: readonly number[]): void {
    // Notes to oneself concern nobody.
    if (userIds.length === 0) return;
    if (String(userIds) !== String(this.#userIds)) this.ended();
    const nowMs = performance.now();
    if (this.#userIds === null || nowMs - this.#toldAtMs >= AGAIN_AFTER_MS) {
      this.#userIds = userIds;
      this.#toldAtMs = nowMs;
      this.#tell('start', userIds);
    }
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.ended(), IDLE_AFTER_MS);
  }

  /** Sent, emptied or left. */
  ended(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    const userIds = this.#userIds;
    this.#userIds = null;
    if (userIds !== null) this.#tell('stop', userIds);
  }

  readonly stop = (): void => this.ended();
}
