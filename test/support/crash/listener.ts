/** Clients of event queues that outlive the service. */
import { expect } from 'vitest';
import { call, type Credentials } from '../service/service.ts';

export interface ReceivedEvent {
  readonly id: number;
  readonly type: string;
  readonly [key: string]: unknown;
}

/** What `fetch` rejects with when the other end is gone. */
export const isConnectionLost = (error: unknown): boolean =>
  error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message);

/** A client of one queue, which acknowledges what it has received and nothing else. */
export class Listener {
  readonly events: ReceivedEvent[] = [];
  readonly #credentials: Credentials;
  readonly #queueId: string;
  #lastEventId: number;

  private constructor(listener: Credentials, queueId: string, lastEventId: number) {
    this.#credentials = listener;
    this.#queueId = queueId;
    this.#lastEventId = lastEventId;
  }

  /** @param eventTypes  undefined for all */
  static async register(
    origin: string,
    listener: Credentials,
    eventTypes?: readonly string[],
  ): Promise<Listener> {
    const { body } = await call(origin, listener, 'POST', '/register', {
      fetch_event_types: [],
      ...(eventTypes === undefined ? {} : { event_types: eventTypes }),
    });
    return new Listener(listener, String(body['queue_id']), Number(body['last_event_id']));
  }

  ofType(type: string): readonly ReceivedEvent[] {
    return this.events.filter((event) => event.type === type);
  }

  /** One fetch; answers how many events it brought. */
  async fetch(origin: string, dontBlock: boolean): Promise<number> {
    const { status, body } = await call(origin, this.#credentials, 'GET', '/events', {
      queue_id: this.#queueId,
      last_event_id: this.#lastEventId,
      dont_block: dontBlock,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const events = body['events'] as ReceivedEvent[];
    this.events.push(...events);
    this.#lastEventId = Math.max(this.#lastEventId, ...events.map((event) => event.id));
    return events.length;
  }

  /** Fetches until the service is gone. */
  async follow(origin: string): Promise<void> {
    try {
      for (;;) await this.fetch(origin, false);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
    }
  }

  async catchUp(origin: string): Promise<void> {
    while ((await this.fetch(origin, true)) > 0);
  }

  /** Every id above the one before it: nothing came twice or out of order. */
  expectInOrder(): void {
    const ids = this.events.map((event) => event.id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  }
}
