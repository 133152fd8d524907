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

export class WaitingRoom {
  readonly #parts: WaitingRoomParts;
  readonly #byQueue = new Map<Queue, Waiting>();
  readonly #byUser = new Map<number, Set<Waiting>>();
  readonly #byOwner = new Map<number, Set<Waiting>>();
  #isStopped = false;

  constructor(parts: WaitingRoomParts) {
    this.#parts = parts;
  }

  /**
   * A request takes the queue: what waited on it is released, and what the client has is acknowledged.
   * @param lastEventId  undefined and -1 acknowledge nothing
   * @returns what says whether the queue is still its own, and gives it back
   */
  take(queue: Queue, lastEventId: number | undefined) {
    const { store, registry } = this.#parts;
    const own = {};
    queue.fetch = own;
    if (lastEventId !== undefined) acknowledge(queue, lastEventId, store.lastEventId());
    this.#byQueue.get(queue)?.release();
    registry.touch(queue);
    return {
      isCurrent: (): boolean => queue.fetch === own,
      giveBack: (): void => {
        if (queue.fetch === own) queue.fetch = null;
        registry.touch(queue);
      },
    };
  }

  /** How many clients wait now. */
  get size(): number {
    return this.#byQueue.size;
  }

  /** One person cannot take what all share, however many bots they own. @throws RATE_LIMIT_HIT */
  checkRoom({ ownerId }: Queue): void {
    const { maxWaiting, maxWaitingOfOne } = this.#parts;
    const ofOwner = this.#byOwner.get(ownerId)?.size ?? 0;
    if (this.#byQueue.size < maxWaiting && ofOwner < maxWaitingOfOne) return;
    throw new ServiceError('RATE_LIMIT_HIT', 'Too many waiting requests', { 'retry-after': 5 });
  }

  /** Where the service is being stopped, the one who enters is released at once. */
  enter(waiting: Waiting): void {
    const { queue } = waiting;
    this.#byQueue.set(queue, waiting);
    addTo(this.#byOwner, queue.ownerId, waiting);
    addTo(this.#byUser, queue.userId, waiting);
    // What was committed while this was being set up.
    if (queue.scannedId < this.#parts.store.lastEventId()) this.#look(waiting);
    if (this.#isStopped) waiting.release();
  }

  leave(waiting: Waiting): void {
    const { queue } = waiting;
    if (this.#byQueue.get(queue) === waiting) this.#byQueue.delete(queue);
    removeFrom(this.#byOwner, queue.ownerId, waiting);
    removeFrom(this.#byUser, queue.userId, waiting);
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
    for (const waiting of [...(this.#byUser.get(userId) ?? [])]) waiting.release();
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

function addTo(groups: Map<number, Set<Waiting>>, id: number, waiting: Waiting): void {
  const known = groups.get(id);
  if (known === undefined) groups.set(id, new Set([waiting]));
  else known.add(waiting);
}

function removeFrom(groups: Map<number, Set<Waiting>>, id: number, waiting: Waiting): void {
  const known = groups.get(id);
  known?.delete(waiting);
  if (known?.size === 0) groups.delete(id);
}
