import { describe, expect, test } from 'vitest';
import { touchedBy } from '#service/db/sqlite/read-cache.ts';
import {
  connectForTest,
  openForTest,
  seedRealm,
  temporaryFile,
} from '#test/support/service/store.ts';

describe('answers that are kept', () => {
  test('kept answers are the same object while nothing changes', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const first = await store.findUser(1);
    expect(first).toBeDefined();
    expect(await store.findUser(1)).toBe(first);
  });

  test('kept answers are read again after a write that changed one of their rows', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const before = await store.findUser(1);
    expect(await store.refreshKeyHashes((id) => `other ${id}`, String)).toBeGreaterThan(0);
    expect(await store.findUserByKeyHash('other 1')).toMatchObject({ id: 1 });
    expect(await store.findUser(1)).not.toBe(before);
  });

  test('kept answers are used inside a change too, until it has changed one of their rows', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const kept = await store.findUser(1);
    const [first, before, after] = await store.change(function* (tx) {
      const first = yield* tx.findUser(1);
      const before = yield* tx.findUserByKeyHash('key of 1');
      yield* tx.refreshKeyHashes((id) => `other ${id}`, String);
      return [first, before, yield* tx.findUserByKeyHash('key of 1')];
    });
    expect(first).toBe(kept);
    expect(before).toMatchObject({ id: 1 });
    expect(after).toBeUndefined();
  });

  test('kept answers do not hide a row that was not there when it was asked for', async () => {
    const store = await openForTest();
    expect(await store.findRealm()).toBeUndefined();
    expect(await store.findUser(1)).toBeUndefined();
    await seedRealm(store);
    expect(await store.findRealm()).toMatchObject({ name: 'Test' });
    expect(await store.findUser(1)).toMatchObject({ id: 1 });
  });

  test('kept answers are read again after another program wrote into the file', async () => {
    const file = temporaryFile();
    const store = await openForTest(file);
    await seedRealm(store);
    expect(await store.findUser(1)).toMatchObject({ is_active: 1 });
    connectForTest(file).exec('UPDATE account SET is_active = 0 WHERE id = 1');
    await expect.poll(() => store.findUser(1)).toMatchObject({ is_active: 0 });
  });
});

test.each([
  ['INSERT INTO account (id) VALUES (1)', ['directory']],
  ['  UPDATE stream SET name = 1', ['directory']],
  ['DELETE FROM membership WHERE id = 1', ['directory']],
  ['INSERT OR REPLACE INTO alert_word VALUES (1)', ['directory']],
  ['INSERT INTO topic (id) VALUES (1)', ['names']],
  ['WITH x AS (SELECT 1) DELETE FROM topic', ['directory', 'names', 'messages']],
  ['INSERT INTO message (id) SELECT id FROM account', []],
  ['UPDATE message AS m SET topic_id = 1', ['messages']],
  ['DELETE FROM message WHERE id = 1', ['messages']],
  ['INSERT OR REPLACE INTO message VALUES (1)', ['messages']],
  ['DELETE FROM message_flag WHERE message_id = 1', []],
  ['INSERT INTO lost_access VALUES (1, 1)', ['directory']],
  ['UPDATE stream_setting SET color = 1', []],
  ['SELECT * FROM account', []],
])('%s can change kept answers of %j', (sql, expected) => {
  expect(touchedBy(sql)).toEqual(expected);
});
