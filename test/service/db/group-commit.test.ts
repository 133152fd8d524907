import { describe, expect, test } from 'vitest';
import {
  connectForTest,
  newMessage,
  openForTest,
  plainStream,
  recordCommits,
  seedRealm,
  temporaryFile,
  toStream,
} from '#test/support/service/store.ts';
import type { LoggedEvent } from '#service/db/event-log.ts';
import { run } from '#service/db/operation.ts';
import { bareEvent } from '#test/support/service/bare-events.ts';

const content = (text: string, streamId = 1) =>
  newMessage({ content: text, target: toStream(streamId) });

const noStream = 99;

describe('writes that wait together', () => {
  test('waiting writes are committed together, and a failing one takes no neighbour along', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const commits = recordCommits(store);
    const results = await Promise.allSettled([
      store.appendMessage(content('first')),
      store.appendMessage(content('lost', noStream)),
      store.appendMessage(content('second')),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'STREAM_DOES_NOT_EXIST' } });
    expect(commits).toHaveLength(1);
    expect(commits[0]?.map((event) => event.payload['message_id'])).toEqual([1, 2]);
    const logged = await store.listEventsAfter(0, 10);
    expect(logged).toEqual(commits[0]?.map(({ attached: _, ...event }) => event));
  });

  test('waiting writes leave nothing of an operation that fails after its first statements', async () => {
    const file = temporaryFile();
    const store = await openForTest(file);
    await seedRealm(store);
    const commits = recordCommits(store);
    const [failed, sent] = await Promise.allSettled([
      // The message, its topic and its client are inserted before the flag refers to what is not there.
      store.appendMessage({ ...content('lost'), sentAt: null as unknown as number }),
      store.appendMessage(content('kept')),
    ]);
    expect(failed.status).toBe('rejected');
    expect(sent).toEqual({ status: 'fulfilled', value: 1 });
    const db = connectForTest(file);
    expect(db.prepare('SELECT content FROM message').pluck().all()).toEqual(['kept']);
    expect(db.prepare('SELECT COUNT(*) FROM event').pluck().get()).toBe(1);
    expect(commits.flat()).toHaveLength(1);
  });

  test('waiting writes are not run again where one is refused before it has written anything', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const commits = recordCommits(store);
    const refusal = new Error('refused');
    let runs = 0;
    const results = await Promise.allSettled([
      store.change(function* (tx) {
        runs += 1;
        yield* tx.record(bareEvent('first', { kind: 'realm' }));
      }),
      store.change(function* (tx) {
        yield* tx.findUser(1);
        throw refusal;
      }),
      store.change(function* (tx) {
        runs += 1;
        yield* tx.record(bareEvent('second', { kind: 'realm' }));
      }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toEqual({ status: 'rejected', reason: refusal });
    expect(commits.map((events) => events.map(({ type }) => type))).toEqual([['first', 'second']]);
    expect(runs).toBe(2);
  });

  test('waiting writes forget the events of an operation that fails after it has recorded some', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const commits = recordCommits(store);
    const create = (name: string, failure?: Error) =>
      store.change(function* (tx) {
        yield* tx.insertStream(plainStream(name));
        yield* tx.record(bareEvent(name, { kind: 'realm' }));
        if (failure !== undefined) throw failure;
      });
    const failure = new Error('after the creation of the stream was recorded');
    const results = await Promise.allSettled([
      store.appendEvent(bareEvent('first', { kind: 'realm' })),
      create('lost', failure),
      create('kept'),
    ]);
    expect(results[1]).toEqual({ status: 'rejected', reason: failure });
    expect(commits.flat().map((event) => event.type)).toEqual(['first', 'kept']);
    expect(await store.listEventsAfter(0, 10)).toEqual(commits.flat());
    expect((await store.listStreams()).map((stream) => stream.name)).toEqual(['general', 'kept']);
  });

  test('waiting writes see what those before them wrote', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const [id, unread] = await Promise.all([
      store.appendMessage(newMessage({ senderId: 2 })),
      store.change(function* (tx) {
        return yield* tx.listUnread(1);
      }),
    ]);
    expect(unread.groups.flatMap(({ messageIds }) => messageIds)).toEqual([id]);
  });
});

