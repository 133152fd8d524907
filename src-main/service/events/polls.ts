/** Fetching events: answering at once, waiting, heartbeats, takeover (API decisions 8.1). */
import type { GoneSignal } from '../ports/handlers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Store } from '../store/port.ts';
import type { Payloads } from './payloads.ts';
import type { Queue, Waiting } from './queue.ts';
import type { Scanner } from './scan.ts';
import { receiverOf } from './shared-lists.ts';
import type { WaitingRoom } from './waiting-room.ts';

export const HEARTBEAT_JITTER = 0.1;
const STEPS = 10;

export interface FetchRequest {
  /** Undefined and -1 acknowledge nothing. */
  readonly lastEventId: number | undefined;
  readonly dontBlock: boolean;
  /** Aborts when the client has gone. */
  readonly signal: GoneSignal;
}

export interface PollParts {
  readonly store: Pick<Store, 'takeEventId'>;
  readonly room: WaitingRoom;
  readonly scanner: Scanner;
  readonly payloads: Payloads;
  readonly clock: Clock;
  /** 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  readonly heartbeatSeconds: number;
  readonly longpollSeconds: number;
}

type Reason = 'events' | 'heartbeat' | 'released';

const none: readonly string[] = [];

/** Why the waiting ended decides what is answered. A thousand of these are made for each message. */
class WaitingFetch implements Waiting {
  readonly queue: Queue;
  place = -1;
  readonly over: Promise<Reason>;
  readonly #room: WaitingRoom;
  readonly #signal: GoneSignal;
  readonly #cancel: () => void;
  #settle: (reason: Reason) => void = () => undefined;

  constructor(
    queue: Queue,
    { room, clock }: Pick<PollParts, 'room' | 'clock'>,
    signal: GoneSignal,
    waitMs: number,
  ) {
    this.queue = queue;
    this.#room = room;
    this.#signal = signal;
    this.over = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#cancel = clock.setTimer(() => this.#end('heartbeat'), waitMs);
    signal.addEventListener('abort', this.release);
    room.enter(this);
    if (signal.aborted) this.release();
  }

  news(): void {
    this.#end('events');
  }

  readonly release = (): void => {
    this.#end('released');
  };

  #end(reason: Reason): void {
    this.#room.leave(this);
    this.#cancel();
    this.#signal.removeEventListener('abort', this.release);
    this.#settle(reason);
  }
}

export class Polls {
  readonly #parts: PollParts;

  constructor(parts: PollParts) {
    this.#parts = parts;
  }

  /** The events of a queue as JSON objects. */
  async fetch(queue: Queue, request: FetchRequest): Promise<readonly string[]> {
    const { room, scanner } = this.#parts;
    const taken = room.take(queue, request.lastEventId);
    try {
      const scanning = scanner.scan(queue);
      if (scanning !== undefined) await scanning;
      const rendered = queue.pending.length === 0 ? none : await this.#render(queue);
      if (rendered.length > 0 || request.dontBlock || !taken.isCurrent()) return rendered;
      room.checkRoom(queue);
      const waiting = new WaitingFetch(queue, this.#parts, request.signal, this.#waitMs());
      const reason = await waiting.over;
      if (reason === 'heartbeat' && taken.isCurrent()) return await this.#beat(queue);
      return this.#renderNow(queue) ?? (await this.#render(queue));
    } finally {
      taken.giveBack();
    }
  }

  /** A heartbeat's id may lie above events of the same moment: those are answered instead. */
  async #beat(queue: Queue): Promise<readonly string[]> {
    const id = await this.#parts.store.takeEventId();
    await this.#parts.scanner.scan(queue);
    return queue.pending.length > 0 ? this.#render(queue) : [heartbeatJson(id)];
  }

  #renderNow(queue: Queue): readonly string[] | undefined {
    return this.#parts.payloads.serializeNow(receiverOf(queue));
  }

  async #render(queue: Queue): Promise<readonly string[]> {
    const { events, gone } = await this.#parts.payloads.serialize(receiverOf(queue));
    // A client cannot acknowledge what it is never told, and would be answered with nothing at once, for ever.
    queue.pending.remove(gone);
    return events;
  }

  /** One of few times, because the timers of one time are one list. */
  #waitMs(): number {
    const { heartbeatSeconds, longpollSeconds, random } = this.#parts;
    const spread = 1 + (HEARTBEAT_JITTER * Math.round(STEPS * (2 * random() - 1))) / STEPS;
    return 1000 * Math.min(heartbeatSeconds * spread, longpollSeconds);
  }
}

export const heartbeatJson = (id: number): string => JSON.stringify({ id, type: 'heartbeat' });
