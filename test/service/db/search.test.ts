import fc from 'fast-check';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { searchOperations } from '#service/features/reading/operations/search.ts';
import { yieldToOthers } from '#service/core/yield-thread.ts';
import { indexEntry } from '#service/features/reading/rules/index-entry.ts';
import { queryClauses } from '#shared/search/index-tokens.ts';
import { searchOf } from '#shared/search/query.ts';
import type { PageSelection, Store } from '#service/db/port.ts';
import type { EntryOf, Hits, IndexedRange } from '#service/features/reading/queries/search.ts';
import { INSERT_PENDING } from '#service/features/messages/queries/pending-index.ts';
import { searchFileOf } from '#service/db/sqlite/search-file.ts';
import { indexAll, indexBlock } from '#test/support/service/indexing.ts';
import { held, indexedThrough, openSeeded, say, found } from '#test/support/service/searching.ts';
import { connectForTest, openForTest, temporaryFile } from '#test/support/service/store.ts';

const everything: IndexedRange = { from: 1, through: Number.MAX_SAFE_INTEGER };

/** Two on each side. */
async function around(
  store: Store,
  anchor: number,
  wanted: readonly string[],
  unwanted: readonly string[],
): Promise<number[]> {
  const searching = searchOperations(store, yieldToOthers);
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
      if (indexed > 0) await indexBlock(store, file, { messages: indexed });
      const wait = db.prepare(INSERT_PENDING);
      for (const { at, words } of changed) {
        const id = ids[at];
        if (id === undefined) continue;
        db.prepare('UPDATE message SET content = ? WHERE id = ?').run(`${words.join(' ')} .`, id);
        wait.run({ id });
        texts.set(id, words);
      }
      for (const at of deleted) {
        const id = ids[at];
        if (id === undefined) continue;
        db.prepare('DELETE FROM message WHERE id = ?').run(id);
        wait.run({ id });
        texts.delete(id);
      }
      const isWanted = (words: readonly string[]): boolean =>
        hasAll(words, wanted) && !(unwanted.length > 0 && hasAll(words, unwanted));
      const naive = [...texts].filter(([id, words]) => visible.has(id) && isWanted(words));
      const expected = naive.map(([id]) => id);
      const again = [unwanted.join(' ')];
      expect(await found(store, wanted, again)).toEqual(expected);
      await indexAll(store, file);
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
  await indexAll(store, file);
  const tokens = manyWords.split(' ');
  const hits = (direction: 'older' | 'newer', from: number): Promise<Hits> =>
    store.findHits({
      selection: held,
      indexed: everything,
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

test('the index is asked for a single letter and for symbols, unless very many messages have them', async () => {
  const file = temporaryFile();
  const store = await openSeeded(file);
  // Small pages, so that a few messages fill many.
  connectForTest(searchFileOf(file)).exec(
    "INSERT INTO search_index (search_index, rank) VALUES ('pgsz', 32)",
  );
  const letters = Array.from({ length: 60 }, (_, n) => String.fromCodePoint(0x4e_00 + n));
  const common: number[] = [];
  for (const letter of letters) common.push(await say(store, `的${letter}`));
  const rare = await say(store, '夜雨, 夜');
  const plain = await say(store, 'plain 🎉');
  await indexAll(store, file);
  const candidates = async (text: string): Promise<number> => {
    const { wanted } = searchOf([text], []);
    const hits = await store.findHits({
      ...{ selection: held, indexed: everything, direction: 'older' },
      expression: { all: queryClauses(wanted), none: [] },
      ...{ from: Number.MAX_SAFE_INTEGER, floor: 1, limit: 100, span: Number.MAX_SAFE_INTEGER },
    });
    return hits.candidates;
  };
  expect(await candidates('夜')).toBe(1);
  expect(await candidates('🎉')).toBe(1);
  expect(await candidates('的')).toBe(62);
  expect([await found(store, ['夜']), await found(store, ['雨'])]).toEqual([[rare], [rare]]);
  expect(await found(store, ['🎉'])).toEqual([plain]);
  expect(await found(store, ['的'])).toEqual(common);
  expect(await found(store, [letters[7] ?? ''])).toEqual([common[7]]);
});

test('a message that the index has and that waits for it again is one hit', async () => {
  const file = temporaryFile();
  const store = await openSeeded(file);
  const db = connectForTest(file);
  const ids: number[] = [];
  for (let n = 0; n < 3; n += 1) ids.push(await say(store, 'sought'));
  await indexAll(store, file);
  db.prepare(INSERT_PENDING).run({ id: ids[1] });
  const { rows } = await store.findHits({
    selection: held,
    indexed: everything,
    expression: { all: [{ kind: 'any', tokens: ['sought'] }], none: [] },
    ...{ direction: 'older', from: Number.MAX_SAFE_INTEGER, floor: 1 },
    ...{ limit: 100, span: Number.MAX_SAFE_INTEGER },
  });
  expect(rows.map(({ id }) => id)).toEqual(ids.toReversed());
});

test('what is unread is found among many that are, and not looked for below them', async () => {
  const file = temporaryFile();
  const store = await openSeeded(file);
  const ids: number[] = [];
  for (let n = 0; n < 320; n += 1) ids.push(await say(store, n % 40 === 0 ? 'sought' : 'other'));
  await indexAll(store, file);
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
  await indexAll(store, file);
  const [early = 0, before = 0, after = 0, last = 0] = ids;
  expect(await store.findSearchFloor(2)).toBe(1);
  const db = connectForTest(file);
  db.prepare('UPDATE membership SET from_id = ? WHERE account_id = 2').run(before);
  // It is kept, and this is another program's change.
  await expect.poll(() => store.findSearchFloor(2)).toBe(after);
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
    expect(await indexBlock(store, file, { messages: 4 })).toEqual({ settled: [], isBehind: true });
    expect(await store.isSearchBehind()).toBe(true);
    await store.close();
    const again = await openForTest(file);
    expect(indexedThrough(file)).toBe(ids[3]);
    expect(await found(again, ['shared'])).toEqual(ids);
    await indexAll(again, file);
    expect(await again.isSearchBehind()).toBe(false);
    expect(await found(again, ['shared'])).toEqual(ids);
    expect(await found(again, ['word3'])).toEqual([ids[3]]);
  });

  test('indexing leaves nothing of a block that fails, not even words', async () => {
    const file = temporaryFile();
    const store = await openSeeded(file);
    const id = await say(store, 'fine prefixed');
    const later = await say(store, 'bad');
    const entryOf: EntryOf = (row) => {
      if (row.id === later) throw new Error('on purpose');
      return indexEntry(row);
    };
    await expect(indexBlock(store, file, { entryOf })).rejects.toThrow('on purpose');
    expect(await store.isSearchBehind()).toBe(true);
    expect(await store.listSearchWords('pre', 10)).toEqual([]);
    await indexAll(store, file);
    expect(await store.listSearchWords('pre', 10)).toEqual(['prefixed']);
    expect(await found(store, ['pref*'])).toEqual([id]);
  });

  test('what changes while it is being indexed goes on waiting, until the index has it', async () => {
    const file = temporaryFile();
    const store = await openSeeded(file);
    const db = connectForTest(file);
    const change = (id: number, content: string): void => {
      db.prepare('UPDATE message SET content = ? WHERE id = ?').run(content, id);
      db.prepare(INSERT_PENDING).run({ id });
    };
    const id = await say(store, 'first');
    await indexAll(store, file);
    change(id, 'second');
    let changes = 0;
    const entryOf: EntryOf = (row) => {
      if (changes++ === 0) change(id, 'third');
      return indexEntry(row);
    };
    expect((await indexBlock(store, file, { entryOf })).settled).toEqual([[id, 1]]);
    expect(await store.isSearchBehind()).toBe(true);
    expect([await found(store, ['second']), await found(store, ['third'])]).toEqual([[], [id]]);
    expect((await indexBlock(store, file)).settled).toEqual([[id, 2]]);
    expect(await store.isSearchBehind()).toBe(false);
    expect([await found(store, ['second']), await found(store, ['third'])]).toEqual([[], [id]]);
  });

  test('a new message that changes while it is being indexed is found as it is', async () => {
    const file = temporaryFile();
    const store = await openSeeded(file);
    const db = connectForTest(file);
    const id = await say(store, 'first');
    const entryOf: EntryOf = (row) => {
      db.prepare("UPDATE message SET content = 'second' WHERE id = ?").run(id);
      db.prepare(INSERT_PENDING).run({ id });
      return indexEntry(row);
    };
    await indexBlock(store, file, { entryOf });
    expect([await found(store, ['first']), await found(store, ['second'])]).toEqual([[], [id]]);
    await indexAll(store, file);
    expect(await store.isSearchBehind()).toBe(false);
    expect([await found(store, ['first']), await found(store, ['second'])]).toEqual([[], [id]]);
  });

  test('segments are merged until there is nothing to merge', async () => {
    const file = temporaryFile();
    const store = await openSeeded(file);
    for (let n = 0; n < 12; n += 1) {
      await say(store, `text ${n}`);
      await indexBlock(store, file, { messages: 1 });
    }
    const segments = connectForTest(searchFileOf(file))
      .prepare('SELECT COUNT(DISTINCT segid) FROM search_index_idx')
      .pluck();
    expect(segments.get()).toBe(12);
    await indexAll(store, file);
    expect(segments.get()).toBeLessThan(4);
    expect(await found(store, ['text'])).toHaveLength(12);
  });
});

describe('the file of the index', () => {
  /** A store that was closed again, with two messages in the index. */
  async function closedOffice(): Promise<{ file: string; ids: readonly number[] }> {
    const file = temporaryFile();
    const store = await openSeeded(file);
    const ids = [await say(store, 'apple sought'), await say(store, 'berry sought')];
    await indexAll(store, file);
    await store.close();
    return { file, ids };
  }

  test('an index is kept from one start to the next, also where the last one got half way', async () => {
    const { file, ids } = await closedOffice();
    await (await openForTest(file)).close();
    expect(indexedThrough(file)).toBe(ids[1]);
    // As if the process had ended before the database had the key too.
    const owner = connectForTest(searchFileOf(file));
    owner.exec("UPDATE search_owner SET previous = key, key = 'next'");
    const store = await openForTest(file);
    expect(indexedThrough(file)).toBe(ids[1]);
    expect(await found(store, ['sought'])).toEqual(ids);
  });

  function zeroFrom(file: string, offset: number): void {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0, offset));
  }

  const spoilt: readonly (readonly [string, (file: string) => void])[] = [
    ['missing', (file) => rmSync(searchFileOf(file))],
    ['empty', (file) => writeFileSync(searchFileOf(file), '')],
    ['damaged in the middle', (file) => zeroFrom(searchFileOf(file), 4096)],
    ['no database', (file) => writeFileSync(searchFileOf(file), 'nothing '.repeat(2000))],
    [
      'without its tables',
      (file) => connectForTest(searchFileOf(file)).exec('DROP TABLE search_progress'),
    ],
    [
      'of another format',
      (file) => void connectForTest(searchFileOf(file)).pragma('user_version = 99'),
    ],
    [
      'of another database',
      (file) =>
        connectForTest(searchFileOf(file)).exec(
          "UPDATE search_owner SET key = 'x', previous = 'y'",
        ),
    ],
    [
      'ahead of the database',
      (file) =>
        connectForTest(searchFileOf(file)).exec('UPDATE search_progress SET indexed_through = 99'),
    ],
  ];

  test.for(spoilt)('an index that is %s is made anew', async ([, spoil]) => {
    const { file, ids } = await closedOffice();
    spoil(file);
    const store = await openForTest(file);
    expect(await store.findIndexedRange()).toEqual({ from: 3, through: 2 });
    expect(await store.isSearchBehind()).toBe(true);
    expect(await found(store, ['sought'])).toEqual([]);
    await indexAll(store, file);
    expect(await store.findIndexedRange()).toEqual({ from: 1, through: 2 });
    expect(await store.isSearchBehind()).toBe(false);
    expect(await found(store, ['sought'])).toEqual(ids);
    expect(await found(store, ['app*'])).toEqual([ids[0]]);
  });

  test('an index that cannot be written is named', async () => {
    const { file } = await closedOffice();
    rmSync(searchFileOf(file));
    mkdirSync(searchFileOf(file));
    await expect(openForTest(file)).rejects.toThrow(
      `The database ${searchFileOf(file)} cannot be written.`,
    );
    rmdirSync(searchFileOf(file));
    await openForTest(file);
  });

  test('a database of before that is put in place is searched as it is', async () => {
    const { file, ids } = await closedOffice();
    const before = `${file}.before`;
    copyFileSync(file, before);
    const store = await openForTest(file);
    connectForTest(file).prepare("UPDATE message SET content = 'cedar' WHERE id = ?").run(ids[0]);
    connectForTest(file).prepare(INSERT_PENDING).run({ id: ids[0] });
    await indexAll(store, file);
    await store.close();
    copyFileSync(before, file);
    const again = await openForTest(file);
    await indexAll(again, file);
    expect([await found(again, ['apple']), await found(again, ['cedar'])]).toEqual([[ids[0]], []]);
  });

  test.skipIf(process.platform === 'win32')('nobody else may read it', async () => {
    const { file } = await closedOffice();
    const store = await openForTest(file);
    await indexAll(store, file);
    const names = readdirSync(dirname(file)).filter((name) => name.includes('-search'));
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect(statSync(join(dirname(file), name)).mode & 0o077).toBe(0);
  });
});
