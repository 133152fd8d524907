/** Fetching events: answering at once, waiting, heartbeats, takeover (API decisions 8.1). */
import type { GoneSignal } from '../ports/handlers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Store } from '../store/port.ts';
import type { Payloads } from './payloads.ts';
import type { Queue } from './queue.ts';
import type { Scanner } from './scan.ts';
import type { Waiting, WaitingRoom } from './waiting-room.ts';

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

export class Polls {
  readonly #parts: PollParts;

  constructor(parts: PollParts) {
    this.#parts = parts;
  }

  /** The events of a queue as JSON objects. */
  async fetch(queue: Queue, request: FetchRequest): Promise<readonly string[]> {
    const { isCurrent, giveBack } = this.#parts.room.take(queue, request.lastEventId);
    try {
      return await this.#answer(queue, request, isCurrent);
    } finally {
      giveBack();
    }
  }

  async #answer(
    queue: Queue,
    request: FetchRequest,
    isCurrent: () => boolean,
  ): Promise<readonly string[]> {
    await this.#parts.scanner.scan(queue);
    const rendered = queue.pending.length === 0 ? [] : await this.#render(queue);
    if (rendered.length > 0 || request.dontBlock || !isCurrent()) return rendered;
    this.#parts.room.checkRoom(queue);
    const reason = await this.#wait(queue, request.signal);
    if (reason === 'heartbeat' && isCurrent()) return this.#beat(queue);
    return this.#render(queue);
  }

  /** Why the waiting ended decides what is answered. */
  #wait(queue: Queue, signal: GoneSignal): Promise<Reason> {
    const { clock, room } = this.#parts;
    return new Promise((resolve) => {
      const end = (reason: Reason): void => {
        room.leave(waiting);
        cancel();
        signal.removeEventListener('abort', leave);
        resolve(reason);
      };
      const leave = (): void => {
        end('released');
      };
      const waiting: Waiting = {
        queue,
        news: () => {
          end('events');
        },
        release: leave,
      };
      const cancel = clock.setTimer(() => {
        end('heartbeat');
      }, this.#waitMs());
      signal.addEventListener('abort', leave);
      room.enter(waiting);
      if (signal.aborted) leave();
    });
  }

  /** A heartbeat's id may lie above events of the same moment: those are answered instead. */
  async #beat(queue: Queue): Promise<readonly string[]> {
    const id = await this.#parts.store.takeEventId();
    await this.#parts.scanner.scan(queue);
    return queue.pending.length > 0 ? this.#render(queue) : [heartbeatJson(id)];
  }

  #render(queue: Queue): Promise<readonly string[]> {
    return this.#parts.payloads.serialize(queue);
  }

  /** One of few times, because the timers of one time are one list. */
  #waitMs(): number {
    const { heartbeatSeconds, longpollSeconds, random } = this.#parts;
    const spread = 1 + (HEARTBEAT_JITTER * Math.round(STEPS * (2 * random() - 1))) / STEPS;
    return 1000 * Math.min(heartbeatSeconds * spread, longpollSeconds);
  }
}

export const heartbeatJson = (id: number): string => JSON.stringify({ id, type: 'heartbeat' });
