/** All queues: registering, finding, expiring, and saving how far they are. */
import { badEventQueueId } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Limits } from '#shared/limits.ts';
import type { LoggedEvent } from '../db/event-log.ts';
import type { Clock } from '#node/clock.ts';
import type { Log } from '#node/log.ts';
import { WEEK_SECONDS } from '../core/rules/shapes.ts';
import type { FactName, QueueRow, Registration, Store } from '../db/port.ts';
import { type LogSegment, LogSize } from './log-size.ts';
import { QueueBuffer } from './queue-buffer.ts';
import { cursorOf, type Queue, type QueueOptions } from './queue.ts';
import { TimeSlicer } from './time-slicer.ts';

/** Events that are measured at once after a start. */
const MEASURE_EVENTS = 10_000;
const MAX_LIFESPAN_SECONDS = 86_400;
const SAVE_EVERY_MS = 1000;
const SWEEP_EVERY_MS = 60_000;

export interface QueueRequest {
  readonly userId: number;
  readonly ownerId: number;
  readonly options: QueueOptions;
  readonly lifespanSeconds: number | undefined;
  /** What has to be known of the state that the queue starts from. */
  readonly facts: readonly FactName[];
}

export interface RegistryParts {
  readonly store: Store;
  /** The queues of the process before this one: they go on. */
  readonly rows: readonly QueueRow[];
  readonly clock: Clock;
  readonly log: Log;
  readonly idleSeconds: number;
  readonly limits: Pick<Limits, 'queuesPerAccount' | 'queues' | 'logEvents' | 'logBytes'>;
}

const queueOf = (row: QueueRow): Queue => ({
  id: row.id,
  userId: row.account_id,
  ownerId: row.owner_id,
  options: JSON.parse(row.options) as QueueOptions,
  registeredId: row.registered_id,
  lifespanSeconds: row.lifespan_seconds,
  acknowledgedId: row.acknowledged_id,
  scannedId: row.acknowledged_id,
  buffer: new QueueBuffer(),
  scanning: null,
  lastSeenAtMs: row.last_seen_at * 1000,
  fetch: null,
  waiter: null,
  waiterGroups: null,
});

const secondsOf = (ms: number): number => Math.floor(ms / 1000);

/** The part after the colon is random, so that ids cannot be guessed (API decisions 8.1). */
function randomPart(): string {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return String((words[0] ?? 0) * 2 ** 21 + ((words[1] ?? 0) >>> 11));
}

export class Registry {
  readonly #parts: RegistryParts;
  readonly #queues: Map<string, Queue>;
  readonly #dirty = new Set<Queue>();
  readonly #startedAtSeconds: number;
  readonly #logSize: LogSize;
  /** A thousand who come back at once hold nobody up. */
  readonly #reading = new TimeSlicer();
  /** Events up to here are of a process before this one, and not measured yet. */
  #unmeasuredThroughId: number;
  #cancelSave: (() => void) | null = null;
  #cancelSweep: () => void;
  #sweeping: Promise<void> = Promise.resolve();
  #trimThroughId = 0;
  #asleepSinceMs: number | null = null;
  #isStopped = false;

  constructor(parts: RegistryParts) {
    this.#parts = parts;
    this.#queues = new Map(parts.rows.map((row) => [row.id, queueOf(row)]));
    this.#startedAtSeconds = secondsOf(parts.clock.now());
    const { logEvents, logBytes } = parts.limits;
    this.#logSize = new LogSize({ events: logEvents, bytes: logBytes });
    this.#unmeasuredThroughId = parts.store.lastEventId();
    this.#cancelSweep = this.#scheduleSweep();
  }

  /** How many queues there are. */
  get size(): number {
    return this.#queues.size;
  }

  /** Takes note of what was committed. */
  noteEvents(events: readonly LoggedEvent[]): void {
    this.#logSize.append(events);
  }

