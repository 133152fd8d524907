/** Keeps a session's place in the event log of its service, whatever happens to the network or the service. */
import { z } from 'zod';
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { Connection } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { success } from '#shared/bridge/outcome.ts';
import type { Api, QueuePosition } from './api.ts';
import type { ApiFailure, ApiOutcome } from './answers.ts';
import { backoffMs } from './backoff.ts';
import type { Clock } from '../ports.ts';
import { ChunkedUpload } from './event-batches.ts';

/** The service answers within 55 s (API decisions 8.1); a proxy may add to that. */
const POLL_LIMIT_MS = 75_000;
/** Who asks without blocking gets an answer soon, or the connection is dead. Much to tell on a slow line takes longer. */
const PROBE_LIMIT_MS = 15_000;
const DELETE_LIMIT_MS = 2_000;
/** A service begins to stream at once; something that holds answers back, between here and there, does not. */
const FIRST_LINE_LIMIT_MS = 5_000;
/** More than two heartbeats of a stream (API decisions 8.4). */
const SILENCE_LIMIT_MS = 45_000;
/** How often the service is told which events of a stream have arrived. */
const ACKNOWLEDGE_EVERY_MS = 10_000;
/** How many of them it may not know of: a queue takes in nothing more at twice as many (API decisions 8.4). */
const MAX_UNTOLD_EVENTS = 5_000;
/** So soon no stream ends by itself; where several in a row do, fetches are the better way for a while. */
const SHORT_STREAM_MS = 10_000;
const MAX_SHORT_STREAMS = 3;
const WITHOUT_STREAM_MS = 600_000;
/** A computer that goes to sleep is asked as if so many attempts had failed already. */
const ASLEEP_FAILURES = 4;

/** Only signing in again helps. */
const refusals: ReadonlySet<string> = new Set([
  'INVALID_API_KEY',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
  'UNAUTHORIZED',
]);

export interface EventLoopParts {
  readonly api: Api;
  readonly clock: Clock;
  /** Where an earlier run stopped; null to begin with a new queue. */
  readonly position: QueuePosition | null;
  /** UNIX seconds at which the service last answered an earlier run. */
  readonly liveUntilSeconds: number | null;
  /** Asked before anything else on a new connection; absent where everybody who answers is the right one. */
  readonly meet?: (signal: AbortSignal) => Promise<ApiOutcome<null>>;
  /** Obtains a queue and takes over the state that it starts from. */
  readonly register: (signal: AbortSignal) => Promise<ApiOutcome<QueuePosition>>;
  /** Fetches what the state lacks after `register`. Repeated until it succeeds. */
  readonly catchUp: (signal: AbortSignal) => Promise<ApiOutcome<null>>;
  /**
   * Takes new events, ascending, each once, up to the position. After a failure they stay with the service, which is asked
   * for them again.
   */
  readonly deliver: (events: readonly unknown[], position: QueuePosition) => Outcome<null>;
  /** Told true before many events are delivered in pieces, and false after the last one. */
  readonly delivering: (isUnderWay: boolean) => void;
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
  /** Who answers on this connection is known. */
  #isMet = false;
  /** Ask without blocking, so that it is known at once whether the service answers. */
  #isProbing = true;
  #failures = 0;
  #noStreamBeforeMs = 0;
  /** Streams in a row that ended sooner than any should. */
  #shortStreams = 0;
  /** Whether the last one did, until a fetch has shown that the service answers. */
  #endedShort: boolean | null = null;
  #liveUntilSeconds: number | null = null;
  /** The service said so, and has not answered since. */
  #asleep: { readonly asleepSinceSeconds: number; readonly reason: string } | undefined;

  constructor(parts: EventLoopParts) {
    this.#parts = parts;
    this.#position = parts.position;
    this.#liveUntilSeconds = parts.liveUntilSeconds;
  }

