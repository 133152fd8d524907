import { describe, expect, test } from 'vitest';
import {
  callBy,
  callerOf,
  deleteQueue,
  type EventService,
  fetchEvents,
  mixedRealm,
  type ReceivedEvent,
  register,
  startEvents,
} from '#test/support/service/event-service.ts';
import { defaultTimes } from '#hosting/default-times.ts';
import type { LoggedEvent } from '#service/db/event-log.ts';
import { Polls } from '#service/events/polls.ts';
import { Waiters } from '#service/events/waiters.ts';
import { QueueBuffer } from '#service/events/queue-buffer.ts';
import type { Queue } from '#service/events/queue.ts';
import { FakeClock, settle } from '#test/support/fake-clock.ts';
import { newMessage, toUsers } from '#test/support/service/store.ts';

const one = callerOf(1);
const two = callerOf(2);

const health = ({ service }: EventService) =>
  service.handlers.health.show(callBy(callerOf(1, 'admin')), {});

const idleQueue: Queue = {
  id: '1:1',
  userId: 1,
  ownerId: 1,
  options: {
    applyMarkdown: false,
    clientGravatar: false,
    includeSubscribers: false,
    allPublicStreams: false,
    eventTypes: null,
    narrow: [],
  },
  registeredId: 0,
  lifespanSeconds: 600,
  acknowledgedId: 0,
  scannedId: 0,
  buffer: new QueueBuffer(),
  scanning: null,
  lastSeenAtMs: 0,
  fetch: null,
  waiter: null,
  waiterGroups: null,
};

/** A fetch under way: what it was answered with, once it was. */
function track(fetching: Promise<readonly ReceivedEvent[]>) {
  const tracked: { events: readonly ReceivedEvent[] | undefined; error: unknown } = {
    events: undefined,
    error: undefined,
  };
  fetching.then(
    (events) => (tracked.events = events),
    (error: unknown) => (tracked.error = error),
  );
  return tracked;
}

const typesOf = (events: readonly ReceivedEvent[] | undefined): readonly string[] | undefined =>
  events?.map((event) => event.type);

const privately = (content = 'text') => newMessage({ content, target: toUsers(1, 2) });

async function registered(service: EventService, caller = one, more = {}): Promise<string> {
  return (await register(service, caller, more)).queueId;
}

describe('a fetch', () => {
  test('a fetch that may not block is answered at once, with nothing if there is nothing', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    expect(await fetchEvents(service, one, queueId, { dontBlock: true })).toEqual([]);
    const id = await service.store.appendMessage(privately('hello'));
    expect(await fetchEvents(service, one, queueId, { dontBlock: true })).toMatchObject([
      { type: 'message', message: { id, content: 'hello' }, flags: ['read'] },
    ]);
  });

  test('a fetch waits for the first event and is answered when it is committed', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    const waiting = track(fetchEvents(service, one, queueId));
    await settle();
    expect(waiting.events).toBeUndefined();
    await service.store.appendMessage(privately());
    await settle();
    expect(typesOf(waiting.events)).toEqual(['message']);
  });

  test('a fetch is not woken by what is not for its account', async () => {
    const service = await startEvents({}, mixedRealm);
    const queueId = await registered(service, callerOf(3));
    const waiting = track(fetchEvents(service, callerOf(3), queueId));
    await service.store.appendMessage(privately());
    await service.store.appendMessage(
      newMessage({ target: { kind: 'stream', streamId: 3, topic: 't', topicKey: 't' } }),
    );
    await settle();
    expect(waiting.events).toBeUndefined();
  });

  test('fetched events are kept until a later fetch acknowledges them', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    for (let sent = 0; sent < 3; sent += 1) await service.store.appendMessage(privately());
    const fetchNow = (lastEventId?: number) =>
      fetchEvents(service, one, queueId, {
        dontBlock: true,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      });
    const all = await fetchNow();
    expect(all).toHaveLength(3);
    expect(await fetchNow()).toEqual(all);
    expect(await fetchNow(-1)).toEqual(all);
    expect(await fetchNow(all[0]!.id)).toEqual(all.slice(1));
    // What is acknowledged stays so, whatever a later fetch says.
    expect(await fetchNow(-1)).toEqual(all.slice(1));
    expect(await fetchNow(0)).toEqual(all.slice(1));
    expect(await fetchNow(Number.MAX_SAFE_INTEGER)).toEqual([]);
    await service.store.appendMessage(privately());
    expect(await fetchNow()).toHaveLength(1);
  });

  test('a fetch by an account that is not the owner is refused, and takes nothing', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    await service.store.appendMessage(privately());
    await expect(fetchEvents(service, two, queueId, { lastEventId: 999 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await fetchEvents(service, one, queueId)).toHaveLength(1);
  });

  test('a fetch from an unknown queue is refused with the text that clients look for', async () => {
    const service = await startEvents();
    await expect(fetchEvents(service, one, '1:2')).rejects.toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
      message: 'Bad event queue id: 1:2',
      data: { queue_id: '1:2' },
    });
  });
});

