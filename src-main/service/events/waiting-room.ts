/** Who waits for events: fetches and streams, each on one queue (API decisions 8.1 and 8.4). */
import { ServiceError } from '../../contract/errors.ts';
import type { LoggedEvent } from '../ports/log.ts';
import type { Store } from '../store/port.ts';
import { Gathering } from './gathering.ts';
import { acknowledge, type Queue, type Waiting } from './queue.ts';
import type { Registry } from './queue-registry.ts';
import type { Scanner } from './scan.ts';

const nobody: readonly Waiting[] = [];
/** How many are told before the first of them may be answered. */
const AT_ONCE = 4;

function tell(waiting: Waiting): void {
  if (waiting.queue.pending.length > 0) waiting.news();
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
  readonly #all = new Gathering<Waiting>();
  // An account that was here once stays in these two (see `Gathering`).
  readonly #byUser = new Map<number, Waiting[]>();
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
    queue.waiting?.release();
    registry.touch(queue);
    return taken;
  }

  /** How many clients wait now. */
  get size(): number {
    return this.#all.size;
  }

  /** One person cannot take what all share, however many bots they own. @throws RATE_LIMIT_HIT */
  checkRoom({ ownerId }: Queue): void {
    const { maxWaiting, maxWaitingOfOne } = this.#parts;
    const ofOwner = this.#ofOwner.get(ownerId) ?? 0;
    if (this.#all.size < maxWaiting && ofOwner < maxWaitingOfOne) return;
    throw new ServiceError('RATE_LIMIT_HIT', 'Too many waiting requests', { 'retry-after': 5 });
  }

  /** Where the service is being stopped, the one who enters is released at once. */
  enter(waiting: Waiting): void {
    const { queue } = waiting;
    queue.waiting = waiting;
    this.#all.add(waiting);
    this.#ofOwner.set(queue.ownerId, (this.#ofOwner.get(queue.ownerId) ?? 0) + 1);
    const ofUser = this.#byUser.get(queue.userId);
    if (ofUser === undefined) this.#byUser.set(queue.userId, [waiting]);
    else ofUser.push(waiting);
    // What was committed while this was being set up.
    if (queue.scannedId < this.#parts.store.lastEventId()) this.#look(waiting);
    if (this.#isStopped) waiting.release();
  }

  leave(waiting: Waiting): void {
    const { queue } = waiting;
    if (queue.waiting === waiting) queue.waiting = null;
    // It leaves once, however often it is told to.
    if (!this.#all.remove(waiting)) return;
    const ofUser = this.#byUser.get(queue.userId);
    ofUser?.splice(ofUser.indexOf(waiting), 1);
    this.#ofOwner.set(queue.ownerId, (this.#ofOwner.get(queue.ownerId) ?? 1) - 1);
  }

  /** Looks at those whom the events may concern. */
  wake(events: readonly LoggedEvent[]): void {
    const userIds = new Set<number>();
    let areAll = false;
    for (const { audience } of events) {
      if (audience.kind === 'users') for (const userId of audience.userIds) userIds.add(userId);
      else areAll = true;
    }
    const some = areAll ? this.#all.now() : [...userIds].flatMap((id) => this.#ofUser(id));
    this.#lookAt(some, 0);
  }

  /** Looks at whoever waits on a queue that has taken in no more until now. */
  wakeQueue(queue: Queue): void {
    if (queue.waiting !== null) this.#look(queue.waiting);
  }

  /** The queue is gone: whoever waits on it is told nothing more. */
  release(queue: Queue): void {
    queue.fetch = null;
    queue.pending.clear();
    queue.waiting?.release();
  }

  /** An account may have less than before: its clients are told what there is, and are asked for a key again. Queues stay. */
  releaseAccount(userId: number): void {
    for (const waiting of [...this.#ofUser(userId)]) waiting.release();
  }

  /** Releases everybody, and from now on whoever comes. */
  stop(): void {
    this.#isStopped = true;
    for (const waiting of this.#all.now()) waiting.release();
  }

  #ofUser(userId: number): readonly Waiting[] {
    return this.#byUser.get(userId) ?? nobody;
  }

  /** The first ones are answered while the others are looked at: a fetch is written some microtasks after it was told. */
  #lookAt(some: readonly Waiting[], from: number): void {
    const to = from + AT_ONCE;
    for (const waiting of some.slice(from, to)) this.#look(waiting);
    if (to < some.length) queueMicrotask(() => this.#lookAt(some, to));
  }

  #look(waiting: Waiting): void {
    try {
      const scanning = this.#parts.scanner.scan(waiting.queue);
      if (scanning === undefined) tell(waiting);
      // The next request scans again and reports what is wrong.
      else scanning.then(() => tell(waiting)).catch(waiting.release);
    } catch {
      waiting.release();
    }
  }
}
