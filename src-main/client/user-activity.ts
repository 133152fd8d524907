/** Whether somebody is at this computer, by their input and by what the system says of lock and sleep. */
import type { Clock } from './ports.ts';

/** Hands off keyboard and pointer for so long, and whoever was there may have gone. */
export const IDLE_AFTER_MS = 120_000;
/** A look that is later than this was held up by a sleep that nothing told of. */
const LATE_MS = 10_000;

export interface ActivityTrackerParts {
  readonly clock: Pick<Clock, 'now' | 'wait'>;
  /** For how long this computer had no input, in milliseconds; null where the system does not tell. Never rejects. */
  readonly idleMs: () => Promise<number | null>;
  readonly changed: (hereSinceMs: number | null) => void;
}

export class ActivityTracker {
  readonly #parts: ActivityTrackerParts;
  readonly #stopping = new AbortController();
  #hereSinceMs: number | null = 0;
  /** Until then somebody is there without any more input. */
  #untilMs: number;

  constructor(parts: ActivityTrackerParts) {
    this.#parts = parts;
    this.#untilMs = parts.clock.now() + IDLE_AFTER_MS;
  }

  /** When whoever is here came, by the clock of this computer; 0 from the start on, null while nobody is here. */
  get activeSinceMs(): number | null {
    if (this.#parts.clock.now() > this.#untilMs + LATE_MS) this.leave();
    return this.#hereSinceMs;
  }

  /** There was input, or the screen was unlocked. */
  readonly arrive = (): void => {
    const isBack = this.activeSinceMs === null;
    const now = this.#parts.clock.now();
    this.#untilMs = now + IDLE_AFTER_MS;
    if (isBack) this.#become(now);
  };

  /** The screen was locked, or the computer goes to sleep. */
  readonly leave = (): void => {
    if (this.#hereSinceMs !== null) this.#become(null);
  };

  /** Looks whether somebody is still there, until it is stopped. */
  async follow(): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#stopping;
    for (;;) {
      const leftMs = this.#hereSinceMs === null ? IDLE_AFTER_MS : this.#untilMs - clock.now();
      // A clock that was set back would make the wait long.
      await clock.wait(Math.min(leftMs, IDLE_AFTER_MS), signal);
      if (signal.aborted) return;
      if (this.activeSinceMs !== null) await this.#look();
    }
  }

  readonly stop = (): void => this.#stopping.abort();

  async #look(): Promise<void> {
    const { clock, idleMs } = this.#parts;
    const now = clock.now();
    this.#untilMs = Math.min(this.#untilMs, now + IDLE_AFTER_MS);
    if (now < this.#untilMs) return;
    const askedUntilMs = this.#untilMs;
    const idle = await idleMs();
    if (this.#untilMs !== askedUntilMs) return;
    if (idle !== null && idle < IDLE_AFTER_MS) this.#untilMs = now + IDLE_AFTER_MS - idle;
    else this.leave();
  }

  #become(hereSinceMs: number | null): void {
    this.#hereSinceMs = hereSinceMs;
    this.#parts.changed(hereSinceMs);
  }
}