  get liveUntilSeconds(): number | null {
    return this.#liveUntilSeconds;
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

  /** Another call had no answer: the connection may be dead, which a poll would find out late. */
  probe(): void {
    if (!this.#isProbing && this.#failures === 0) this.wake();
  }

  /** Asks the service at once instead of waiting: for the next attempt, or on a connection that may be dead. */
  wake(): void {
    this.#isProbing = true;
    this.#isMet = false;
    this.#waiting.abort();
  }

  /** The queue is given up: a new one is registered. */
  forgetQueue(): void {
    this.#position = null;
    this.wake();
  }

  /** A queue that is not kept is deleted: settles when it is, or could not be in a short time. */
  async stop({ keepsQueue }: { readonly keepsQueue: boolean }): Promise<void> {
    this.#stopping.abort();
    this.#waiting.abort();
    const queueId = this.queueId;
    if (queueId === null || keepsQueue) return;
    await this.#parts.api.call(
      endpoints.events.deleteQueue,
      { queueId },
      { limitMs: DELETE_LIMIT_MS },
    );
  }

  async #advance(signal: AbortSignal): Promise<ApiOutcome<null>> {
    const { clock, meet } = this.#parts;
    if (!this.#isMet && meet !== undefined) {
      const met = await meet(signal);
      if (!met.ok) return met;
    }
    this.#isMet = true;
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
    const isStreamed = !this.#isProbing && clock.now() >= this.#noStreamBeforeMs;
    return isStreamed ? this.#stream(this.#position, signal) : this.#poll(this.#position, signal);
  }

  /** Waits on one answer that stays open. Whatever becomes of it, a fetch that does not block follows. */
  async #stream(position: QueuePosition, signal: AbortSignal): Promise<ApiOutcome<null>> {
    const { api, clock, delivering } = this.#parts;
    const openedAtMs = clock.now();
    const acknowledge = this.#acknowledging(position);
    const pieces = new ChunkedUpload({
      clock,
      signal,
      delivering,
      deliver: (events) => {
        const taken = this.#takeStreamed(events);
        if (taken.ok) acknowledge(events.length);
        return taken;
      },
    });
    const seen = { isHeard: false };
    const outcome = await api.stream(position, {
      signal: AbortSignal.any([signal, pieces.failed]),
      silenceMs: () => (seen.isHeard ? SILENCE_LIMIT_MS : FIRST_LINE_LIMIT_MS),
      take: (events) => {
        seen.isHeard = true;
        pieces.take(events);
        return pieces.room();
      },
    });
    const taken = await pieces.settled();
    if (!outcome.ok && outcome.failure.code === 'NOT_FOUND') {
      this.#leaveStreams();
      return success(null);
    }
    this.#isProbing = true;
    if (!taken.ok) return taken;
    if (this.#isStopped() || signal.aborted) return success(null);
    if (!outcome.ok && outcome.failure.asleepSinceSeconds !== undefined) return outcome;
    this.#endedShort = !seen.isHeard || clock.now() - openedAtMs < SHORT_STREAM_MS;
    // What is wrong with the connection, the key or the queue, the fetch that follows finds out.
    return success(null);
  }

  #takeStreamed(events: readonly unknown[]): Outcome<null> {
    if (this.#position === null || this.#isStopped()) return success(null);
    const taken = this.#take(events);
    if (!taken.ok) return taken;
    this.#live();
    return taken;
  }

