import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SearchIndexer } from '../../../src-main/service/domain/reading/search-indexer.ts';
import { searchOperations } from '../../../src-main/service/domain/reading/search.ts';
import { indexEntry } from '../../../src-main/service/domain/rules/messages/index-entry.ts';
import { searchOf } from '../../../src-main/search/query.ts';
import type { PageSelection, Store } from '../../../src-main/service/store/port.ts';
import type { Hits } from '../../../src-main/service/store/reading/search.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import {
  connectForTest,
  newMessage,
  openForTest,
  plainStream,
  seedRealm,
  temporaryFile,
  toStream,
} from '../../support/service/store.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const held: PageSelection = { userId: 2, base: 'held', predicates: [] };
const budget = { messages: 256, milliseconds: 1000 };

/** Two streams of which account 2 is in the first. */
async function openSeeded(file = temporaryFile()): Promise<Store> {
  const store = await openForTest(file);
  await seedRealm(store, {
    roles: ['member', 'member'],
    streams: [
      { stream: plainStream('general'), memberIds: [1, 2] },
      { stream: plainStream('other'), memberIds: [1] },
    ],
  });
  return store;
}

const say = (store: Store, content: string, streamId = 1): Promise<number> =>
  store.appendMessage(newMessage({ content, target: toStream(streamId) }));

async function found(
  store: Store,
  wanted: readonly string[],
  unwanted: readonly string[] = [],
  selection = held,
): Promise<number[]> {
  const searching = searchOperations(store, () => Promise.resolve());
  const place = { selection, search: searchOf(wanted, unwanted) };
  const counts = { before: 1000, after: 0 };
  return (await searching.page(place, Number.MAX_SAFE_INTEGER, counts)).rows.map(({ id }) => id);
}

/** Two on each side. */
async function around(
  store: Store,
  anchor: number,
  wanted: readonly string[],
  unwanted: readonly string[],
): Promise<number[]> {
  const searching = searchOperations(store, () => Promise.resolve());
  const place = { selection: held, search: searchOf(wanted, unwanted) };
  const { rows } = await searching.page(place, anchor, { before: 2, after: 2 });
  return rows.map(({ id }) => id);
}

