import { describe, expect, onTestFinished, test } from 'vitest';
import {
  call,
  type Credentials,
  credentials,
  type RunningService,
  startService,
} from '../support/service/service.ts';
import { isConnectionLost, Listener } from '../support/crash/listener.ts';
import { type Random, randomFrom, seedsOf } from '../support/random.ts';
import { temporaryDir } from '../support/service/store.ts';

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

interface Sent {
  readonly id: number;
  readonly content: string;
}

/** Sends everything at once and kills the service when the given number of sends was acknowledged. */
async function sendUntilKilled(
  service: RunningService,
  keys: Readonly<Record<Person, Credentials>>,
  random: Random,
): Promise<ReadonlyMap<number, string>> {
  const killAfter = random.below(SENDS * 0.9);
  const acknowledged = new Map<number, string>();
  let killed: Promise<void> | undefined;
  const kill = (): void => void (killed ??= service.kill());
  if (killAfter === 0) setImmediate(kill);
  const sends = Array.from({ length: SENDS }, async (_, index) => {
    const place = random.pick(places);
    const sender = random.pick(place.senders);
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

describe('a service killed in the middle of 500 concurrent sends', () => {
  test.for(seedsOf('CRASH_SEED', 3))(
    'a killed service has lost and repeated nothing after a restart (CRASH_SEED=%i)',
    async (seed) => {
      const random = randomFrom(seed);
      const dataDir = temporaryDir();
      const first = await startService({ dev: true, dataDir });
      onTestFinished(first.kill);
      const keys = Object.fromEntries(
        await Promise.all(
          people.map(async (person) => [person, await credentials(first.origin, emailOf(person))]),
        ),
      ) as Record<Person, Credentials>;
      const following = await Listener.register(first.origin, keys.ada, ['message']);
      const idle = await Listener.register(first.origin, keys.ada, ['message']);
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
        listener.expectInOrder();
        const messages = listener.ofType('message').map((event) => event['message'] as Sent);
        expect(messages.map(({ id, content }) => [id, content])).toEqual(
          [...stored].sort(([a], [b]) => a - b),
        );
      }
      expect(await second.stop()).toBe(0);
    },
  );
});