describe('two fetches of one queue', () => {
  test('the newer one takes over and the older is answered with what it left', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    const older = track(fetchEvents(service, one, queueId));
    await settle();
    const newer = track(fetchEvents(service, one, queueId));
    await settle();
    expect(older.events).toEqual([]);
    expect(newer.events).toBeUndefined();
    await service.store.appendMessage(privately());
    await settle();
    expect(typesOf(newer.events)).toEqual(['message']);
  });

  test('started in the same moment, both are answered, one of them by the event', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    const fetches = [1, 2, 3].map(() => track(fetchEvents(service, one, queueId)));
    await settle();
    expect(fetches.map((each) => typesOf(each.events))).toEqual([[], [], undefined]);
    await service.store.appendMessage(privately());
    await settle();
    expect(typesOf(fetches[2]?.events)).toEqual(['message']);
  });
});

describe('a heartbeat', () => {
  test('a heartbeat ends a wait of the heartbeat interval, with an id above all earlier ones', async () => {
    const service = await startEvents();
    service.clock.setRandom(0.5);
    const { queueId, lastEventId } = await register(service, one, { event_types: '["message"]' });
    const waiting = track(fetchEvents(service, one, queueId));
    await service.clock.advance(44_000);
    expect(waiting.events).toBeUndefined();
    await service.clock.advance(12_000);
    await settle();
    expect(waiting.events).toEqual([{ id: expect.any(Number), type: 'heartbeat' }]);
    expect(waiting.events![0]!.id).toBeGreaterThan(lastEventId);
  });

  test('a heartbeat comes within 42 to 48 seconds, before proxies give up [polls.heartbeat-comes-within]', async () => {
    const service = await startEvents(defaultTimes);
    const queueId = await registered(service);
    for (let round = 0; round < 20; round += 1) {
      const waiting = track(fetchEvents(service, one, queueId));
      await settle();
      await service.clock.advance(42_000 - 1);
      expect(waiting.events).toBeUndefined();
      await service.clock.advance(48_000 - 42_000 + 1);
      await settle();
      expect(typesOf(waiting.events)).toEqual(['heartbeat']);
    }
  });

  test('a heartbeat is not sent in place of an event of the same moment', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    const waiting = track(fetchEvents(service, one, queueId));
    await settle();
    const sending = service.store.appendMessage(privately());
    await service.clock.advance(55_000);
    await sending;
    await settle();
    expect(typesOf(waiting.events)).toEqual(['message']);
  });

  test('a heartbeat that is acknowledged hides no event that comes after it', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    const fetching = fetchEvents(service, one, queueId);
    await settle();
    await service.clock.advance(56_000);
    const [heartbeat] = await fetching;
    const id = await service.store.appendMessage(privately());
    const events = await fetchEvents(service, one, queueId, { lastEventId: heartbeat!.id });
    expect(events).toMatchObject([{ type: 'message', message: { id } }]);
    expect(events[0]!.id).toBeGreaterThan(heartbeat!.id);
  });

  test('a heartbeat has an id of its own for each of many waiting queues', async () => {
    const service = await startEvents();
    const queues = await Promise.all(Array.from({ length: 30 }, () => registered(service)));
    const fetches = queues.map((queueId) => fetchEvents(service, one, queueId));
    await settle();
    await service.clock.advance(56_000);
    const ids = (await Promise.all(fetches)).flat().map((event) => event.id);
    expect(new Set(ids).size).toBe(30);
  });
});

describe('a client that goes away', () => {
  test('a client that goes away leaves no waiter behind and loses no event', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    const client = new AbortController();
    const waiting = track(fetchEvents(service, one, queueId, { signal: client.signal }));
    await settle();
    expect(await health(service)).toMatchObject({ connected: 1 });
    client.abort();
    await settle();
    expect(waiting.events).toEqual([]);
    expect(await health(service)).toMatchObject({ connected: 0 });
    await service.store.appendMessage(privately());
    expect(await fetchEvents(service, one, queueId)).toHaveLength(1);
  });

  test('before its fetch waits is not waited for', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    const gone = AbortSignal.abort();
    expect(await fetchEvents(service, one, queueId, { signal: gone })).toEqual([]);
  });
});

