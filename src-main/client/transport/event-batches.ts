import type { Outcome } from '#shared/bridge/outcome.ts';
import { success } from '#shared/bridge/outcome.ts';
import type { Clock } from '../ports.ts';

/** Events that are delivered at once: fewer where they take long, because nothing else runs on this thread meanwhile. */
const PIECE_EVENTS = 250;

interface Pace {
  readonly smallest: number;
  readonly longMs: number;
  readonly shortMs: number;
}

/** Others have the thread often. */
const keepingUp: Pace = { smallest: 25, longMs: 8, shortMs: 4 };
/** More waits than one piece: small ones would cost more than they deliver. */
const fallingBehind: Pace = { smallest: 60, longMs: 15, shortMs: 8 };

/** Where as many come together, more are on their way. */
const MANY_EVENTS = 20;

export interface ChunkedUploadParts {
  readonly clock: Clock;
  /** Aborted where nobody's turn is to be waited for any more. */
  readonly signal: AbortSignal;
  /** After a failure nothing more is delivered. */
  readonly deliver: (events: readonly unknown[]) => Outcome<null>;
  /** Told true before many events are delivered in pieces, and false after the last one. */
  readonly delivering: (isUnderWay: boolean) => void;
}

/**
 * Delivers events in the order in which they come: few of them as they come, many in pieces, with a turn for others before
 * each. What comes meanwhile is gathered, for a transaction costs as much as tens of its events.
 */
export class ChunkedUpload {
  readonly #parts: ChunkedUploadParts;
  readonly #failing = new AbortController();
  #waiting: readonly unknown[] = [];
  #size = PIECE_EVENTS;
  #delivered: Outcome<null> = success(null);
  #delivering: Promise<void> | undefined;
  #madeRoom: (() => void) | undefined;

  constructor(parts: ChunkedUploadParts) {
    this.#parts = parts;
  }

  /** Aborted once something could not be delivered. */
  get failed(): AbortSignal {
    return this.#failing.signal;
  }

  take(events: readonly unknown[]): void {
    if (this.failed.aborted) return;
    if (this.#delivering === undefined && events.length < MANY_EVENTS) {
      this.#deliver(events);
      return;
    }
    this.#waiting = [...this.#waiting, ...events];
    if (this.#delivering !== undefined) return;
    this.#delivering = this.#deliverAll();
    // Whoever waits for the end is told.
    this.#delivering.catch(() => undefined);
  }

  /** Where as many wait as make two pieces, settles when half of them are delivered: nothing more is to be read until then. */
  room(): Promise<void> | undefined {
    if (this.#waiting.length < 2 * PIECE_EVENTS) return undefined;
    return new Promise((resolve) => {
      this.#madeRoom = resolve;
    });
  }

  /** Settles when all that was taken is delivered, or could not be. @throws what `deliver` throws */
  async settled(): Promise<Outcome<null>> {
    await this.#delivering;
    return this.#delivered;
  }

  async #deliverAll(): Promise<void> {
    const { clock, signal, delivering } = this.#parts;
    delivering(true);
    try {
      while (!this.failed.aborted && this.#waiting.length > 0) {
        await clock.wait(0, signal);
        const piece = this.#waiting.slice(0, this.#size);
        this.#waiting = this.#waiting.slice(this.#size);
        const startedAtMs = clock.now();
        this.#deliver(piece);
        this.#resize(piece.length, clock.now() - startedAtMs);
        if (this.#waiting.length <= PIECE_EVENTS) this.#madeRoom?.();
      }
      this.#delivering = undefined;
    } finally {
      this.#waiting = [];
      this.#madeRoom?.();
      delivering(false);
    }
  }

  /** A piece that was no whole one says nothing of how long a larger one would take. */
  #resize(count: number, tookMs: number): void {
    const isBehind = this.#waiting.length > PIECE_EVENTS;
    const { smallest, longMs, shortMs } = isBehind ? fallingBehind : keepingUp;
    if (tookMs > longMs) this.#size = Math.max(smallest, Math.ceil(this.#size / 2));
    else if (tookMs < shortMs && count === this.#size) {
      this.#size = Math.min(PIECE_EVENTS, this.#size * 2);
    }
  }

  #deliver(events: readonly unknown[]): void {
    let isDelivered = false;
    try {
      this.#delivered = this.#parts.deliver(events);
      isDelivered = this.#delivered.ok;
    } finally {
      if (!isDelivered) this.#failing.abort();
    }
  }
}
