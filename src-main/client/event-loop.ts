/** Keeps a session's place in the event log of its service, whatever happens to the network or the service. */
import { z } from 'zod';
import { api as endpoints } from '../contract/api/index.ts';
import type { Connection } from '../contract/models/client.ts';
import type { Failure } from '../contract/outcome.ts';
import { success } from '../contract/outcome.ts';
import type { Api, ApiOutcome } from './api.ts';
import { backoffMs } from './backoff.ts';
import type { Clock } from './ports.ts';

/** The service answers within 55 s (API decisions, section 8.1); a proxy may add to that. */
const POLL_LIMIT_MS = 75_000;
const DELETE_LIMIT_MS = 2_000;

/** Only signing in again helps. */
const refusals: ReadonlySet<string> = new Set([
  'INVALID_API_KEY',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
  'UNAUTHORIZED',
]);

/** A queue and the id of the last event taken from it. */
export interface QueuePosition {
  readonly queueId: string;
  readonly lastEventId: number;
}

export interface EventLoopParts {
  readonly api: Api;
  readonly clock: Clock;
  /** Obtains a queue and takes over the state that it starts from. */
  readonly register: (signal: AbortSignal) => Promise<ApiOutcome<QueuePosition>>;
  /** Fetches what the state lacks after `register`. Repeated until it succeeds. */
  readonly catchUp: (signal: AbortSignal) => Promise<ApiOutcome<null>>;
  /** Takes new events, ascending, each once. */
  readonly deliver: (events: readonly unknown[]) => void;
  readonly report: (connection: Connection) => void;
}

/** An event is decoded by whoever knows its type; here it only has to have an id. */
const Numbered = z.looseObject({ id: z.int() });
const poll = {
  ...endpoints.events.poll,
  result: z.object({ events: z.array(z.unknown()) }),
};

export class EventLoop {
  readonly #parts: EventLoopParts;
  readonly #stopping = new AbortController();
  /** Aborted to cut short whatever the loop waits for. */
  #waiting = new AbortController();
  #position: QueuePosition | null = null;
  #isCaughtUp = false;
  /** Ask without blocking, so that it is known at once whether the service answers. */
  #isProbing = true;
  #failures = 0;
  #liveUntilSeconds: number | null = null;

  constructor(parts: EventLoopParts) {
    this.#parts = parts;
  }

  get queueId(): string | null {
    return this.#position?.queueId ?? null;
  }

  /** Settles when the loop ended: stopped, or refused by the service. */
  async run(): Promise<void> {
    while (!this.#isStopped()) {
      this.#waiting = new AbortController();
      const { signal } = this.#waiting;
      const outcome = await this.#advance(signal);
      if (this.#isStopped()) return;
      // A request that `wake` cut short says nothing about the service.
      if (outcome.ok || (signal.aborted && outcome.failure.code === 'UNREACHABLE')) continue;
      if (!(await this.#recover(outcome.failure, signal))) return;
    }
  }

  /** Asks the service at once instead of waiting: for the next attempt, or on a connection that may be dead. */
  wake(): void {
    this.#isProbing = true;
    this.#waiting.abort();
  }

  /** Settles when the queue is deleted, or could not be in a short time. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#waiting.abort();
    const queueId = this.queueId;
    if (queueId === null) return;
    await this.#parts.api.call(
      endpoints.events.deleteQueue,
      { queueId },
      { limitMs: DELETE_LIMIT_MS },
    );
  }

  async #advance(signal: AbortSignal): Promise<ApiOutcome<null>> {
    if (this.#position === null) {
      const registered = await this.#parts.register(signal);
      if (!registered.ok) return registered;
      this.#position = registered.value;
      this.#isCaughtUp = false;
    }
    if (!this.#isCaughtUp) {
      const caughtUp = await this.#parts.catchUp(signal);
      if (!caughtUp.ok) return caughtUp;
      this.#isCaughtUp = true;
    }
    return this.#poll(this.#position, signal);
  }

  async #poll(position: QueuePosition, signal: AbortSignal): Promise<ApiOutcome<null>> {
    const { api, clock, report } = this.#parts;
    const dontBlock = this.#isProbing;
    const options = { signal, limitMs: POLL_LIMIT_MS };
    const outcome = await api.call(poll, { ...position, dontBlock }, options);
    if (!outcome.ok) return outcome;
    if (this.#isStopped()) return success(null);
    const isNews = this.#take(outcome.value.events, position);
    this.#failures = 0;
    this.#isProbing = signal.aborted;
    this.#liveUntilSeconds = Math.floor(clock.now() / 1000);
    report({ state: 'live' });
    // Something between here and the service that ends every wait at once must not make this loop spin.
    if (!dontBlock && !isNews) await clock.wait(backoffMs(1, clock.random()), signal);
    return success(null);
  }

  /** Whether there was anything new. */
  #take(received: readonly unknown[], from: QueuePosition): boolean {
    const fresh: unknown[] = [];
    let { lastEventId } = from;
    for (const event of received) {
      const { data } = Numbered.safeParse(event);
      if (data === undefined || data.id <= lastEventId) continue;
      lastEventId = data.id;
      fresh.push(event);
    }
    this.#position = { ...from, lastEventId };
    if (fresh.length > 0) this.#parts.deliver(fresh);
    return fresh.length > 0;
  }

  /** Whether to go on. */
  async #recover({ code, message: reason }: Failure, signal: AbortSignal): Promise<boolean> {
    const { clock, report } = this.#parts;
    if (refusals.has(code)) {
      report({ state: 'signed-out', reason });
      return false;
    }
    this.#failures += 1;
    this.#isProbing = true;
    if (code === 'BAD_EVENT_QUEUE_ID') {
      this.#position = null;
      // A service that forgets every new queue is treated as any other failure.
      if (this.#failures === 1) return true;
    }
    report({ state: 'offline', liveUntilSeconds: this.#liveUntilSeconds, reason });
    await clock.wait(backoffMs(this.#failures, clock.random()), signal);
    return true;
  }

  #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }
}