  /** Tells the service from time to time how far this is: it keeps what it does not know to have arrived. */
  #acknowledging({ queueId, lastEventId }: QueuePosition): (count: number) => void {
    const { api, clock } = this.#parts;
    let told = { id: lastEventId, atMs: clock.now() };
    let untold = 0;
    return (count) => {
      untold += count;
      const id = this.#position?.lastEventId ?? told.id;
      const isDue = untold >= MAX_UNTOLD_EVENTS || clock.now() - told.atMs >= ACKNOWLEDGE_EVERY_MS;
      if (id === told.id || !isDue) return;
      const before = told;
      told = { id, atMs: clock.now() };
      untold = 0;
      void api.call(endpoints.events.acknowledge, { queueId, lastEventId: id }).then(({ ok }) => {
        // It is told again with whatever comes next, be it that nothing does.
        if (!ok && told.id === id) told = { ...told, id: before.id };
      });
    };
  }

  /** Some proxies let no stream through, or end it soon: a fetch has shown that the service answers. */
  #judgeStream(): void {
    if (this.#endedShort === null) return;
    this.#shortStreams = this.#endedShort ? this.#shortStreams + 1 : 0;
    this.#endedShort = null;
    if (this.#shortStreams >= MAX_SHORT_STREAMS) this.#leaveStreams();
  }

  /** For a while; an older service has none. */
  #leaveStreams(): void {
    this.#noStreamBeforeMs = this.#parts.clock.now() + WITHOUT_STREAM_MS;
    // One more is enough then.
    this.#shortStreams = MAX_SHORT_STREAMS - 1;
  }

  async #poll(position: QueuePosition, signal: AbortSignal): Promise<ApiOutcome<null>> {
    const { api, clock, delivering } = this.#parts;
    const dontBlock = this.#isProbing;
    const limitMs = dontBlock
      ? Math.min(POLL_LIMIT_MS, PROBE_LIMIT_MS * 2 ** this.#failures)
      : POLL_LIMIT_MS;
    const options = { signal, limitMs, isProbe: dontBlock };
    const outcome = await api.call(poll, { ...position, dontBlock }, options);
    if (!outcome.ok) return outcome;
    this.#judgeStream();
    if (this.#isStopped()) return success(null);
    const pieces = new ChunkedUpload({
      clock,
      signal,
      delivering,
      deliver: (events) => this.#take(events),
    });
    pieces.take(outcome.value.events);
    const taken = await pieces.settled();
    if (!taken.ok) return taken;
    if (this.#isStopped()) return success(null);
    const isNews = this.#position !== position;
    this.#failures = 0;
    this.#isProbing = signal.aborted;
    this.#live();
    // Something between here and the service that ends every wait at once must not make this loop spin.
    if (!dontBlock && !isNews) await clock.wait(backoffMs(1, clock.random()), signal);
    return success(null);
  }

  #take(received: readonly unknown[]): Outcome<null> {
    const from = this.#position;
    // What the rest of a queue tells that was given up comes with the next one.
    if (from === null || this.#isStopped()) return success(null);
    const fresh = newerThan(from.lastEventId, received);
    const newest = fresh.at(-1);
    if (newest === undefined) return success(null);
    const position = { ...from, lastEventId: newest.id };
    const events = fresh.map(({ event }) => event);
    const delivered = this.#parts.deliver(events, position);
    if (delivered.ok && this.#position === from) this.#position = position;
    return delivered;
  }

  /** Whether to go on. */
  async #recover(failure: ApiFailure, signal: AbortSignal): Promise<boolean> {
    const { clock, report } = this.#parts;
    const { code, message: reason } = failure;
    // That was no fault of the stream.
    this.#endedShort = null;
    if (refusals.has(code)) {
      report({ state: 'signed-out', reason });
      return false;
    }
    this.#failures += 1;
    this.#isProbing = true;
    this.#isMet = false;
    if (code === 'BAD_EVENT_QUEUE_ID') {
      this.#position = null;
      // A service that forgets every new queue is treated as any other failure.
      if (this.#failures === 1) return true;
    }
    this.#noteSleep(failure);
    report({
      state: 'offline',
      liveUntilSeconds: this.#liveUntilSeconds,
      reason,
      ...this.#asleep,
    });
    await clock.wait(backoffMs(this.#failures, clock.random()), signal);
    return true;
  }

  /** It sleeps on while nobody answers, or somebody between here and there who cannot reach it. */
  #noteSleep({ code, status = 0, asleepSinceSeconds, message: reason }: ApiFailure): void {
    if (asleepSinceSeconds !== undefined) {
      this.#asleep = { asleepSinceSeconds, reason };
      this.#failures = Math.max(this.#failures, ASLEEP_FAILURES);
    } else if (code !== 'UNREACHABLE' && status < 502) this.#asleep = undefined;
  }

  #live(): void {
    this.#asleep = undefined;
    this.#liveUntilSeconds = Math.floor(this.#parts.clock.now() / 1000);
    this.#parts.report({ state: 'live' });
  }

  #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }
}

interface NumberedEvent {
  readonly id: number;
  readonly event: unknown;
}

function newerThan(lastEventId: number, received: readonly unknown[]): readonly NumberedEvent[] {
  let newestId = lastEventId;
  return received.flatMap((event) => {
    const { data } = Numbered.safeParse(event);
    if (data === undefined || data.id <= newestId) return [];
    newestId = data.id;
    return [{ id: data.id, event }];
  });
}