describe('writes for which one commit has no time', () => {
  const open = async (file?: string) => {
    const store = await openForTest(file, 0);
    await seedRealm(store);
    const order: string[] = [];
    store.onCommit((events) => void order.push(`told ${events.map(({ id }) => id).join(' ')}`));
    const send = (name: string, more: object = {}) =>
      store.appendMessage({ ...content(name), ...more }).then(
        () => void order.push(name),
        () => void order.push(`${name} failed`),
      );
    return { store, order, send };
  };

  test('writes for which one commit has no time have the next ones, in order and before later writes', async () => {
    const { order, send } = await open();
    const first = send('first');
    const second = send('second');
    const third = send('third');
    await Promise.all([first.then(() => send('later')), second, third]);
    await send('last');
    expect(order).toEqual(
      ['first', 'second', 'third', 'later', 'last'].flatMap((name, i) => [`told ${i + 1}`, name]),
    );
  });

  test('writes for which one commit has no time are run all the same when one before them fails', async () => {
    const { order, send } = await open();
    // Fails after its first statements, and so the batch is run once more with savepoints.
    const lost = send('lost', { sentAt: null });
    await Promise.all([lost, send('first'), send('second')]);
    expect(order).toEqual(['lost failed', 'told 1', 'first', 'told 2', 'second']);
  });

  test('writes for which one commit has no time are finished before the store closes', async () => {
    const file = temporaryFile();
    const { store, send } = await open(file);
    const sending = Promise.all(['first', 'second', 'third'].map((name) => send(name)));
    await store.close();
    await sending;
    const db = connectForTest(file);
    expect(db.prepare('SELECT COUNT(*) FROM message').pluck().get()).toBe(3);
  });
});

describe('a write', () => {
  test('a write is in the file when its promise resolves', async () => {
    const file = temporaryFile();
    const store = await openForTest(file);
    await seedRealm(store);
    const db = connectForTest(file);
    for (let round = 1; round <= 20; round += 1) {
      const id = await store.appendMessage(content(`message ${round}`));
      const rows = db.prepare('SELECT id, content FROM message ORDER BY id DESC LIMIT 1').all();
      expect(rows).toEqual([{ id, content: `message ${round}` }]);
      const newest = db.prepare('SELECT payload FROM event ORDER BY id DESC LIMIT 1').pluck().get();
      expect(JSON.parse(String(newest))).toEqual({ message_id: id, echo: null });
    }
  });

  test('the promise of a write resolves when its listeners have told whom they can tell at once', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const order: string[] = [];
    const tell = async (ids: readonly number[]): Promise<void> => {
      for (let step = 0; step < 50; step += 1) await Promise.resolve();
      order.push(`told ${ids.join(' ')}`);
    };
    store.onCommit((events) => void tell(events.map(({ id }) => id)));
    await Promise.all(
      [1, 2].map(async () => {
        const id = await store.appendMessage(newMessage());
        order.push(`settled ${id}`);
      }),
    );
    await store.appendMessage(newMessage());
    expect(order).toEqual(['told 1 2', 'settled 1', 'settled 2', 'told 3']);
  });

  test('a write that appends no event is told to nobody', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const commits = recordCommits(store);
    await store.deleteQueues(['none']);
    expect(commits).toEqual([]);
  });

  test('a write that is queued when the store closes is finished first', async () => {
    const file = temporaryFile();
    const store = await openForTest(file);
    await seedRealm(store);
    const sending = Promise.all([1, 2, 3].map(() => store.appendMessage(newMessage())));
    await store.close();
    expect(await sending).toEqual([1, 2, 3]);
    await expect(store.appendMessage(newMessage())).rejects.toThrow(/not open/);
    const again = await openForTest(file);
    expect(await again.findNewestHeldId(1)).toBe(3);
  });
});

test('every commit tells its events in ascending order, and later commits higher ids', async () => {
  const store = await openForTest();
  await seedRealm(store);
  const commits = recordCommits(store);
  await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      if (index % 7 === 0) await store.takeEventId();
      await store.appendMessage(newMessage({ senderId: 1 + (index % 2) }));
      if (index % 3 === 0) await store.appendMessage(content('fails', noStream)).catch(() => 0);
    }),
  );
  const ids = commits.flat().map((event) => event.id);
  expect(ids).toHaveLength(300);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  expect(commits.length).toBeLessThan(50);
});

test('a read of several statements sees one state, whatever is committed meanwhile', async () => {
  const file = temporaryFile();
  const store = await openForTest(file);
  await seedRealm(store);
  // Topics are listed by one statement and named by others.
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      await store.appendMessage(newMessage({ target: toStream(1, `topic ${index}`) }));
      const topics = await store.listTopics(1, 1, true);
      expect(topics.every((topic) => topic.name !== '')).toBe(true);
      expect(topics.length).toBeGreaterThan(0);
    }),
  );
});

