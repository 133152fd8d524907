/** Fetching events: answering at once, waiting, heartbeats, takeover (API decisions 8.1). */
import type { ServiceError } from '#shared/api/errors.ts';
import type { GoneSignal } from '../core/ports/handlers.ts';
import type { Clock } from '#node/clock.ts';
import type { Store } from '../db/port.ts';
import type { Payloads } from './payloads.ts';
import type { Queue, Waiter } from './queue.ts';
import type { Scanner } from './scan.ts';
import { receiverOf } from './shared-lists.ts';
import type { QueueLease, Waiters } from './waiters.ts';

/** The part of its interval by which a heartbeat comes earlier or later. */
const HEARTBEAT_JITTER = 1 / 15;

export interface FetchRequest {
  /** Undefined and -1 acknowledge nothing. */
  readonly lastEventId: number | undefined;
  readonly dontBlock: boolean;
  /** Aborts when the client has gone. */
  readonly signal: GoneSignal;
}

export interface PollParts {
  readonly store: Pick<Store, 'takeEventId' | 'lastEventId'>;
  readonly waiters: Waiters;
  readonly scanner: Scanner;
  readonly payloads: Payloads;
  readonly clock: Clock;
  /** 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  readonly heartbeatSeconds: number;
  readonly longpollSeconds: number;
}

type EndReason = 'events' | 'heartbeat' | 'released';

const none: readonly string[] = [];
const ignore = (): void => undefined;

/** Makes an answer of what a queue is told, each event the JSON of one. */
type WriteAnswer<T> = (queue: Queue, events: readonly string[]) => T;

/** Why the waiting ended decides what is answered. */
type Finish = <T>(fetch: WaitingFetch<T>, reason: EndReason) => T | Promise<T>;

interface WaitParts<T> {
  readonly waiters: Waiters;
  readonly signal: GoneSignal;
  readonly dueAtMs: number;
  readonly write: WriteAnswer<T>;
  readonly finish: Finish;
}

/** A thousand of these are made for each message. */
class WaitingFetch<T> implements Waiter {
  readonly queue: Queue;
  slot = -1;
  readonly dueAtMs: number;
  readonly taken: QueueLease;
  readonly write: WriteAnswer<T>;
  readonly over: Promise<T>;
  readonly #room: Waiters;
  readonly #signal: GoneSignal;
  readonly #finish: Finish;
  #settle: (answer: T | Promise<T>) => void = ignore;
  #fail: (reason: unknown) => void = ignore;

  constructor(taken: QueueLease, wait: WaitParts<T>) {
    this.taken = taken;
    this.queue = taken.queue;
    this.write = wait.write;
    this.dueAtMs = wait.dueAtMs;
    this.#room = wait.waiters;
    this.#signal = wait.signal;
    this.#finish = wait.finish;
    this.over = new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
    wait.signal.addEventListener('abort', this.release);
    wait.waiters.enter(this);
    if (wait.signal.aborted) this.release();
  }

  notify(): void {
    this.#end('events');
  }

  expire(): void {
    this.#end('heartbeat');
  }

  readonly release = (): void => {
    this.#end('released');
  };

  refuse(refusal: ServiceError): void {
    if (!this.#leave()) return;
    this.taken.release();
    this.#fail(refusal);
  }

  /** Whether it still waited. */
  #leave(): boolean {
    if (!this.#room.leave(this)) return false;
    this.#signal.removeEventListener('abort', this.release);
    return true;
  }

  #end(reason: EndReason): void {
    if (!this.#leave()) return;
    try {
      this.#settle(this.#finish(this, reason));
    } catch (error) {
      this.#fail(error);
    }
  }
}

export class Polls {
  readonly #parts: PollParts;

  constructor(parts: PollParts) {
    this.#parts = parts;
  }

  /** @returns what `write` makes of the events. @throws RATE_LIMIT_HIT where too many wait already */
  fetch<T>(queue: Queue, request: FetchRequest, write: WriteAnswer<T>): Promise<T> {
    const { waiters, store } = this.#parts;
    const taken = waiters.take(queue, request.lastEventId);
    // As nearly always: everything was told, and nothing is new.
    const isQuiet = queue.buffer.length === 0 && queue.scannedId >= store.lastEventId();
    return isQuiet && !request.dontBlock && waiters.hasRoom(queue)
      ? this.#wait(taken, request.signal, write)
      : this.#look(taken, request, write);
  }

  async #look<T>(taken: QueueLease, request: FetchRequest, write: WriteAnswer<T>): Promise<T> {
    const { waiters, scanner } = this.#parts;
    const { queue } = taken;
    try {
      const scanning = scanner.scan(queue);
      if (scanning !== undefined) await scanning;
      const rendered = queue.buffer.length === 0 ? none : await this.#render(queue);
      if (rendered.length > 0 || request.dontBlock || !taken.isCurrent()) {
        return write(queue, rendered);
      }
      waiters.checkRoom(queue);
      return await this.#wait(taken, request.signal, write);
    } finally {
      taken.release();
    }
  }

  #wait<T>(taken: QueueLease, signal: GoneSignal, write: WriteAnswer<T>): Promise<T> {
    const { waiters } = this.#parts;
    const wait = { waiters, signal, dueAtMs: this.#dueAtMs(), write, finish: this.#finish };
    return new WaitingFetch(taken, wait).over;
  }

  readonly #finish: Finish = (fetch, reason) => {
    const { queue, taken } = fetch;
    const isBeat = reason === 'heartbeat' && taken.isCurrent();
    const now = isBeat ? undefined : this.#parts.payloads.serializeNow(receiverOf(queue));
    if (now === undefined) return this.#finishLater(fetch, isBeat);
    taken.release();
    return fetch.write(queue, now);
  };

  async #finishLater<T>(fetch: WaitingFetch<T>, isBeat: boolean): Promise<T> {
    const { queue, taken, write } = fetch;
    try {
      return write(queue, isBeat ? await this.#beat(queue) : await this.#render(queue));
    } finally {
      taken.release();
    }
  }

  /** A heartbeat's id may lie above events of the same moment: those are answered instead. */
  async #beat(queue: Queue): Promise<readonly string[]> {
    const id = await this.#parts.store.takeEventId();
    await this.#parts.scanner.scan(queue);
    return queue.buffer.length > 0 ? this.#render(queue) : [heartbeatJson(id)];
  }

  async #render(queue: Queue): Promise<readonly string[]> {
    const { events, removed } = await this.#parts.payloads.serialize(receiverOf(queue));
    // A client cannot acknowledge what it is never told, and would be answered with nothing at once, for ever.
    queue.buffer.remove(removed);
    return events;
  }

  /** Not all at once, and the last one before the limit. */
  #dueAtMs(): number {
    const { waiters, clock, heartbeatSeconds, longpollSeconds, random } = this.#parts;
    const spread = 1 + HEARTBEAT_JITTER * (2 * random() - 1);
    const longestMs = 1000 * longpollSeconds - waiters.lookEveryMs;
    return clock.now() + Math.min(1000 * heartbeatSeconds * spread, longestMs);
  }
}

export const heartbeatJson = (id: number): string => JSON.stringify({ id, type: 'heartbeat' });
