/** Who waits for events: fetches and streams, each on one queue (API decisions 8.1 and 8.4). */
import { ServiceError } from '#shared/api/errors.ts';
import type { Clock } from '#node/clock.ts';
import type { LoggedEvent } from '../db/event-log.ts';
import type { Store } from '../db/port.ts';
import { Gathering } from './slot-set.ts';
import { acknowledge, type Queue, type Seat, type Waiting } from './queue.ts';
import type { Registry } from './queue-registry.ts';
import type { Scanner } from './scan.ts';

const nobody: readonly Waiting[] = [];
/** How many are told before the first of them may be answered. */
const AT_ONCE = 4;

function kept<T>(map: Map<number, T>, key: number, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

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
  readonly clock: Clock;
  /** How often the room looks whose time is over. */
  readonly lookEveryMs: number;
}

/** A queue in the hands of one request, until another one takes it. */
export class Taken {
  readonly queue: Queue;
  readonly #registry: WaitingRoomParts['registry'];

  constructor(queue: Queue, registry: WaitingRoomParts['registry']) {
    this.queue = queue;
    this.#registry = registry;
  }

  isCurrent(): boolean {
    return this.queue.fetch === this;
  }

  giveBack(): void {
    if (this.isCurrent()) this.queue.fetch = null;
    this.#registry.touch(this.queue);
  }
}

export class WaitingRoom {
  readonly #parts: WaitingRoomParts;
  readonly #all = new Gathering<Waiting>();
  // An account that was here once stays in these two (see `Gathering`).
  readonly #byUser = new Map<number, Waiting[]>();
  readonly #ofOwner = new Map<number, { count: number }>();
  #isLooking = false;
  #isStopped = false;
  #refusal: ServiceError | undefined;

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

  /** So much later than it is due a wait may end. */
  get lookEveryMs(): number {
    return this.#parts.lookEveryMs;
  }

  /** How many clients wait now. */
  get size(): number {
    return this.#all.size;
  }

  /** One person cannot take what all share, however many bots they own. */
  hasRoom(queue: Queue): boolean {
    const { maxWaiting, maxWaitingOfOne } = this.#parts;
    return this.#all.size < maxWaiting && this.#seatOf(queue).ofOwner.count < maxWaitingOfOne;
  }

  /** @throws RATE_LIMIT_HIT where there is no room */
  checkRoom(queue: Queue): void {
    if (this.hasRoom(queue)) return;
    throw new ServiceError('RATE_LIMIT_HIT', 'Too many waiting requests', { 'retry-after': 5 });
  }

  /** Where nobody may wait, the one who enters is told at once. */
  enter(waiting: Waiting): void {
    const { queue } = waiting;
    queue.waiting = waiting;
    this.#all.add(waiting);
    const { ofUser, ofOwner } = this.#seatOf(queue);
    ofOwner.count += 1;
    ofUser.push(waiting);
    this.#lookLater();
    // What was committed while this was being set up.
    if (queue.scannedId < this.#parts.store.lastEventId()) this.#look(waiting);
    if (this.#isStopped) waiting.release();
    else if (this.#refusal !== undefined) waiting.refuse(this.#refusal);
  }

  /** It leaves once, however often it is told to. @returns whether it was there */
  leave(waiting: Waiting): boolean {
    const { queue } = waiting;
    if (queue.waiting === waiting) queue.waiting = null;
    if (!this.#all.remove(waiting)) return false;
    const { ofUser, ofOwner } = this.#seatOf(queue);
    ofOwner.count -= 1;
    ofUser.splice(ofUser.indexOf(waiting), 1);
    return true;
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

  /** Refuses everybody, and whoever comes, until it is called without a refusal. */
  refuse(refusal: ServiceError | undefined): void {
    this.#refusal = refusal;
    if (refusal !== undefined) for (const waiting of this.#all.now()) waiting.refuse(refusal);
  }

  #ofUser(userId: number): readonly Waiting[] {
    return this.#byUser.get(userId) ?? nobody;
  }

  #seatOf(queue: Queue): Seat {
    return (queue.seat ??= {
      ofUser: kept(this.#byUser, queue.userId, () => []),
      ofOwner: kept(this.#ofOwner, queue.ownerId, () => ({ count: 0 })),
    });
  }

  /** One timer for all: thousands of them begin and end in each second, and hardly any is ever due. */
  #lookLater(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#parts.clock.setTimer(() => {
      this.#isLooking = false;
      if (this.#all.size > 0) this.#lookLater();
      const now = this.#parts.clock.now();
      for (const waiting of this.#all.now()) if (waiting.dueAtMs <= now) waiting.expire();
    }, this.#parts.lookEveryMs);
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