describe('a change in parts', () => {
  /** One that has a turn of its own for each message. */
  const open = async (file?: string) => {
    const store = await openForTest(file, 0);
    await seedRealm(store);
    await store.appendMessage(content('before'));
    return store;
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const RENAME = 'UPDATE message SET content = :text WHERE id = 1';

  test('a change in parts is seen as a whole and not before, and what writes meanwhile comes after it', async () => {
    const store = await open();
    const commits = recordCommits(store);
    const seen: (string | undefined)[] = [];
    const last = store.lastEventId();
    const order: string[] = [];
    const changing = store.changeInParts(function* (tx) {
      for (let part = 0; part < 5; part++) {
        yield* run(RENAME, { text: `part ${String(part)}` });
        yield* tx.pause();
      }
      yield* tx.record(bareEvent('changed', { kind: 'realm' }));
      return 'done';
    });
    const sending = store.appendMessage(content('meanwhile')).then(() => order.push('sent'));
    const heartbeat = await store.takeEventId();
    void changing.then(() => order.push('changed'));
    while (order.length === 0) {
      seen.push((await store.findMessage(1))?.content);
      await turn();
    }
    await sending;
    expect(new Set(seen.slice(0, 4))).toEqual(new Set(['before']));
    expect(await changing).toBe('done');
    expect(order).toEqual(['changed', 'sent']);
    expect((await store.findMessage(1))?.content).toBe('part 4');
    const [[changed], [sent]] = commits as [LoggedEvent[], LoggedEvent[]];
    expect([changed?.type, sent?.type]).toEqual(['changed', 'message']);
    const ids = [last, heartbeat, changed?.id, sent?.id];
    expect(ids).toEqual([...ids].sort((a, b) => Number(a) - Number(b)));
    expect(new Set(ids).size).toBe(4);
  });

  test('a change in parts that fails leaves nothing behind, and what waits goes on', async () => {
    const store = await open();
    const commits = recordCommits(store);
    const refusal = new Error('refused');
    const failing = store.changeInParts(function* (tx) {
      yield* run(RENAME, { text: 'lost' });
      yield* tx.pause();
      yield* tx.record(bareEvent('lost', { kind: 'realm' }));
      throw refusal;
    });
    const sending = store.appendMessage(content('after'));
    await expect(failing).rejects.toBe(refusal);
    await sending;
    expect((await store.findMessage(1))?.content).toBe('before');
    expect(commits.flat().map(({ type }) => type)).toEqual(['message']);
  });

  test('no id is given away above those of events that are recorded in parts', async () => {
    const store = await open();
    const told: number[] = [];
    store.onCommit((events) => void told.push(...events.map(({ id }) => id)));
    const last = store.lastEventId();
    const seen = new Set<number>();
    const heartbeats: Promise<unknown>[] = [];
    const changeBy = (parts: number, refusal?: Error) =>
      store.changeInParts(function* (tx) {
        for (let part = 0; part < parts; part++) {
          yield* tx.record(bareEvent(`part ${String(part)}`, { kind: 'realm' }));
          yield* tx.pause();
        }
        if (refusal !== undefined) throw refusal;
      });
    const changing = changeBy(3);
    await turn();
    for (let count = 0; count < 3; count++) {
      seen.add(store.lastEventId());
      heartbeats.push(store.takeEventId().then((id) => told.push(id)));
      await turn();
    }
    await changing;
    await Promise.all(heartbeats);
    expect([...seen]).toEqual([last]);
    expect(told).toEqual([1, 2, 3, 4, 5, 6].map((more) => last + more));
    // What was taken in a change that fails is given away again.
    await expect(changeBy(2, new Error('refused'))).rejects.toThrow('refused');
    expect(await store.takeEventId()).toBe(last + 7);
  });

  test('the log is copied by whom the store was told of, after changes that had several turns', async () => {
    const store = await open();
    let copies = 0;
    store.onLongLog(async () => void (copies += 1));
    const changeBy = (pauses: number) =>
      store.changeInParts(function* (tx) {
        yield* run(RENAME, { text: `${String(pauses)} pauses` });
        for (let pause = 0; pause < pauses; pause++) yield* tx.pause();
      });
    await store.appendMessage(content('another'));
    await changeBy(0);
    expect(copies).toBe(0);
    await changeBy(2);
    expect(copies).toBe(1);
  });

  test('a change in parts is finished before the store closes', async () => {
    const file = temporaryFile();
    const store = await open(file);
    const changing = store.changeInParts(function* (tx) {
      yield* run(RENAME, { text: 'after' });
      yield* tx.pause();
    });
    await store.close();
    await changing;
    expect(connectForTest(file).prepare('SELECT content FROM message').pluck().all()).toEqual([
      'after',
    ]);
  });
});
