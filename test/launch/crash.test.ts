import { describe, expect, onTestFinished, test } from 'vitest';
import {
  call,
  type Credentials,
  credentials,
  type RunningService,
  startService,
} from '../support/service.ts';
import { temporaryDir } from '../support/store.ts';

const SENDS = 500;
const people = ['ada', 'ben', 'cleo', 'gus'] as const;
type Person = (typeof people)[number];
const emailOf = (person: Person): string => `${person}@example.com`;

/** Where messages go: ada, who listens, holds all of them. */
const places: readonly { readonly senders: readonly Person[]; readonly fields: object }[] = [
  { senders: people, fields: { type: 'stream', to: 'general', topic: 'all' } },
  { senders: ['ada', 'ben'], fields: { type: 'stream', to: 'leads', topic: 'plans' } },
  { senders: ['ben', 'cleo', 'gus'], fields: { type: 'private', to: '["ada@example.com"]' } },
  {
    senders: ['ben', 'cleo'],
    fields: { type: 'private', to: '["ada@example.com","gus@example.com"]' },
  },
];

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Event {
  readonly id: number;
  readonly type: string;
  readonly message?: { readonly id: number; readonly content: string };
}

/** What `fetch` rejects with when the other end is gone. */
const isConnectionLost = (error: unknown): boolean =>
  error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message);

/** A client of one queue, which acknowledges what it has received and nothing else. */
class Listener {
  readonly events: Event[] = [];
  readonly #credentials: Credentials;
  readonly #queueId: string;
  #lastEventId: number;

  private constructor(listener: Credentials, queueId: string, lastEventId: number) {
    this.#credentials = listener;
    this.#queueId = queueId;
    this.#lastEventId = lastEventId;
  }

  static async register(origin: string, listener: Credentials): Promise<Listener> {
    const { body } = await call(origin, listener, 'POST', '/register', {
      event_types: ['message'],
    });
    return new Listener(listener, String(body['queue_id']), Number(body['last_event_id']));
  }

  get messages(): readonly Event[] {
    return this.events.filter((event) => event.type === 'message');
  }

  /** One fetch; answers how many events it brought. */
  async fetch(origin: string, dontBlock: boolean): Promise<number> {
    const { status, body } = await call(origin, this.#credentials, 'GET', '/events', {
      queue_id: this.#queueId,
      last_event_id: this.#lastEventId,
      dont_block: dontBlock,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const events = body['events'] as Event[];
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
}

/** Sends everything at once and kills the service when the given number of sends was acknowledged. */
async function sendUntilKilled(
  service: RunningService,
  keys: Readonly<Record<Person, Credentials>>,
  random: () => number,
): Promise<ReadonlyMap<number, string>> {
  const killAfter = Math.floor(random() * SENDS * 0.9);
  const acknowledged = new Map<number, string>();
  let killed: Promise<void> | undefined;
  const kill = (): void => void (killed ??= service.kill());
  if (killAfter === 0) setImmediate(kill);
  const sends = Array.from({ length: SENDS }, async (_, index) => {
    const place = places[Math.floor(random() * places.length)]!;
    const sender = place.senders[Math.floor(random() * place.senders.length)]!;
    const content = `message ${index}`;
    const answer = call(service.origin, keys[sender], 'POST', '/messages', {
      ...place.fields,
      content,
    });
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).toBe(200);
    acknowledged.set(Number(body['id']), content);
    if (acknowledged.size >= killAfter) kill();
  });
  const results = await Promise.allSettled(sends);
  for (const result of results) {
    // What fails otherwise than by the service's death is a failure of the test.
    if (result.status === 'rejected' && !isConnectionLost(result.reason)) throw result.reason;
  }
  await killed;
  return acknowledged;
}

const seeds = process.env['CRASH_SEED']
  ? [Number(process.env['CRASH_SEED'])]
  : [1, 2, 3].map(() => Math.floor(Math.random() * 1_000_000));

describe('a service killed in the middle of 500 concurrent sends', () => {
  test.for(seeds)('has lost and repeated nothing after a restart (CRASH_SEED=%i)', async (seed) => {
    const random = randomFrom(seed);
    const dataDir = temporaryDir();
    const first = await startService({ dev: true, dataDir });
    onTestFinished(first.kill);
    const keys = Object.fromEntries(
      await Promise.all(
        people.map(async (person) => [person, await credentials(first.origin, emailOf(person))]),
      ),
    ) as Record<Person, Credentials>;
    const following = await Listener.register(first.origin, keys.ada);
    const idle = await Listener.register(first.origin, keys.ada);
    const followed = following.follow(first.origin);
    const acknowledged = await sendUntilKilled(first, keys, random);
    await followed;

    const second = await startService({ dev: true, dataDir });
    onTestFinished(second.kill);
    const { body } = await call(second.origin, keys.ada, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 5000,
      num_after: 0,
      apply_markdown: false,
    });
    const stored = new Map(
      (body['messages'] as { id: number; content: string }[]).map(({ id, content }) => [
        id,
        content,
      ]),
    );
    for (const [id, content] of acknowledged) expect(stored.get(id)).toBe(content);
    expect(new Set(stored.values()).size).toBe(stored.size);

    const { body: sent } = await call(second.origin, keys.ben, 'POST', '/messages', {
      ...places[0]!.fields,
      content: 'after the crash',
    });
    stored.set(Number(sent['id']), 'after the crash');
    expect(Math.max(...stored.keys())).toBe(sent['id']);

    for (const listener of [following, idle]) {
      await listener.catchUp(second.origin);
      const ids = listener.events.map((event) => event.id);
      expect(ids.every((id, index) => index === 0 || id > ids[index - 1]!)).toBe(true);
      expect(listener.messages.map(({ message }) => [message?.id, message?.content])).toEqual(
        [...stored].sort(([a], [b]) => a - b),
      );
    }
    expect(await second.stop()).toBe(0);
  });
});