describe('deleting a queue', () => {
  test('a deleted queue answers the fetch that waits on it with nothing, and is gone for good', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    const waiting = track(fetchEvents(service, one, queueId));
    await settle();
    await deleteQueue(service, one, queueId);
    await settle();
    expect(waiting.events).toEqual([]);
    const bad = { code: 'BAD_EVENT_QUEUE_ID' };
    await expect(fetchEvents(service, one, queueId)).rejects.toMatchObject(bad);
    await expect(deleteQueue(service, one, queueId)).rejects.toMatchObject(bad);
    expect(await service.store.listQueues()).toEqual([]);
    // Nothing that still refers to it writes it back.
    await service.clock.advance(61_000);
    expect(await service.store.listQueues()).toEqual([]);
  });

  test('a queue can be deleted by its owner alone', async () => {
    const service = await startEvents();
    const queueId = await registered(service);
    await expect(deleteQueue(service, two, queueId)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await fetchEvents(service, one, queueId, { dontBlock: true })).toEqual([]);
  });
});

describe('stopping', () => {
  test('a service that stops answers everything that waits, and answers at once what comes later', async () => {
    const service = await startEvents();
    const queues = await Promise.all(
      Array.from({ length: 20 }, (_, index) => registered(service, callerOf(1 + (index % 2)))),
    );
    const fetches = queues.map((queueId, index) =>
      fetchEvents(service, callerOf(1 + (index % 2)), queueId),
    );
    await settle();
    const late = fetchEvents(service, one, queues[0]!);
    await service.service.stop();
    expect(await Promise.all(fetches)).toEqual(queues.map(() => []));
    expect(await late).toEqual([]);
    expect(await fetchEvents(service, one, queues[2]!)).toEqual([]);
    expect(service.errors).toEqual([]);
  });
});

/** Polls over parts of which a test says what they do. */
function pollsOver(parts: {
  readonly scan: () => Promise<void>;
  readonly takeEventId: () => Promise<number>;
}) {
  const clock = new FakeClock();
  const queue: Queue = { ...idleQueue, buffer: new QueueBuffer() };
  const scanner = { scan: parts.scan };
  const waiters = new Waiters({
    store: { lastEventId: () => 0 },
    registry: { touch: () => undefined },
    scanner,
    maxWaiting: 10_000,
    maxWaitingOfOne: 200,
    clock,
    lookEveryMs: 1000,
  });
  const polls = new Polls({
    store: { takeEventId: parts.takeEventId, lastEventId: () => 1 },
    waiters,
    scanner,
    payloads: {
      message: () => undefined,
      serializeNow: () => undefined,
      serialize: async ({ events }) => ({
        events: events.map(({ event }) => `event ${event.id}`),
        removed: new Set(),
      }),
    },
    clock,
    random: clock.random,
    heartbeatSeconds: 50,
    longpollSeconds: 55,
  });
  const signal = () => new AbortController().signal;
  const fetchNow = () =>
    polls.fetch(
      queue,
      { lastEventId: undefined, dontBlock: false, signal: signal() },
      (_, events) => events,
    );
  return { room: waiters, clock, queue, fetchNow };
}

const event: LoggedEvent = { id: 1, type: 'test', audience: { kind: 'realm' }, payload: {} };

test('a failure while looking for events ends the wait, and the next fetch reports it', async () => {
  let failure: Error | null = null;
  const { room, fetchNow } = pollsOver({
    scan: () => (failure === null ? Promise.resolve() : Promise.reject(failure)),
    takeEventId: () => Promise.resolve(1),
  });
  const waiting = fetchNow();
  await settle();
  failure = new Error('the disk is gone');
  room.wake([event]);
  expect(await waiting).toEqual([]);
  await expect(fetchNow()).rejects.toBe(failure);
});

test('what is committed while the id of a heartbeat is taken is answered in its place', async () => {
  let isCommitted = false;
  const { clock, queue, fetchNow } = pollsOver({
    scan: async () => {
      if (isCommitted) queue.buffer.add([{ event, flags: [] }]);
    },
    takeEventId: async () => {
      isCommitted = true;
      return 2;
    },
  });
  const waiting = fetchNow();
  await clock.advance(56_000);
  expect(await waiting).toEqual(['event 1']);
});

test('the first of many who wait are answered before the last are looked at', async () => {
  const order: ('look' | 'answer')[] = [];
  const { room } = pollsOver({
    scan: async () => void order.push('look'),
    takeEventId: () => Promise.resolve(1),
  });
  const count = 100;
  for (let number = 0; number < count; number++) {
    const buffer = new QueueBuffer();
    buffer.add([{ event, flags: [] }]);
    room.enter({
      queue: { ...idleQueue, buffer },
      slot: -1,
      dueAtMs: Infinity,
      notify: () => void order.push('answer'),
      release: () => undefined,
      refuse: () => undefined,
      expire: () => undefined,
    });
  }
  room.wake([event]);
  await settle();
  expect(order.filter((each) => each === 'look')).toHaveLength(count);
  expect(order.filter((each) => each === 'answer')).toHaveLength(count);
  expect(order.indexOf('answer')).toBeLessThan(count / 4);
});
