/** Who waits for events: fetches and streams, each on one queue (API decisions 8.1 and 8.4). */
import { ServiceError } from '../../contract/errors.ts';
import type { LoggedEvent } from '../ports/log.ts';
import type { Store } from '../store/port.ts';
import { acknowledge, type Queue } from './queue.ts';
import type { Registry } from './queue-registry.ts';
import type { Scanner } from './scan.ts';

export interface Waiting {
  readonly queue: Queue;
  /** Something is pending in the queue. */
  readonly news: () => void;
  /** Another request took the queue, or nobody may wait any more. */
  readonly release: () => void;
}

export interface WaitingRoomParts {
  readonly store: Pick<Store, 'lastEventId'>;
  readonly registry: Pick<Registry, 'touch'>;
  readonly scanner: Scanner;
  /** Requests that may wait at the same time. */
  readonly maxWaiting: number;
  /** How many of them one person may have, with the bots that they own. */
  readonly maxWaitingOfOne: number;
}

/** A queue in the hands of one request, until another one takes it. */
class Taken {
  readonly #queue: Queue;
  readonly #registry: WaitingRoomParts['registry'];

  constructor(queue: Queue, registry: WaitingRoomParts['registry']) {
    this.#queue = queue;
    this.#registry = registry;
  }

  isCurrent(): boolean {
    return this.#queue.fetch === this;
  }

  giveBack(): void {
    if (this.isCurrent()) this.#queue.fetch = null;
    this.#registry.touch(this.#queue);
  }
}

export class WaitingRoom {
  readonly #parts: WaitingRoomParts;
  readonly #byQueue = new Map<Queue, Waiting>();
  readonly #byUser = new Map<number, readonly Waiting[]>();
  readonly #ofOwner = new Map<number, number>();
  #isStopped = false;

  constructor(parts: WaitingRoomParts) {
    this.#parts = parts;
  }

  /**
   * A request takes the queue: what waited on it is released, and what the client has is acknowledged.
   * @param lastEventId  undefined and -1 acknowledge nothing
   */
  take(queue: Queue, lastEventId: number | undefined): Taken {
    const { store, registry } = this.#parts;
    const taken = new Taken(queue, registry);
    queue.fetch = taken;
    if (lastEventId !== undefined) acknowledge(queue, lastEventId, store.lastEventId());
    this.#byQueue.get(queue)?.release();
    registry.touch(queue);
    return taken;
  }

  /** How many clients wait now. */
  get size(): number {
    return this.#byQueue.size;
  }

  /** One person cannot take what all share, however many bots they own. @throws RATE_LIMIT_HIT */
  checkRoom({ ownerId }: Queue): void {
    const { maxWaiting, maxWaitingOfOne } = this.#parts;
    const ofOwner = this.#ofOwner.get(ownerId) ?? 0;
    if (this.#byQueue.size < maxWaiting && ofOwner < maxWaitingOfOne) return;
    throw new ServiceError('RATE_LIMIT_HIT', 'Too many waiting requests', { 'retry-after': 5 });
  }

  /** Where the service is being stopped, the one who enters is released at once. */
  enter(waiting: Waiting): void {
    const { queue } = waiting;
    this.#byQueue.set(queue, waiting);
    this.#ofOwner.set(queue.ownerId, (this.#ofOwner.get(queue.ownerId) ?? 0) + 1);
    this.#byUser.set(queue.userId, [...(this.#byUser.get(queue.userId) ?? []), waiting]);
    // What was committed while this was being set up.
    if (queue.scannedId < this.#parts.store.lastEventId()) this.#look(waiting);
    if (this.#isStopped) waiting.release();
  }

  leave(waiting: Waiting): void {
    const { queue } = waiting;
    if (this.#byQueue.get(queue) === waiting) this.#byQueue.delete(queue);
    const ofUser = this.#byUser.get(queue.userId) ?? [];
    const others = ofUser.filter((each) => each !== waiting);
    // It leaves once, however often it is told to.
    if (others.length === ofUser.length) return;
    if (others.length === 0) this.#byUser.delete(queue.userId);
    else this.#byUser.set(queue.userId, others);
    const ofOwner = (this.#ofOwner.get(queue.ownerId) ?? 1) - 1;
    if (ofOwner === 0) this.#ofOwner.delete(queue.ownerId);
    else this.#ofOwner.set(queue.ownerId, ofOwner);
  }

  /** Looks at those whom the events may concern. */
  wake(events: readonly LoggedEvent[]): void {
    const candidates = new Set<Waiting>();
    const addAll = (waitings: Iterable<Waiting>): void => {
      for (const waiting of waitings) candidates.add(waiting);
    };
    for (const { audience } of events) {
      if (audience.kind !== 'users') addAll(this.#byQueue.values());
      else for (const userId of audience.userIds) addAll(this.#byUser.get(userId) ?? []);
    }
    for (const waiting of candidates) this.#look(waiting);
  }

  /** Looks at whoever waits on a queue that has taken in no more until now. */
  wakeQueue(queue: Queue): void {
    const waiting = this.#byQueue.get(queue);
    if (waiting !== undefined) this.#look(waiting);
  }

  /** The queue is gone: whoever waits on it is told nothing more. */
  release(queue: Queue): void {
    queue.fetch = null;
    queue.pending = [];
    this.#byQueue.get(queue)?.release();
  }

  /** An account may have less than before: its clients are told what there is, and are asked for a key again. Queues stay. */
  releaseAccount(userId: number): void {
    for (const waiting of this.#byUser.get(userId) ?? []) waiting.release();
  }

  /** Releases everybody, and from now on whoever comes. */
  stop(): void {
    this.#isStopped = true;
    for (const waiting of [...this.#byQueue.values()]) waiting.release();
  }

  #look(waiting: Waiting): void {
    const { queue } = waiting;
    const tell = (): void => {
      if (queue.pending.length > 0) waiting.news();
    };
    try {
      const scanning = this.#parts.scanner.scan(queue);
      if (scanning === undefined) tell();
      // The next request scans again and reports what is wrong.
      else scanning.then(tell).catch(waiting.release);
    } catch {
      waiting.release();
    }
  }
}