  async register({
    userId,
    ownerId,
    options,
    lifespanSeconds,
    facts,
  }: QueueRequest): Promise<{ readonly queue: Queue; readonly state: Registration }> {
    const excess = this.#excessOf(ownerId);
    // Looked at first: a refusal never costs a queue.
    if (this.#queues.size - excess.length >= this.#parts.limits.queues) {
      throw refusal('too_many_queues', {}, { 'retry-after': 5 });
    }
    await this.#drop(excess);
    const { idleSeconds, clock } = this.#parts;
    const state = await this.#readState(userId, facts);
    const row: QueueRow = {
      id: `${String(this.#startedAtSeconds)}:${randomPart()}`,
      account_id: userId,
      owner_id: ownerId,
      options: JSON.stringify(options),
      registered_id: state.lastEventId,
      acknowledged_id: state.lastEventId,
      lifespan_seconds: Math.min(Math.max(idleSeconds, lifespanSeconds ?? 0), MAX_LIFESPAN_SECONDS),
      last_seen_at: secondsOf(clock.now()),
    };
    const queue: Queue = { ...queueOf(row), lastSeenAtMs: clock.now() };
    // Known before it is written: the log keeps what comes after the state.
    this.#queues.set(queue.id, queue);
    await this.#write(row);
    return { queue, state };
  }

