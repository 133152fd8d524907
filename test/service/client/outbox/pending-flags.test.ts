import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { createMemoryOutbox } from '#client/outbox/memory-outbox.ts';
import { OutboxError, type PendingFlag } from '#client/outbox/outbox-store.ts';
import { createPendingFlags, type PendingFlagParts } from '#client/outbox/pending-flags.ts';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';
import { WAIT_LIMIT_MS } from '#test/support/patience.ts';
import { FaultyNetwork, fastClock } from '#test/support/client/faulty-http.ts';

let service: TestService;
const ids: number[] = [];
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  ids.length = 0;
  for (let number = 0; number < 4; number += 1) ids.push(await service.tell(ben, [ada]));
});

const often = { interval: 1, timeout: WAIT_LIMIT_MS };

async function world(more: Partial<PendingFlagParts> = {}) {
  const network = new FaultyNetwork(() => service.origin);
  const store = more.store ?? createMemoryOutbox();
  const credentials = { email: ada, key: await service.keyOf(ada) };
  const refused: PendingFlag[] = [];
  const flags = createPendingFlags({
    store,
    clock: fastClock,
    api: network.api(credentials),
    refused: (each) => refused.push(...each),
    ...more,
  });
  onTestFinished(() => flags.stop());
  const told = (): Promise<boolean> => vi.waitUntil(() => flags.list().length === 0, often);
  return { network, store, flags, told, refused };
}

const flagsOf = async (id: number): Promise<readonly string[]> =>
  (await service.read(ada, id))?.flags ?? [];

test('marks are kept, and told together when the session is live', async () => {
  const { flags, store, network, told } = await world();
  expect(flags.set(ids, 'read', true)).toEqual({ ok: true, value: null });
  flags.set(ids.slice(0, 1), 'starred', true);
  expect(store.listFlags()).toHaveLength(5);
  expect(network.requests).toEqual([]);
  flags.resume();
  await told();
  expect(network.requests).toHaveLength(2);
  expect(store.listFlags()).toEqual([]);
  expect(await flagsOf(ids[0] ?? 0)).toEqual(expect.arrayContaining(['read', 'starred']));
  expect(await flagsOf(ids[3] ?? 0)).toEqual(['read']);
});

test('the last change of a mark is the one that is told', async () => {
  const { flags, told } = await world();
  flags.set(ids, 'read', true);
  flags.set(ids.slice(0, 1), 'read', false);
  flags.set(ids.slice(1, 2), 'starred', true);
  flags.set(ids.slice(1, 2), 'starred', false);
  expect(flags.list()).toHaveLength(5);
  flags.resume();
  await told();
  expect(await flagsOf(ids[0] ?? 0)).toEqual([]);
  expect(await flagsOf(ids[1] ?? 0)).toEqual(['read']);
});

test('a mark that is changed while it is being told is told again', async () => {
  const { flags, network, store, told } = await world();
  network.faults.push('hung');
  flags.resume();
  flags.set(ids, 'read', true);
  await vi.waitUntil(() => network.requests.length > 0, often);
  flags.set(ids.slice(0, 1), 'read', false);
  flags.pause();
  flags.resume();
  await told();
  expect([await flagsOf(ids[0] ?? 0), await flagsOf(ids[1] ?? 0)]).toEqual([[], ['read']]);
  expect(store.listFlags()).toEqual([]);
});

test('what was not told before the application ended is told by the next one', async () => {
  const first = await world();
  first.network.usual = 'cut';
  first.flags.resume();
  first.flags.set(ids, 'read', true);
  await first.flags.stop();
  const second = await world({ store: first.store });
  expect(second.flags.list()).toHaveLength(4);
  second.flags.resume();
  await second.told();
  expect(await flagsOf(ids[2] ?? 0)).toEqual(['read']);
});

test.each(['cut', 'lost', 'strange'] as const)(
  'where no answer comes they are told again (%s)',
  async (fault) => {
    const { flags, network, told } = await world();
    network.faults.push(fault, fault);
    flags.resume();
    flags.set(ids, 'starred', true);
    await told();
    expect(await flagsOf(ids[0] ?? 0)).toContain('starred');
  },
);

test('more than a thousand are told in several calls', async () => {
  const { flags, network, told } = await world();
  flags.set(
    Array.from({ length: 2500 }, (_, index) => index + 1),
    'read',
    true,
  );
  flags.resume();
  await told();
  const lengths = network.requests.map(
    ({ body }) =>
      (JSON.parse(new URLSearchParams(String(body)).get('messages') ?? '[]') as number[]).length,
  );
  expect(lengths).toEqual([1000, 1000, 500]);
});

test('one that the service refuses is given back, and does not hold up the others', async () => {
  const { flags, refused, told, store, network } = await world();
  // No service takes such an id.
  flags.set([...ids, 0.5], 'read', true);
  flags.resume();
  await told();
  expect(refused).toEqual([{ messageId: 0.5, flag: 'read', isSet: true }]);
  expect(store.listFlags()).toEqual([]);
  expect(await flagsOf(ids[0] ?? 0)).toEqual(['read']);
  expect(network.requests.length).toBeGreaterThan(1);
});

test('what the service says of a message yields to what is pending', async () => {
  const { flags } = await world();
  flags.set([1], 'read', true);
  flags.set([2], 'read', false);
  flags.set([2], 'starred', true);
  expect(flags.apply(1, ['mentioned'])).toEqual(['mentioned', 'read']);
  expect(flags.apply(2, ['read', 'mentioned'])).toEqual(['mentioned', 'starred']);
  const same = ['read'];
  expect(flags.apply(3, same)).toBe(same);
});

describe('a full disk', () => {
  test('a full disk is told, and the service is told of the mark all the same', async () => {
    const putFlags = (): never => {
      throw new OutboxError('DISK_FULL', 'The disk is full.');
    };
    const { flags, told } = await world({ store: { ...createMemoryOutbox(), putFlags } });
    flags.resume();
    expect(flags.set(ids, 'read', true)).toMatchObject({ failure: { code: 'DISK_FULL' } });
    await told();
    expect(await flagsOf(ids[0] ?? 0)).toEqual(['read']);
  });
});
