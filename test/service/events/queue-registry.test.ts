import { describe, expect, test, vi } from 'vitest';
import {
  callBy,
  callerOf,
  type EventService,
  fetchEvents,
  register,
  startEvents,
} from '#test/support/service/event-service.ts';
import { settle } from '#test/support/fake-clock.ts';
import { newMessage, toUsers } from '#test/support/service/store.ts';

const one = callerOf(1);
const bad = { code: 'BAD_EVENT_QUEUE_ID' };
const now = { dontBlock: true };

const fetchNow = (service: EventService, queueId: string, lastEventId?: number) =>
  fetchEvents(service, one, queueId, {
    ...now,
    ...(lastEventId === undefined ? {} : { lastEventId }),
  });

const registered = async (service: EventService, more = {}): Promise<string> =>
  (await register(service, one, more)).queueId;

const privately = (content = 'text') => newMessage({ content, target: toUsers(1, 2) });

const messagesOf = (events: readonly { readonly type: string }[]): readonly unknown[] =>
  events.filter((event) => event.type === 'message');

describe('ids of queues', () => {
  test('the id of a queue is the start time of the process and a random part', async () => {
    const service = await startEvents();
    const ids = await Promise.all(Array.from({ length: 50 }, () => registered(service)));
    const startedAt = Math.floor(service.clock.now() / 1000);
    for (const id of ids) expect(id).toMatch(new RegExp(`^${startedAt}:\\d{1,16}$`));
    expect(new Set(ids).size).toBe(50);
    const randoms = ids.map((id) => Number(id.split(':')[1]));
    expect(randoms.every(Number.isSafeInteger)).toBe(true);
    expect(Math.max(...randoms)).toBeGreaterThan(2 ** 50);
  });
});

describe('an idle queue', () => {
  test('an idle queue is gone 600 seconds after its last fetch ended [queue-registry.idle-gone-600]', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    await service.clock.advance(599_000);
    expect(await fetchNow(service, queueId)).toEqual([]);
    await service.clock.advance(600_000);
    expect(await fetchNow(service, queueId)).toEqual([]);
    await service.clock.advance(600_001);
    await expect(fetchNow(service, queueId)).rejects.toMatchObject(bad);
  });

  test('the sleep of its computer does not make a queue idle', async () => {
    const world = await startEvents();
    const { service, clock, store } = world;
    const fetched = await registered(world);
    const idle = await registered(world);
    await clock.advance(590_000);
    const waits = fetchEvents(world, one, fetched);
    service.setAsleep(true);
    await expect(waits).rejects.toMatchObject({ code: 'ORGANIZATION_ASLEEP' });
    await clock.advance(8 * 3_600_000);
    service.setAsleep(false);
    await clock.advance(9_000);
    expect(await store.listQueues()).toHaveLength(2);
    await clock.advance(2_000);
    await expect(fetchNow(world, idle)).rejects.toMatchObject(bad);
    expect(await fetchNow(world, fetched)).toEqual([]);
  });

  test('an idle queue is swept from the store', async () => {
    const service = await startEvents();
    await registered(service);
    await service.clock.advance(700_000);
    expect(await service.store.listQueues()).toEqual([]);
    expect(service.errors).toEqual([]);
  });

  test('an idle queue lives longer where that was asked for, but no longer than a day', async () => {
    const service = await startEvents();
    const longer = await registered(service, { queue_lifespan_secs: '3600' });
    const longest = await registered(service, { queue_lifespan_secs: '999999999' });
    const shorter = await registered(service, { queue_lifespan_secs: '1' });
    await service.clock.advance(599_000);
    expect(await fetchNow(service, shorter)).toEqual([]);
    await service.clock.advance(3_000_000);
    expect(await fetchNow(service, longer)).toEqual([]);
    await service.clock.advance(86_400_000 - 3_599_000);
    expect(await fetchNow(service, longest)).toEqual([]);
    await service.clock.advance(86_401_000);
    await expect(fetchNow(service, longest)).rejects.toMatchObject(bad);
  });

  test('a queue is not idle while a fetch waits, however long', async () => {
    const service = await startEvents({ queueIdleSeconds: 10 });
    const queueId = await registered(service);
    const waiting = fetchEvents(service, one, queueId);
    await settle();
    await service.clock.advance(44_000);
    expect(await service.store.listQueues()).toHaveLength(1);
    await service.store.appendMessage(privately());
    expect(await waiting).toHaveLength(1);
    await service.clock.advance(9000);
    expect(await fetchNow(service, queueId)).toHaveLength(1);
  });
});

describe('the queues of one account', () => {
  test('an account has at most 200 queues: beyond that, the one idle for longest is dropped', async () => {
    const service = await startEvents();
    const ids: string[] = [];
    for (let count = 0; count < 200; count += 1) {
      ids.push(await registered(service));
      await service.clock.advance(10);
    }
    const others = (await register(service, callerOf(2))).queueId;
    // The first one is in use again, the second one is being waited on.
    await fetchNow(service, ids[0]!);
    const waiting = fetchEvents(service, one, ids[1]!);
    await service.clock.advance(10);
    await registered(service);
    await expect(fetchNow(service, ids[2]!)).rejects.toMatchObject(bad);
    for (const id of [ids[0]!, ids[3]!, ids[199]!]) expect(await fetchNow(service, id)).toEqual([]);
    expect(await fetchEvents(service, callerOf(2), others, now)).toEqual([]);
    expect(await service.store.listQueues()).toHaveLength(201);
    await service.store.appendMessage(privately());
    expect(await waiting).toHaveLength(1);
  });

  test('idle queues give way one by one to those that are waited on', async () => {
    const service = await startEvents();
    const waited: string[] = [];
    for (let count = 0; count < 5; count += 1) waited.push(await registered(service));
    const fetches = waited.map((id) => fetchEvents(service, one, id));
    await service.clock.advance(1000);
    for (let count = 0; count < 300; count += 1) await registered(service);
    await service.store.appendMessage(privately());
    expect((await Promise.all(fetches)).map((events) => events.length)).toEqual([1, 1, 1, 1, 1]);
    for (const id of waited) expect(await fetchNow(service, id)).toHaveLength(1);
  });
});

