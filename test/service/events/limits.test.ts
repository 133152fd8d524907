import { describe, expect, test } from 'vitest';
import {
  callerOf,
  type EventService,
  fetchEvents,
  register,
  startEvents,
} from '#test/support/service/event-service.ts';
import { bareEvent } from '#test/support/service/bare-events.ts';

const one = callerOf(1);
const two = callerOf(2);
const bad = { code: 'BAD_EVENT_QUEUE_ID' };
const limited = { code: 'RATE_LIMIT_HIT', data: { 'retry-after': 5 } };

async function happen(service: EventService, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const payload = { text: 'x'.repeat(100) };
    await service.store.appendEvent(bareEvent('test', { kind: 'users', userIds: [1] }, payload));
  }
}

const fetchNow = (service: EventService, queueId: string) =>
  fetchEvents(service, one, queueId, { dontBlock: true });

/** Long enough for two sweeps, too short for a queue to expire. */
const sweep = (service: EventService): Promise<void> => service.clock.advance(130_000);

describe('a queue that is left too far behind', () => {
  test('a queue too far behind is dropped, so that the log does not grow without end', async () => {
    const service = await startEvents({ limits: { logEvents: 100 } });
    const slow = await register(service, one);
    await happen(service, 90);
    const behind = await register(service, one);
    await sweep(service);
    expect(await fetchNow(service, slow.queueId)).toHaveLength(90);
    const idle = await register(service, one);
    await happen(service, 60);
    await sweep(service);
    await expect(fetchNow(service, behind.queueId)).resolves.toHaveLength(60);
    await happen(service, 60);
    await sweep(service);
    await expect(fetchNow(service, idle.queueId)).rejects.toMatchObject(bad);
    expect((await service.store.listQueues()).map(({ id }) => id)).not.toContain(idle.queueId);
    await sweep(service);
    expect((await service.store.listEventsAfter(0, 1000)).length).toBeLessThanOrEqual(120);
    expect(service.errors).toEqual([]);
  });

  test('a queue too far behind in bytes is dropped as well, and nobody who keeps up is', async () => {
    const service = await startEvents({ limits: { logBytes: 20_000 } });
    const slow = await register(service, one);
    const quick = await register(service, one);
    for (let i = 0; i < 10; i++) {
      await happen(service, 10);
      const lastEventId = service.store.lastEventId() - 1;
      await fetchEvents(service, one, quick.queueId, { dontBlock: true, lastEventId });
    }
    await sweep(service);
    await expect(fetchNow(service, slow.queueId)).rejects.toMatchObject(bad);
    expect(await fetchNow(service, quick.queueId)).toHaveLength(1);
  });

  test('a queue too far behind is dropped after a restart too', async () => {
    const service = await startEvents({ limits: { logEvents: 100 } });
    const slow = await register(service, one);
    await happen(service, 150);
    const later = await service.restart('crash');
    const fresh = await register(later, one);
    await sweep(later);
    await expect(fetchNow(later, slow.queueId)).rejects.toMatchObject(bad);
    expect(await fetchNow(later, fresh.queueId)).toEqual([]);
    expect(later.errors).toEqual([]);
  });
});

describe('too many', () => {
  test('queues in all are refused, and the refusal costs no queue', async () => {
    const service = await startEvents({ limits: { queues: 2, queuesPerAccount: 2 } });
    const queues = [await register(service, one), await register(service, two)];
    await expect(register(service, one)).rejects.toMatchObject(limited);
    expect(await fetchNow(service, queues[0]?.queueId ?? '')).toEqual([]);
    expect(await service.store.listQueues()).toHaveLength(2);
  });

  test('queues of one account cost its longest idle one', async () => {
    const service = await startEvents({ limits: { queuesPerAccount: 1 } });
    const first = await register(service, one);
    const second = await register(service, one);
    await expect(fetchNow(service, first.queueId)).rejects.toMatchObject(bad);
    expect(await fetchNow(service, second.queueId)).toEqual([]);
  });

  test('waiting requests are refused, and their queues stay', async () => {
    const service = await startEvents({ limits: { waitingRequests: 1 } });
    const [first, second] = [await register(service, one), await register(service, one)];
    const waiting = fetchEvents(service, one, first.queueId);
    await expect(fetchEvents(service, one, second.queueId)).rejects.toMatchObject(limited);
    await happen(service, 1);
    expect(await waiting).toHaveLength(1);
    expect(await fetchNow(service, second.queueId)).toHaveLength(1);
  });
});
