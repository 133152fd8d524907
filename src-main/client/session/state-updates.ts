import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { Clock } from '../ports.ts';

/** Ten times a second is as good as at once. */
const EVERY_MS = 100;

/**
 * Changes of the state on their way to the window: at once, or while many events are delivered now and then, because the
 * window draws all that is unread anew each time.
 */
export class StateChangeBatch {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #tell: (changes: Partial<ClientState>) => void;
  #untold: Partial<ClientState> = {};
  #isGathering = false;
  #toldAtMs = 0;

  constructor(clock: Pick<Clock, 'now'>, tell: (changes: Partial<ClientState>) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  readonly take = (changes: Partial<ClientState>): void => {
    this.#untold = { ...this.#untold, ...changes };
    const isDue = Math.abs(this.#clock.now() - this.#toldAtMs) >= EVERY_MS;
    if (isDue || !this.#isGathering) this.#tellAll();
  };

  /** What is untold is told at the latest when it ends. */
  collect(isUnderWay: boolean): void {
    this.#isGathering = isUnderWay;
    if (!isUnderWay) this.#tellAll();
  }

  #tellAll(): void {
    const untold = this.#untold;
    if (Object.keys(untold).length === 0) return;
    this.#untold = {};
    this.#toldAtMs = this.#clock.now();
    this.#tell(untold);
  }
}
