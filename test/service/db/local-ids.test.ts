import { describe, expect, test } from 'vitest';
import type { LocalId, Store } from '#service/db/port.ts';
import {
  connectForTest,
  newMessage,
  openForTest,
  seedRealm,
  temporaryFile,
} from '#test/support/service/store.ts';

const DAY_SECONDS = 86_400;
const START = 1_700_000_000;

const localId = (index: number): LocalId => ({ text: `id ${String(index)}`, digest: 'd' });

const sendOn = (store: Store, day: number, index: number): Promise<number> =>
  store.appendMessage(newMessage({ localId: localId(index), sentAt: START + day * DAY_SECONDS }));

describe('local ids', () => {
  test('local ids are kept for thirty days, and then leave twice as fast as new ones come', async () => {
    const file = temporaryFile();
    const store = await openForTest(file);
    await seedRealm(store);
    const db = connectForTest(file);
    const count = (): unknown => db.prepare('SELECT count(*) FROM sent_local_id').pluck().get();
    const ids: number[] = [];
    for (let index = 0; index < 100; index += 1) ids.push(await sendOn(store, 0, index));
    await sendOn(store, 30, 100);
    expect(count()).toBe(101);
    for (const [index, id] of ids.entries())
      expect(await store.findSentMessage(1, localId(index))).toBe(id);
    for (let index = 101; index < 141; index += 1) await sendOn(store, 31, index);
    expect(count()).toBe(101 + 40 - 80);
    expect(await store.findSentMessage(1, localId(0))).toBeUndefined();
    for (let index = 141; index < 200; index += 1) await sendOn(store, 31, index);
    expect(count()).toBe(100);
    expect(await store.findSentMessage(1, localId(99))).toBeUndefined();
    expect(await store.findSentMessage(1, localId(100))).toBe((ids.at(-1) ?? 0) + 1);
  });

  test('the local ids of a send that fails are free', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const target = { kind: 'stream', streamId: 99, topic: 't', topicKey: 't' } as const;
    const results = await Promise.allSettled([
      store.appendMessage(newMessage({ localId: localId(1), target })),
      store.appendMessage(newMessage({ localId: localId(1) })),
      store.appendMessage(newMessage({ localId: localId(1) })),
      store.appendMessage(newMessage({ localId: { ...localId(1), digest: 'e' } })),
    ]);
    const [failed, first, second, other] = results;
    expect(failed.status).toBe('rejected');
    expect(first).toEqual({ status: 'fulfilled', value: expect.any(Number) });
    expect(second).toEqual(first);
    expect(other).toMatchObject({ status: 'rejected', reason: { code: 'BAD_REQUEST' } });
  });
});
