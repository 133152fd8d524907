import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  connectForTest,
  newMessage,
  openForTest,
  plainStream,
  registerPlain,
  seedRealm,
  temporaryFile,
  toUsers,
} from '#test/support/service/store.ts';
import { bareEvent } from '#test/support/service/bare-events.ts';

const event = (n: number) => bareEvent('test', { kind: 'realm' }, { n });

describe('registering a queue', () => {
  test('a registration stores the queue and reads its state in one step between the others', async () => {
    const store = await openForTest();
    await seedRealm(store);
    // What is in the snapshot is not among the events after it, and the other way round.
    for (let round = 0; round < 10; round += 1) {
      const sends = Array.from({ length: 10 }, () =>
        store.appendMessage(newMessage({ senderId: 2 })),
      );
      const registering = registerPlain(store, `q${round}`);
      const later = Array.from({ length: 5 }, () =>
        store.appendMessage(newMessage({ senderId: 2 })),
      );
      const [state, ids] = await Promise.all([registering, Promise.all([...sends, ...later])]);
      const announced = (await store.listEventsAfter(state.lastEventId, 1000)).map(
        (logged) => logged.payload['message_id'],
      );
      const unread = state.facts.unread?.groups.flatMap(({ messageIds }) => messageIds) ?? [];
      expect(unread).toEqual(expect.arrayContaining(ids.filter((id) => !announced.includes(id))));
      expect(unread.some((id) => announced.includes(id))).toBe(false);
      expect(state.facts.newestHeldId).toBe(unread.sort((a, b) => a - b).at(-1));
    }
    expect((await store.listQueues()).map((row) => row.id)).toHaveLength(10);
  });

  test('a registration that fails leaves no queue', async () => {
    const store = await openForTest();
    await seedRealm(store);
    await registerPlain(store, 'q');
    await expect(registerPlain(store, 'q', 2)).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_PRIMARYKEY',
    });
    await expect(registerPlain(store, 'other', 99)).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_FOREIGNKEY',
    });
    expect(await store.listQueues()).toMatchObject([{ id: 'q', account_id: 1 }]);
  });

  test('a registration reads what the account may know of', async () => {
    const store = await openForTest();
    await seedRealm(store, {
      roles: ['admin', 'member', 'member'],
      streams: [
        { stream: plainStream('general'), memberIds: [1, 2, 3] },
        { stream: plainStream('leads', { isPrivate: true }), memberIds: [1, 2] },
      ],
    });
    const sent = await store.appendMessage(newMessage({ senderId: 2, target: toUsers(1, 2) }));
    const elsewhere = await store.appendMessage(newMessage({ senderId: 2, target: toUsers(2, 3) }));
    const state = await registerPlain(store, 'q', 1);
    expect(state.facts.realm).toMatchObject({ name: 'Test', notifications_stream_id: 1 });
    expect(state.facts.users?.map((user) => user.id)).toEqual([1, 2, 3]);
    expect(state.facts.subscriptions?.map((row) => row.name)).toEqual(['general', 'leads']);
    expect(state.facts.newestHeldId).toBe(sent);
    expect(state.facts.newestHeldId).not.toBe(elsewhere);
    expect(state.facts.privateConversations).toEqual([{ participants_key: '1,2', max_id: sent }]);
    expect(state.lastEventId).toBe(store.lastEventId());
  });
});

describe('the rows of queues', () => {
  test('the rows of queues keep how far each was acknowledged and when it was last seen', async () => {
    const file = temporaryFile();
    const store = await openForTest(file);
    await seedRealm(store);
    await registerPlain(store, 'a');
    await registerPlain(store, 'b');
    await store.saveCursors([
      { id: 'a', acknowledgedId: 7, lastSeenAt: 1_700_000_100 },
      { id: 'gone', acknowledgedId: 7, lastSeenAt: 1_700_000_100 },
    ]);
    await store.deleteQueues(['b', 'gone']);
    await store.close();
    const again = await openForTest(file);
    expect(await again.listQueues()).toEqual([
      {
        id: 'a',
        account_id: 1,
        owner_id: 1,
        options: '{}',
        registered_id: 0,
        acknowledged_id: 7,
        lifespan_seconds: 600,
        last_seen_at: 1_700_000_100,
      },
    ]);
  });
});

describe('trimming the log', () => {
  test('a trim of the log never deletes what a queue has not acknowledged', async () => {
    const file = temporaryFile();
    const store = await openForTest(file);
    await seedRealm(store);
    const db = connectForTest(file);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('append' as const) }),
      fc.record({ kind: fc.constant('register' as const) }),
      fc.record({ kind: fc.constant('acknowledge' as const), queue: fc.nat(), share: fc.nat(100) }),
      fc.record({ kind: fc.constant('delete' as const), queue: fc.nat() }),
      fc.record({ kind: fc.constant('trim' as const), share: fc.nat(120) }),
    );
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
        db.exec('DELETE FROM queue; DELETE FROM event');
        const cursors = new Map<string, number>();
        let kept: number[] = [];
        const first = store.lastEventId();
        const pick = (index: number): string => [...cursors.keys()][index % cursors.size] ?? '';
        for (const each of steps) {
          if (each.kind === 'append') kept.push(await store.appendEvent(event(0)));
          else if (each.kind === 'register') {
            count += 1;
            const { lastEventId } = await registerPlain(store, `q${count}`);
            cursors.set(`q${count}`, lastEventId);
          } else if (each.kind === 'trim') {
            const through = first + Math.floor(((store.lastEventId() - first) * each.share) / 100);
            const deletable = Math.min(through, ...cursors.values());
            kept = kept.filter((id) => id > deletable);
            await store.trimEvents(through);
          } else if (cursors.size > 0) {
            const id = pick(each.queue);
            if (each.kind === 'delete') {
              cursors.delete(id);
              await store.deleteQueues([id]);
            } else {
              const from = cursors.get(id) ?? 0;
              const to = from + Math.floor(((store.lastEventId() - from) * each.share) / 100);
              cursors.set(id, to);
              await store.saveCursors([{ id, acknowledgedId: to, lastSeenAt: 1 }]);
            }
          }
          const left = (await store.listEventsAfter(0, 1000)).map((logged) => logged.id);
          expect(left).toEqual(kept);
        }
      }),
      { numRuns: 60 },
    );
  });
});

test('events are listed above an id, ascending, as many as asked for', async () => {
  const store = await openForTest();
  await seedRealm(store);
  const ids: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    ids.push(await store.appendEvent(event(n)));
    await store.takeEventId();
  }
  expect((await store.listEventsAfter(0, 100)).map(({ id }) => id)).toEqual(ids);
  expect((await store.listEventsAfter(0, 2)).map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect((await store.listEventsAfter(ids[2]!, 100)).map(({ id }) => id)).toEqual(ids.slice(3));
  expect(await store.listEventsAfter(store.lastEventId(), 100)).toEqual([]);
  expect((await store.listEventsAfter(0, 1))[0]).toEqual({ id: ids[0], ...event(0) });
});
