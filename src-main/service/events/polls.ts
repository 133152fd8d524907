/** Fetching events: answering at once, waiting, heartbeats, takeover (API decisions, section 8.1). */
import { ServiceError } from '../../contract/errors.ts';
import type { GoneSignal } from '../../contract/handlers.ts';
import type { LoggedEvent } from '../../contract/log.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Store } from '../store/port.ts';
import type { Payloads } from './payloads.ts';
import { acknowledge, type Queue } from './queue.ts';
import type { Registry } from './registry.ts';
import type { Scanner } from './scan.ts';

const HEARTBEAT_JITTER = 0.1;

export interface FetchRequest {
  /** Undefined and -1 acknowledge nothing. */
  readonly lastEventId: number | undefined;
  readonly dontBlock: boolean;
  /** Aborts when the client has gone. */
  readonly signal: GoneSignal;
}

interface Waiting {
  readonly queue: Queue;
  /** Why the waiting ended decides what is answered. */
  readonly end: (reason: 'events' | 'heartbeat' | 'released') => void;
}

export interface PollParts {
  readonly store: Pick<Store, 'lastEventId' | 'takeEventId'>;
  readonly registry: Pick<Registry, 'touch'>;
  readonly scanner: Scanner;
  readonly payloads: Payloads;
  readonly clock: Clock;
  /** 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  readonly heartbeatSeconds: number;
  readonly longpollSeconds: number;
  /** Requests that may wait at the same time. */
  readonly maxWaiting: number;
}

export class Polls {
  readonly #parts: PollParts;
  readonly #byQueue = new Map<Queue, Waiting>();
  readonly #byUser = new Map<number, Set<Waiting>>();
  #isStopped = false;

  constructor(parts: PollParts) {
    this.#parts = parts;
  }

  /** The events of a queue as JSON objects. */
  async fetch(queue: Queue, request: FetchRequest): Promise<readonly string[]> {
    const { store, registry } = this.#parts;
    const own = {};
    queue.fetch = own;
    if (request.lastEventId !== undefined) {
      acknowledge(queue, request.lastEventId, store.lastEventId());
    }
    this.#byQueue.get(queue)?.end('released');
    registry.touch(queue);
    try {
      return await this.#answer(queue, request, own);
    } finally {
      if (queue.fetch === own) queue.fetch = null;
      registry.touch(queue);
    }
  }

  /** Answers a waiting fetch with nothing: its queue is gone. */
  release(queue: Queue): void {
    queue.fetch = null;
    queue.pending = [];
    this.#byQueue.get(queue)?.end('released');
  }

  /** Looks at the waiting fetches that the events may concern. */
  wake(events: readonly LoggedEvent[]): void {
    const candidates = new Set<Waiting>();
    const addAll = (waitings: Iterable<Waiting>): void => {
      for (const waiting of waitings) candidates.add(waiting);
    };
    for (const { audience } of events) {
      if (audience.kind !== 'users') addAll(this.#byQueue.values());
      else for (const userId of audience.userIds) addAll(this.#byUser.get(userId) ?? []);
    }
    for (const waiting of candidates) void this.#look(waiting);
  }

  /** Answers everything that waits, and from now on everything at once. */
  stop(): void {
    this.#isStopped = true;
    for (const waiting of [...this.#byQueue.values()]) waiting.end('released');
  }

  async #answer(queue: Queue, request: FetchRequest, own: object): Promise<readonly string[]> {
    await this.#parts.scanner.scan(queue);
    const isCurrent = (): boolean => queue.fetch === own;
    const rendered = queue.pending.length === 0 ? [] : await this.#render(queue);
    if (rendered.length > 0 || request.dontBlock || !isCurrent()) return rendered;
    if (this.#byQueue.size >= this.#parts.maxWaiting) {
      throw new ServiceError('RATE_LIMIT_HIT', 'Too many waiting requests', { 'retry-after': 5 });
    }
    const reason = await this.#wait(queue, request.signal);
    if (reason === 'heartbeat' && isCurrent()) return this.#beat(queue);
    return this.#render(queue);
  }

  #wait(queue: Queue, signal: GoneSignal): Promise<'events' | 'heartbeat' | 'released'> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        queue,
        end: (reason) => {
          this.#strike(waiting);
          cancel();
          signal.removeEventListener('abort', leave);
          resolve(reason);
        },
      };
      const leave = (): void => {
        waiting.end('released');
      };
      const cancel = this.#parts.clock.setTimer(() => {
        waiting.end('heartbeat');
      }, this.#waitMs());
      signal.addEventListener('abort', leave);
      this.#enlist(waiting);
      // What was committed while this was being set up.
      if (queue.scannedId < this.#parts.store.lastEventId()) void this.#look(waiting);
      if (signal.aborted || this.#isStopped) leave();
    });
  }

  async #look(waiting: Waiting): Promise<void> {
    try {
      await this.#parts.scanner.scan(waiting.queue);
      if (waiting.queue.pending.length > 0) waiting.end('events');
    } catch {
      // The next fetch scans again and reports what is wrong.
      waiting.end('released');
    }
  }

  /** A heartbeat's id may lie above events of the same moment: those are answered instead. */
  async #beat(queue: Queue): Promise<readonly string[]> {
    const id = await this.#parts.store.takeEventId();
    await this.#parts.scanner.scan(queue);
    return queue.pending.length > 0
      ? this.#render(queue)
      : [JSON.stringify({ id, type: 'heartbeat' })];
  }

  #render(queue: Queue): Promise<readonly string[]> {
    return this.#parts.payloads.serialize(queue);
  }

  #waitMs(): number {
    const { heartbeatSeconds, longpollSeconds, random } = this.#parts;
    const spread = 1 + HEARTBEAT_JITTER * (2 * random() - 1);
    return 1000 * Math.min(heartbeatSeconds * spread, longpollSeconds);
  }

  #enlist(waiting: Waiting): void {
    const { queue } = waiting;
    this.#byQueue.set(queue, waiting);
    const known = this.#byUser.get(queue.userId);
    if (known === undefined) this.#byUser.set(queue.userId, new Set([waiting]));
    else known.add(waiting);
  }

  #strike(waiting: Waiting): void {
    const { queue } = waiting;
    if (this.#byQueue.get(queue) === waiting) this.#byQueue.delete(queue);
    const known = this.#byUser.get(queue.userId);
    known?.delete(waiting);
    if (known?.size === 0) this.#byUser.delete(queue.userId);
  }
}