  async #readState(userId: number, facts: readonly FactName[]): Promise<Registration> {
    const { store, clock } = this.#parts;
    if (facts.length === 0) return { lastEventId: store.lastEventId(), facts: {} };
    const weekAgo = secondsOf(clock.now()) - WEEK_SECONDS;
    return this.#reading.run(() => store.readRegistration(userId, facts, weekAgo));
  }

  async #write(row: QueueRow): Promise<void> {
    const { store } = this.#parts;
    const { id } = row;
    try {
      await store.registerQueue({
        id,
        userId: row.account_id,
        options: row.options,
        lastEventId: row.registered_id,
        lifespanSeconds: row.lifespan_seconds,
        lastSeenAt: row.last_seen_at,
      });
    } catch (reason) {
      this.#queues.delete(id);
      throw reason;
    }
    // Dropped meanwhile.
    if (!this.#queues.has(id)) await store.deleteQueues([id]);
  }

  /** @throws BAD_EVENT_QUEUE_ID, or BAD_REQUEST when it is another account's */
  get(queueId: string, userId: number): Queue {
    const queue = this.#queues.get(queueId);
    if (queue === undefined || this.#isExpired(queue)) throw badEventQueueId(queueId);
    if (queue.userId !== userId) {
      throw refusal('not_queue_owner');
    }
    return queue;
  }

  /** Whether a live queue of one of these accounts takes events of a type. */
  isHeard(type: string, userIds: readonly number[]): boolean {
    const listeners = new Set(userIds);
    for (const queue of this.#queues.values()) {
      if (!listeners.has(queue.userId) || this.#isExpired(queue)) continue;
      if (queue.options.eventTypes?.includes(type) ?? true) return true;
    }
    return false;
  }

  delete(queue: Queue): Promise<void> {
    return this.#drop([queue]);
  }

  /** Forgets the queues of an account that was deactivated: their rows went with it. */
  forgetAccount(userId: number): readonly Queue[] {
    const own = [...this.#queues.values()].filter((queue) => queue.userId === userId);
    for (const queue of own) {
      this.#queues.delete(queue.id);
      this.#dirty.delete(queue);
    }
    return own;
  }

  /** Notes that the queue was used, so that it does not expire and its cursor is saved. */
  touch(queue: Queue): void {
    queue.lastSeenAtMs = this.#parts.clock.now();
    this.#saveSoon(queue);
  }

  /** While nobody can fetch, no queue is idle. */
  setAsleep(isAsleep: boolean): void {
    const nowMs = this.#parts.clock.now();
    const sinceMs = this.#asleepSinceMs;
    this.#asleepSinceMs = isAsleep ? nowMs : null;
    if (isAsleep || sinceMs === null) return;
    for (const queue of this.#queues.values()) {
      queue.lastSeenAtMs += Math.max(0, nowMs - Math.max(sinceMs, queue.lastSeenAtMs));
      this.#saveSoon(queue);
    }
  }

  #saveSoon(queue: Queue): void {
    const { clock } = this.#parts;
    if (this.#dirty.has(queue) || this.#isStopped || !this.#queues.has(queue.id)) return;
    this.#dirty.add(queue);
    this.#cancelSave ??= clock.setTimer(() => {
      this.#cancelSave = null;
      this.#save().catch(this.#report('queue cursors could not be saved'));
    }, SAVE_EVERY_MS);
  }

  async stop(): Promise<void> {
    this.#noteWaiting();
    this.#isStopped = true;
    this.#cancelSweep();
    this.#cancelSave?.();
    await this.#sweeping;
    await this.#save();
  }

  #scheduleSweep(): () => void {
    const { clock, idleSeconds } = this.#parts;
    const again = (): void => {
      if (!this.#isStopped) this.#cancelSweep = this.#scheduleSweep();
    };
    return clock.setTimer(
      () => {
        this.#sweeping = this.#sweep()
          .catch(this.#report('the sweep of event queues failed'))
          .finally(again);
      },
      Math.min(SWEEP_EVERY_MS, idleSeconds * 500),
    );
  }

  async #sweep(): Promise<void> {
    const { store } = this.#parts;
    await this.#drop([...this.#queues.values()].filter((queue) => this.#isExpired(queue)));
    this.#noteWaiting();
    await this.#save();
    await this.#dropSlow();
    // One round late, so that a queue that is being registered finds what happened since its snapshot.
    await store.trimEvents(this.#trimThroughId);
    this.#trimThroughId = store.lastEventId();
  }

  /** The log does not grow without end for a queue that is never fetched (API decisions 13). */
  async #dropSlow(): Promise<void> {
    await this.#measureOldEvents();
    const floorId = this.#logSize.floorId();
    await this.#drop([...this.#queues.values()].filter((queue) => cursorOf(queue) < floorId));
    const cursors = [...this.#queues.values()].map(cursorOf);
    this.#logSize.trim(Math.min(this.#trimThroughId, ...cursors));
  }

  /** After a start, and piece by piece, because nothing else can be read meanwhile. */
  async #measureOldEvents(): Promise<void> {
    const segments: LogSegment[] = [];
    let afterId = 0;
    const throughId = this.#unmeasuredThroughId;
    while (afterId < throughId) {
      const found = await this.#parts.store.measureEvents(afterId, throughId, MEASURE_EVENTS);
      segments.push(...(found === undefined ? [] : [found]));
      afterId = found?.throughId ?? throughId;
    }
    this.#unmeasuredThroughId = 0;
    if (segments.length > 0) this.#logSize.prepend(segments);
  }

  /** A queue that is waited on is not idle: its time counts from the end of the fetch, a crash included. */
  #noteWaiting(): void {
    for (const queue of this.#queues.values()) if (queue.fetch !== null) this.touch(queue);
  }

  async #save(): Promise<void> {
    const cursors = [...this.#dirty].map((queue) => ({
      id: queue.id,
      acknowledgedId: cursorOf(queue),
      lastSeenAt: secondsOf(queue.lastSeenAtMs),
    }));
    this.#dirty.clear();
    if (cursors.length > 0) await this.#parts.store.saveCursors(cursors);
  }

  async #drop(dropped: readonly Queue[]): Promise<void> {
    if (dropped.length === 0) return;
    // First in the store: where that fails, the queues are still known and the next sweep tries again.
    await this.#parts.store.deleteQueues(dropped.map((queue) => queue.id));
    for (const queue of dropped) {
      this.#queues.delete(queue.id);
      this.#dirty.delete(queue);
    }
  }

  #excessOf(ownerId: number): readonly Queue[] {
    const own = [...this.#queues.values()].filter((queue) => queue.ownerId === ownerId);
    const excess = own.length - this.#parts.limits.queuesPerAccount + 1;
    if (excess <= 0) return [];
    // What is waited on goes last: it is not idle.
    const byIdleTime = (a: Queue, b: Queue): number =>
      Number(a.fetch !== null) - Number(b.fetch !== null) || a.lastSeenAtMs - b.lastSeenAtMs;
    return own.sort(byIdleTime).slice(0, excess);
  }

  #isExpired(queue: Queue): boolean {
    const idleMs = (this.#asleepSinceMs ?? this.#parts.clock.now()) - queue.lastSeenAtMs;
    return queue.fetch === null && idleMs > queue.lifespanSeconds * 1000;
  }

  #report(what: string): (reason: unknown) => void {
    return (reason) => {
      this.#parts.log.error(what, { cause: reason });
    };
  }
}