const vocabulary: readonly string[] = ['apple', 'berry', 'cedar', 'delta', 'ember'];
/** So many that it takes the index long to find a message with any of them and without another word. */
const manyWords = Array.from('abcdefghijkl', (letter) => `z${letter}`).join(' ');
const hasAll = (words: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((word) => words.includes(word) || (word === 'z*' && words.includes(manyWords)));
const Text = fc.array(fc.constantFrom(...vocabulary, manyWords), { maxLength: 4 });
const World = fc.record({
  messages: fc.array(fc.record({ words: Text, streamId: fc.constantFrom(1, 2) }), {
    minLength: 1,
    maxLength: 25,
  }),
  // Ids that no message has: what is searched in stretches of ids is searched in several.
  gap: fc.constantFrom(0, 8_190, 16_382, 300_000),
  indexed: fc.nat(25),
  changed: fc.array(fc.record({ at: fc.nat(24), words: Text }), { maxLength: 4 }),
  deleted: fc.array(fc.nat(24), { maxLength: 3 }),
  wanted: fc.oneof(Text, fc.constant(['z*'])),
  unwanted: Text,
});

test('an index that is anywhere on its way answers what reading every message answers', async () => {
  await fc.assert(
    fc.asyncProperty(World, async (world) => {
      const { messages, gap, indexed, changed, deleted, wanted, unwanted } = world;
      const file = temporaryFile();
      const store = await openSeeded(file);
      const db = connectForTest(file);
      const skip = db.prepare("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'message'");
      const texts = new Map<number, readonly string[]>();
      const visible = new Set<number>();
      const ids: number[] = [];
      for (const { words, streamId } of messages) {
        const id = await say(store, `${words.join(' ')} .`, streamId);
        ids.push(id);
        texts.set(id, words);
        if (streamId === 1) visible.add(id);
        skip.run(gap);
      }
      if (indexed > 0) await store.indexMessages(indexEntry, { ...budget, messages: indexed });
      const wait = db.prepare('INSERT OR IGNORE INTO search_pending (message_id) VALUES (?)');
      for (const { at, words } of changed) {
        const id = ids[at];
        if (id === undefined) continue;
        db.prepare('UPDATE message SET content = ? WHERE id = ?').run(`${words.join(' ')} .`, id);
        wait.run(id);
        texts.set(id, words);
      }
      for (const at of deleted) {
        const id = ids[at];
        if (id === undefined) continue;
        db.prepare('DELETE FROM message WHERE id = ?').run(id);
        wait.run(id);
        texts.delete(id);
      }
      const isWanted = (words: readonly string[]): boolean =>
        hasAll(words, wanted) && !(unwanted.length > 0 && hasAll(words, unwanted));
      const naive = [...texts].filter(([id, words]) => visible.has(id) && isWanted(words));
      const expected = naive.map(([id]) => id);
      const again = [unwanted.join(' ')];
      expect(await found(store, wanted, again)).toEqual(expected);
      while ((await store.indexMessages(indexEntry, budget)) > 0);
      expect(await store.isSearchBehind()).toBe(false);
      expect(await found(store, wanted, again)).toEqual(expected);
      for (const [at, id] of expected.entries()) {
        expect(await around(store, id, wanted, again)).toEqual(
          expected.slice(Math.max(0, at - 2), at + 3),
        );
      }
      await store.close();
    }),
    { numRuns: 60 },
  );
});

test('the index is asked for a stretch of ids where it might have to look long', async () => {
  const file = temporaryFile();
  const store = await openSeeded(file);
  const db = connectForTest(file);
  const ids: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    ids.push(await say(store, manyWords));
    db.exec("UPDATE sqlite_sequence SET seq = seq + 300000 WHERE name = 'message'");
  }
  await store.indexMessages(indexEntry, budget);
  const tokens = manyWords.split(' ');
  const hits = (direction: 'older' | 'newer', from: number): Promise<Hits> =>
    store.findHits({
      selection: held,
      expression: { all: [{ kind: 'any', tokens }], none: [[{ kind: 'any', tokens: ['absent'] }]] },
      direction,
      from,
      floor: 1,
      limit: 100,
      span: Number.MAX_SAFE_INTEGER,
    });
  const [first = 0, second = 0, third = 0, last = 0] = ids;
  const older = await hits('older', last + 1);
  expect(older.rows.map(({ id }) => id)).toEqual([last]);
  expect(older.next).toBeGreaterThan(third);
  const newer = await hits('newer', first - 1);
  expect(newer.rows.map(({ id }) => id)).toEqual([first]);
  expect(newer.next).toBeLessThan(second);
});

test('what is unread is found among many that are, and not looked for below them', async () => {
  const file = temporaryFile();
  const store = await openSeeded(file);
  const ids: number[] = [];
  for (let n = 0; n < 320; n += 1) ids.push(await say(store, n % 40 === 0 ? 'sought' : 'other'));
  await store.indexMessages(indexEntry, { ...budget, messages: 1000 });
  const sought = ids.filter((_, n) => n % 40 === 0);
  const unread: PageSelection = {
    ...held,
    predicates: [{ condition: { kind: 'unread' }, isNegated: false }],
  };
  expect(await found(store, ['sought'], [], unread)).toEqual(sought);
  connectForTest(file)
    .prepare(
      'INSERT INTO read_mark (account_id, recipient_id, topic_id, through_id) VALUES (2, 0, 0, ?)',
    )
    .run(ids[50]);
  expect(await found(store, ['sought'], [], unread)).toEqual(sought.slice(2));
});

test('what was sent before the account came is not looked for', async () => {
  const file = temporaryFile();
  const store = await openSeeded(file);
  const ids: number[] = [];
  for (let n = 0; n < 4; n += 1) ids.push(await say(store, 'sought'));
  await store.indexMessages(indexEntry, budget);
  const [early = 0, before = 0, after = 0, last = 0] = ids;
  expect(await store.findSearchFloor(2)).toBe(1);
  const db = connectForTest(file);
  db.prepare('UPDATE membership SET from_id = ? WHERE account_id = 2').run(before);
  expect(await store.findSearchFloor(2)).toBe(after);
  expect(await found(store, ['sought'])).toEqual([after, last]);
  db.prepare("INSERT INTO message_flag VALUES (2, ?, 'historical')").run(early);
  expect(await store.findSearchFloor(2)).toBe(early);
  expect(await found(store, ['sought'])).toEqual([early, after, last]);
  expect(await store.findSearchFloor(3)).toBeUndefined();
  expect(await found(store, ['sought'], [], { ...held, userId: 3 })).toEqual([]);
});

