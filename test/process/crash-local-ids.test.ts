import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { isConnectionLost } from '../support/crash/listener.ts';
import { type Random, randomFrom, seedsOf } from '../support/random.ts';
import {
  call,
  type Credentials,
  credentials,
  type RunningService,
  startService,
} from '../support/service/service.ts';
import { temporaryDir } from '../support/service/store.ts';

const SENDS = 300;
const KILLS = 3;

interface Sending {
  readonly sender: Credentials;
  readonly params: Readonly<Record<string, string>>;
}

/** What was acknowledged, by local id. */
type Acknowledged = Map<string, number>;

async function sendOne(
  { origin }: RunningService,
  { sender, params }: Sending,
  acknowledged: Acknowledged,
): Promise<void> {
  const { status, body } = await call(origin, sender, 'POST', '/messages', params);
  expect(status, JSON.stringify(body)).toBe(200);
  const localId = String(params['local_id']);
  // Whatever was answered once is answered for ever.
  expect(body['id']).toBe(acknowledged.get(localId) ?? body['id']);
  acknowledged.set(localId, Number(body['id']));
}

/** Sends everything at once, some of it twice, and kills the service after a number of answers. */
async function sendUntilKilled(
  service: RunningService,
  sendings: readonly Sending[],
  random: Random,
  acknowledged: Acknowledged,
): Promise<void> {
  let left = random.below(SENDS * 0.9);
  let killed: Promise<void> | undefined;
  const countDown = (): void => {
    left -= 1;
    if (left <= 0) killed ??= service.kill();
  };
  const repeated = sendings.filter(() => random.chance(0.2));
  const results = await Promise.allSettled(
    [...sendings, ...repeated].map(async (sending) => {
      await sendOne(service, sending, acknowledged);
      countDown();
    }),
  );
  for (const result of results) {
    if (result.status === 'rejected' && !isConnectionLost(result.reason)) throw result.reason;
  }
  await killed;
}

test.for(seedsOf('CRASH_SEED', 2))(
  'messages that are sent again after each kill are there exactly once (CRASH_SEED=%i) [crash-local-ids.messages-sent-again]',
  async (seed) => {
    const random = randomFrom(seed);
    const dataDir = temporaryDir();
    const start = async (): Promise<RunningService> => {
      const service = await startService({ dev: true, dataDir });
      onTestFinished(service.kill);
      return service;
    };
    let service = await start();
    const emails = ['ada@example.com', 'ben@example.com'];
    const people = await Promise.all(emails.map((email) => credentials(service.origin, email)));
    const [ada] = people;
    if (ada === undefined) throw new Error('nobody sends');
    const sendings = Array.from({ length: SENDS }, (_, index): Sending => {
      const place = random.pick([
        { type: 'stream', to: 'general', topic: 'again' },
        { type: 'private', to: '["ada@example.com","ben@example.com"]' },
      ]);
      const content = `message ${String(index)}`;
      return { sender: random.pick(people), params: { ...place, content, local_id: randomUUID() } };
    });
    const acknowledged: Acknowledged = new Map();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sendUntilKilled(service, sendings, random, acknowledged);
      service = await start();
    }
    await Promise.all(sendings.map((sending) => sendOne(service, sending, acknowledged)));

    const { body } = await call(service.origin, ada, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 5000,
      num_after: 0,
      apply_markdown: false,
    });
    const stored = (body['messages'] as { id: number; content: string }[])
      .filter(({ content }) => content.startsWith('message '))
      .map(({ id, content }) => [content, id] as const);
    const sent = sendings.map(
      ({ params }) => [params['content'], acknowledged.get(String(params['local_id']))] as const,
    );
    const byId = (a: readonly unknown[], b: readonly unknown[]): number =>
      Number(a[1]) - Number(b[1]);
    expect(stored).toEqual([...sent].sort(byId));
    expect(await service.stop()).toBe(0);
  },
);
