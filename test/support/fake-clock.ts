import type { Clock as ClientClock } from '#client/ports.ts';
import type { Clock as PlatformClock } from '#node/clock.ts';

interface Timer {
  readonly atMs: number;
  readonly fire: () => void;
}

/** Lets everything run that waits for nothing but its turn. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** As `settle`, for what takes a few turns, as writing to a store does. */
async function settleAll(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await settle();
}

/** A clock of client and service that moves only when a test moves it. */
export class FakeClock implements ClientClock, PlatformClock {
  #nowMs = 1_700_000_000_000;
  #randomValue = 0;
  readonly #timers = new Set<Timer>();

  readonly now = (): number => this.#nowMs;
  readonly random = (): number => this.#randomValue;
  readonly wait = (delayMs: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const cancel = this.setTimer(resolve, delayMs);
      const leave = (): void => {
        cancel();
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
    });

  readonly setTimer = (fn: () => void, delayMs: number): (() => void) => {
    const fire = (): void => {
      this.#timers.delete(timer);
      fn();
    };
    const timer = { atMs: this.#nowMs + delayMs, fire };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  /** @param value  0 (inclusive) to 1 (exclusive) */
  setRandom(value: number): void {
    this.#randomValue = value;
  }

  /** Milliseconds until each wait under way ends, ascending. */
  get pending(): readonly number[] {
    return [...this.#timers].map(({ atMs }) => atMs - this.#nowMs).sort((a, b) => a - b);
  }

  /** Moves on, ending the waits that fall due one by one; what follows from one happens before the next. */
  async advance(durationMs: number): Promise<void> {
    const targetMs = this.#nowMs + durationMs;
    await settleAll();
    for (;;) {
      const due = [...this.#timers].filter(({ atMs }) => atMs <= targetMs);
      const next = due.sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined) break;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.fire();
      await settleAll();
    }
    this.#nowMs = targetMs;
  }
}