describe('indexing', () => {
  test('indexing goes in blocks, and continues from where it was after a crash', async () => {
    const file = temporaryFile();
    const store = await openSeeded(file);
    const ids: number[] = [];
    for (let n = 0; n < 10; n += 1) ids.push(await say(store, `word${n} shared`));
    expect(await store.indexMessages(indexEntry, { ...budget, messages: 4 })).toBe(4);
    expect(await store.isSearchBehind()).toBe(true);
    await store.close();
    const again = await openForTest(file);
    expect(await found(again, ['shared'])).toEqual(ids);
    expect(await again.indexMessages(indexEntry, budget)).toBe(6);
    expect(await again.indexMessages(indexEntry, budget)).toBe(0);
    expect(await again.isSearchBehind()).toBe(false);
    expect(await found(again, ['shared'])).toEqual(ids);
    expect(await found(again, ['word3'])).toEqual([ids[3]]);
  });

  test('indexing leaves nothing of a block that fails, not even words', async () => {
    const store = await openSeeded();
    const id = await say(store, 'fine prefixed');
    const fail = (): never => {
      throw new Error('on purpose');
    };
    await expect(store.indexMessages(fail, budget)).rejects.toThrow('on purpose');
    expect(await store.isSearchBehind()).toBe(true);
    await store.indexMessages(indexEntry, budget);
    expect(await store.listSearchWords('pre', 10)).toEqual(['prefixed']);
    expect(await found(store, ['pref*'])).toEqual([id]);
  });

  test('indexing stops at the end of its time', async () => {
    const store = await openSeeded();
    for (let n = 0; n < 5; n += 1) await say(store, 'text');
    expect(await store.indexMessages(indexEntry, { messages: 5, milliseconds: 0 })).toBe(1);
  });

  test('merges until there is nothing to merge', async () => {
    const store = await openSeeded();
    for (let n = 0; n < 12; n += 1) {
      await say(store, `text ${n}`);
      await store.indexMessages(indexEntry, budget);
    }
    expect(await store.mergeSearchIndex(16)).toBe(true);
    while (await store.mergeSearchIndex(16));
    expect(await store.mergeSearchIndex(16)).toBe(false);
    expect(await found(store, ['text'])).toHaveLength(12);
  });
});

describe('the indexer', () => {
  async function openIndexer(store: Store): Promise<{ clock: FakeClock; indexer: SearchIndexer }> {
    const clock = new FakeClock();
    const indexer = new SearchIndexer({ store, clock, log: silent });
    store.onCommit((events) => {
      indexer.note(events);
    });
    indexer.start();
    await clock.advance(0);
    return { clock, indexer };
  }
  const wait = async (clock: FakeClock, store: Store): Promise<void> => {
    for (let n = 0; n < 50 && (await store.isSearchBehind()); n += 1) await clock.advance(20);
  };

  test('the indexer indexes what the process before it left, then what is sent, within a second', async () => {
    const store = await openSeeded();
    await say(store, 'left behind');
    const { clock, indexer } = await openIndexer(store);
    await wait(clock, store);
    expect(await store.isSearchBehind()).toBe(false);
    await say(store, 'new');
    expect(await store.isSearchBehind()).toBe(true);
    await wait(clock, store);
    expect(await store.isSearchBehind()).toBe(false);
    await indexer.stop();
  });

  test('the indexer is brought up to date by a search before its time', async () => {
    const store = await openSeeded();
    const { clock, indexer } = await openIndexer(store);
    await wait(clock, store);
    await say(store, 'sought');
    await indexer.catchUp();
    expect(await store.isSearchBehind()).toBe(false);
    await indexer.stop();
  });

  test('the indexer tries again after a failure, and does nothing once it is stopped', async () => {
    const store = await openSeeded();
    let failures = 1;
    const failing = {
      ...store,
      indexMessages: (...values: Parameters<Store['indexMessages']>) =>
        failures-- > 0 ? Promise.reject(new Error('disk')) : store.indexMessages(...values),
    };
    await say(store, 'text');
    const { clock, indexer } = await openIndexer(failing);
    await clock.advance(1000);
    expect(await store.isSearchBehind()).toBe(true);
    await clock.advance(5000);
    await wait(clock, store);
    expect(await store.isSearchBehind()).toBe(false);
    await indexer.stop();
    await say(store, 'late');
    await indexer.catchUp();
    await clock.advance(10_000);
    expect(await store.isSearchBehind()).toBe(true);
  });
});
