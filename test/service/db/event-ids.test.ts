import { describe, expect, test } from 'vitest';
import type { Store } from '#service/db/port.ts';
import { startStoreProcess } from '#test/support/service/remote-store.ts';
import {
  connectForTest,
  newMessage,
  openForTest,
  seedRealm,
  temporaryFile,
} from '#test/support/service/store.ts';
import { bareEvent } from '#test/support/service/bare-events.ts';

const everybody = { kind: 'realm' } as const;
const event = bareEvent('test', everybody);

const isIncreasing = (ids: readonly number[]): boolean =>
  ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? 0));

async function seededFile(): Promise<string> {
  const file = temporaryFile();
  const store = await openForTest(file);
  await seedRealm(store);
  await store.close();
  return file;
}

/** Events and heartbeats in turn: their ids in the order in which they were handed out. */
async function takeIds(store: Pick<Store, 'appendEvent' | 'takeEventId'>, count: number) {
  const ids: number[] = [];
  for (let taken = 0; taken < count; taken += 1) {
    ids.push(taken % 3 === 0 ? await store.appendEvent(event) : await store.takeEventId());
  }
  return ids;
}

describe('ids of events and heartbeats', () => {
  test('ids of events and heartbeats increase beyond the end of a reserved block', async () => {
    const store = await openForTest();
    const ids = await takeIds(store, 2500);
    expect(isIncreasing(ids)).toBe(true);
    expect(store.lastEventId()).toBe(ids.at(-1));
  });

  test('event ids are unique when many are asked for at once, at the end of a block too', async () => {
    const store = await openForTest();
    await takeIds(store, 990);
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        index % 2 === 0 ? store.takeEventId() : store.appendEvent(event),
      ),
    );
    expect(new Set(ids).size).toBe(60);
    expect(Math.min(...ids)).toBeGreaterThan(989);
  });

  test('event ids go on above all earlier ones after a clean close', async () => {
    const file = await seededFile();
    const seen: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const store = await openForTest(file);
      expect(store.lastEventId()).toBeGreaterThanOrEqual(seen.at(-1) ?? 0);
      seen.push(...(await takeIds(store, 7)));
      await store.close();
    }
    expect(isIncreasing(seen)).toBe(true);
  });

  test('event ids go on above all earlier ones after a crash, heartbeats included', async () => {
    const file = await seededFile();
    const seen: number[] = [];
    for (const taken of [3, 1000, 1]) {
      const remote = await startStoreProcess({ file });
      const ids = await Promise.all(
        Array.from({ length: taken }, (_, index) =>
          index % 3 === 0 ? remote.call('appendEvent', event) : remote.call('takeEventId'),
        ),
      );
      // The last one is a heartbeat, of which nothing is stored.
      ids.push(await remote.call('takeEventId'));
      seen.push(...ids.sort((a, b) => a - b));
      await remote.kill();
    }
    const store = await openForTest(file);
    seen.push(await store.takeEventId());
    expect(isIncreasing(seen)).toBe(true);
  });

  test('event ids are not spent by an operation that fails, and the reservation it made is undone', async () => {
    const file = await seededFile();
    const store = await openForTest(file);
    const db = connectForTest(file);
    const reserved = (): unknown =>
      db.prepare('SELECT reserved_through FROM event_counter').pluck().get();
    const before = store.lastEventId();
    expect(before).toBe(reserved());
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    // The first id that is taken reserves a block; the payload then cannot be written.
    await expect(store.appendEvent(bareEvent('test', everybody, circular))).rejects.toThrow(
      /circular/,
    );
    expect(reserved()).toBe(before);
    expect(store.lastEventId()).toBe(before);
    const id = await store.appendEvent(event);
    expect(id).toBeGreaterThan(before);
    expect(reserved()).toBeGreaterThanOrEqual(id);
  });

  test('event ids never lie above what is reserved in the file, whatever fails', async () => {
    const file = await seededFile();
    const store = await openForTest(file);
    const db = connectForTest(file);
    const reserved = (): number =>
      Number(db.prepare('SELECT reserved_through FROM event_counter').pluck().get());
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const ids: number[] = [];
    for (let round = 0; round < 1200; round += 1) {
      const results = await Promise.allSettled([
        ...(round % 5 === 0 ? [store.appendEvent(bareEvent('test', everybody, circular))] : []),
        round % 2 === 0 ? store.takeEventId() : store.appendEvent(event),
      ]);
      for (const result of results) if (result.status === 'fulfilled') ids.push(result.value);
      expect(store.lastEventId()).toBeLessThanOrEqual(reserved());
    }
    expect(new Set(ids).size).toBe(1200);
  });
});

test('message ids are never used again after the newest message is gone', async () => {
  const file = await seededFile();
  const store = await openForTest(file);
  const id = await store.appendMessage(newMessage());
  connectForTest(file).prepare('DELETE FROM message').run();
  expect(await store.appendMessage(newMessage())).toBeGreaterThan(id);
});