describe.for(['stop', 'crash'] as const)('after a restart by %s', (how) => {
  test('a queue goes on where it was: nothing is missing and nothing comes twice', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    for (const content of ['a', 'b', 'c']) await service.store.appendMessage(privately(content));
    const before = await fetchNow(service, queueId);
    await fetchNow(service, queueId, before[1]!.id);
    const again = await service.restart(how);
    await again.store.appendMessage(privately('d'));
    const after = await fetchNow(again, queueId, before[1]!.id);
    expect(messagesOf(after)).toMatchObject([
      { id: before[2]!.id, message: { content: 'c' } },
      { message: { content: 'd' } },
    ]);
    expect(after.map((event) => event.type)).toEqual(['message', 'restart', 'message']);
    await again.store.close();
  });

  test('its idle age counts on', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    await service.clock.advance(400_000);
    const again = await service.restart(how);
    await again.clock.advance(190_000);
    expect(await fetchNow(again, queueId)).toMatchObject([{ type: 'restart' }]);
    await again.clock.advance(602_000);
    await expect(fetchNow(again, queueId)).rejects.toMatchObject(bad);
    await again.store.close();
  });

  test('a queue that was waited on is as young as if its fetch had ended then', async () => {
    const service = await startEvents({ queueIdleSeconds: 20 });
    const queueId = await registered(service);
    const waiting = fetchEvents(service, one, queueId);
    await settle();
    await service.clock.advance(43_000);
    const again = await service.restart(how);
    await again.clock.advance(9000);
    expect(await fetchNow(again, queueId)).toMatchObject([{ type: 'restart' }]);
    if (how === 'stop') expect(await waiting).toEqual([]);
    await again.store.close();
  });

  test('heartbeats that were acknowledged hide nothing', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    let last = -1;
    for (let round = 0; round < 3; round += 1) {
      const waiting = fetchEvents(service, one, queueId, { lastEventId: last });
      await settle();
      await service.clock.advance(56_000);
      last = (await waiting)[0]!.id;
    }
    const again = await service.restart(how);
    const id = await again.store.appendMessage(privately());
    const events = await fetchNow(again, queueId, last);
    expect(events.map((event) => event.type)).toEqual(['restart', 'message']);
    expect(events[1]).toMatchObject({ message: { id } });
    await again.store.close();
  });
});

describe('the log', () => {
  const storedIds = async (service: EventService): Promise<readonly number[]> =>
    (await service.store.listEventsAfter(0, 10_000)).map((event) => event.id);

  test('the log keeps what the slowest queue still needs and loses the rest', async () => {
    const service = await startEvents();
    const slow = await registered(service);
    const fast = await registered(service);
    for (let sent = 0; sent < 10; sent += 1) await service.store.appendMessage(privately());
    const all = await fetchNow(service, fast);
    await fetchNow(service, fast, all.at(-1)!.id);
    await fetchNow(service, slow, all[3]!.id);
    await service.clock.advance(130_000);
    expect(await storedIds(service)).toEqual(all.slice(4).map((event) => event.id));
    expect(await fetchNow(service, slow)).toEqual(all.slice(4));
  });

  test('the log is emptied when no queue is left', async () => {
    const service = await startEvents();
    await registered(service);
    for (let sent = 0; sent < 10; sent += 1) await service.store.appendMessage(privately());
    await service.clock.advance(800_000);
    expect(await storedIds(service)).toEqual([]);
  });

  test('the log moves on for a queue that nothing is meant for', async () => {
    const service = await startEvents();
    const queueId = await registered(service, { event_types: '["subscription"]' });
    for (let round = 0; round < 4; round += 1) {
      await service.store.appendMessage(privately());
      await fetchNow(service, queueId);
      await service.clock.advance(61_000);
    }
    expect((await storedIds(service)).length).toBeLessThan(4);
  });
});

test('nobody hears that one types after the last queue has passed its time', async () => {
  const service = await startEvents();
  const type = async (): Promise<boolean> => {
    const before = service.store.lastEventId();
    await service.service.handlers.typing.notify(callBy(one), { op: 'start', to: [2] });
    return service.store.lastEventId() > before;
  };
  expect(await type()).toBe(false);
  await registered(service);
  await service.clock.advance(600_000);
  expect(await type()).toBe(true);
  // Past its time, and not yet swept.
  await service.clock.advance(1);
  expect(await type()).toBe(false);
});

test('a sweep that is under way ends before the service has stopped', async () => {
  const service = await startEvents();
  await registered(service);
  const { deleteQueues } = service.store;
  let restarted: Promise<EventService> | undefined;
  vi.spyOn(service.store, 'deleteQueues').mockImplementation((ids) => {
    restarted = service.restart('stop');
    return deleteQueues(ids);
  });
  await service.clock.advance(700_000);
  await (await restarted)?.store.close();
  expect(restarted).toBeDefined();
  expect(service.errors).toEqual([]);
});
