/** Who waits for events: fetches and streams, each on one queue (API decisions 8.1 and 8.4). */
import type { ServiceError } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Clock } from '#node/clock.ts';
import type { LoggedEvent } from '../db/event-log.ts';
import type { Store } from '../db/port.ts';
import { SlotSet } from './slot-set.ts';
import { acknowledge, type Queue, type WaiterGroups, type Waiter } from './queue.ts';
import type { Registry } from './queue-registry.ts';
import type { Scanner } from './scan.ts';

const nobody: readonly Waiter[] = [];
/** How many are told before the first of them may be answered. */
const AT_ONCE = 4;

function getOrCreate<T>(map: Map<number, T>, key: number, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function notifyWaiter(waiter: Waiter): void {
  if (waiter.queue.buffer.length > 0) waiter.notify();
}

export interface WaitersParts {
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
export class QueueLease {
  readonly queue: Queue;
  readonly #registry: WaitersParts['registry'];

  constructor(queue: Queue, registry: WaitersParts['registry']) {
    this.queue = queue;
    this.#registry = registry;
  }

  isCurrent(): boolean {
    return this.queue.fetch === this;
  }

  release(): void {
    if (this.isCurrent()) this.queue.fetch = null;
    this.#registry.touch(this.queue);
  }
}

export class Waiters {
  readonly #parts: WaitersParts;
  readonly #all = new SlotSet<Waiter>();
  // An account that was here once stays in these two (see `SlotSet`).
  readonly #byUser = new Map<number, Waiter[]>();
  readonly #ofOwner = new Map<number, { count: number }>();
  #isLooking = false;
  #isStopped = false;
  #refusal: ServiceError | undefined;

  constructor(parts: WaitersParts) {
    this.#parts = parts;
  }

  /**
   * A request takes the queue: what waited on it is released, and what the client has is acknowledged.
   * @param lastEventId  undefined and -1 acknowledge nothing
   */
  take(queue: Queue, lastEventId: number | undefined): QueueLease {
    const { store, registry } = this.#parts;
    const lease = new QueueLease(queue, registry);
    queue.fetch = lease;
    if (lastEventId !== undefined) acknowledge(queue, lastEventId, store.lastEventId());
    queue.waiter?.release();
    registry.touch(queue);
    return lease;
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
    throw refusal('too_many_waiting_requests', {}, { 'retry-after': 5 });
  }

  /** Where nobody may wait, the one who enters is told at once. */
  enter(waiter: Waiter): void {
    const { queue } = waiter;
    queue.waiter = waiter;
    this.#all.add(waiter);
    const { ofUser, ofOwner } = this.#seatOf(queue);
    ofOwner.count += 1;
    ofUser.push(waiter);
    this.#lookLater();
    // What was committed while this was being set up.
    if (queue.scannedId < this.#parts.store.lastEventId()) this.#look(waiter);
    if (this.#isStopped) waiter.release();
    else if (this.#refusal !== undefined) waiter.refuse(this.#refusal);
  }

  /** It leaves once, however often it is told to. @returns whether it was there */
  leave(waiter: Waiter): boolean {
    const { queue } = waiter;
    if (queue.waiter === waiter) queue.waiter = null;
    if (!this.#all.remove(waiter)) return false;
    const { ofUser, ofOwner } = this.#seatOf(queue);
    ofOwner.count -= 1;
    ofUser.splice(ofUser.indexOf(waiter), 1);
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
    const some = areAll ? this.#all.members() : [...userIds].flatMap((id) => this.#ofUser(id));
    this.#lookAt(some, 0);
  }

  /** Looks at whoever waits on a queue that has taken in no more until now. */
  wakeQueue(queue: Queue): void {
    if (queue.waiter !== null) this.#look(queue.waiter);
  }

  /** The queue is gone: whoever waits on it is told nothing more. */
  release(queue: Queue): void {
    queue.fetch = null;
    queue.buffer.clear();
    queue.waiter?.release();
  }

  /** An account may have less than before: its clients are told what there is, and are asked for a key again. Queues stay. */
  releaseAccount(userId: number): void {
    for (const waiter of [...this.#ofUser(userId)]) waiter.release();
  }

  /** Releases everybody, and from now on whoever comes. */
  stop(): void {
    this.#isStopped = true;
    for (const waiter of this.#all.members()) waiter.release();
  }

  /** Refuses everybody, and whoever comes, until it is called without a refusal. */
  refuse(refusal: ServiceError | undefined): void {
    this.#refusal = refusal;
    if (refusal !== undefined) for (const waiter of this.#all.members()) waiter.refuse(refusal);
  }

  #ofUser(userId: number): readonly Waiter[] {
    return this.#byUser.get(userId) ?? nobody;
  }

  #seatOf(queue: Queue): WaiterGroups {
    return (queue.waiterGroups ??= {
      ofUser: getOrCreate(this.#byUser, queue.userId, () => []),
      ofOwner: getOrCreate(this.#ofOwner, queue.ownerId, () => ({ count: 0 })),
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
      for (const waiter of this.#all.members()) if (waiter.dueAtMs <= now) waiter.expire();
    }, this.#parts.lookEveryMs);
  }

  /** The first ones are answered while the others are looked at: a fetch is written some microtasks after it was told. */
  #lookAt(some: readonly Waiter[], from: number): void {
    const to = from + AT_ONCE;
    for (const waiter of some.slice(from, to)) this.#look(waiter);
    if (to < some.length) queueMicrotask(() => this.#lookAt(some, to));
  }

  #look(waiter: Waiter): void {
    try {
      const scanning = this.#parts.scanner.scan(waiter.queue);
      if (scanning === undefined) notifyWaiter(waiter);
      // The next request scans again and reports what is wrong.
      else scanning.then(() => notifyWaiter(waiter)).catch(waiter.release);
    } catch {
      waiter.release();
    }
  }
}
