import {
  readFileSync,
  closeSync,
  existsSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SearchIndexer } from '#service/features/reading/operations/search-indexer.ts';
import { recipientToken } from '#shared/search/place-tokens.ts';
import { createIndexing } from '#hosting/indexing.ts';
import { entryFile } from '#node/files/app-files.ts';
import type { Store } from '#service/db/port.ts';
import { nextSearchFileOf, searchFileOf } from '#service/db/sqlite/search-file.ts';
import { FakeClock } from '#test/support/fake-clock.ts';
import { indexAll, indexBlock, indexingHere } from '#test/support/service/indexing.ts';
import { indexedThrough, openSeeded, say, found } from '#test/support/service/searching.ts';
import {
  connectForTest,
  newMessage,
  openForTest,
  temporaryDir,
  temporaryFile,
} from '#test/support/service/store.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe('the indexer', () => {
  async function openIndexer(
    store: Store,
    file: string,
    indexing = indexingHere(file),
  ): Promise<{ clock: FakeClock; indexer: SearchIndexer }> {
    const clock = new FakeClock();
    const indexer = new SearchIndexer({ store, indexing, clock, log: silent });
    store.onCommit((events) => {
      indexer.note(events);
    });
    store.onIndexDamage(() => indexer.mend());
    const starting = indexer.start();
    await clock.advance(0);
    await starting;
    return { clock, indexer };
  }
  const wait = async (clock: FakeClock, store: Store): Promise<void> => {
    for (let n = 0; n < 150 && (await store.isSearchBehind()); n += 1) await clock.advance(20);
  };

  test('the indexer indexes what the process before it left, then what is sent, within two seconds', async () => {
    const file = temporaryFile();
    const store = await openSeeded(file);
    await say(store, 'left behind');
    const { clock, indexer } = await openIndexer(store, file);
    await wait(clock, store);
    expect(await store.isSearchBehind()).toBe(false);
    await say(store, 'new');
    expect(await store.isSearchBehind()).toBe(true);
    await wait(clock, store);
    expect(await store.isSearchBehind()).toBe(false);
    await indexer.stop();
  });

  test('the indexer indexes what is committed while it does', async () => {
    const file = temporaryFile();
    const store = await openSeeded(file);
    const here = indexingHere(file);
    let isFirst = true;
    const { clock, indexer } = await openIndexer(store, file, {
      ...here,
      async index() {
        const block = await here.index();
        if (isFirst) await say(store, 'meanwhile');
        isFirst = false;
        return block;
      },
    });
    await say(store, 'before');
    await wait(clock, store);
    expect(await store.isSearchBehind()).toBe(false);
    expect(isFirst).toBe(false);
    await indexer.stop();
  });

  test('the indexer lets its thread rest once nothing is sent for a while, and not before', async () => {
    const file = temporaryFile();
    const store = await openSeeded(file);
    const done: string[] = [];
    const here = indexingHere(file);
    const { clock, indexer } = await openIndexer(store, file, {
      index: () => (done.push('index'), here.index()),
      rest: async () => void done.push('rest'),
    });
    await clock.advance(60_000);
    expect(done).toEqual([]);
    await say(store, 'text');
    await clock.advance(20_000);
    await say(store, 'text');
    await clock.advance(20_000);
    expect(done).toEqual(['index', 'index']);
    await clock.advance(60_000);
    expect(done).toEqual(['index', 'index', 'rest']);
    await say(store, 'text');
    await clock.advance(2000);
    expect(done).toEqual(['index', 'index', 'rest', 'index']);
    await indexer.stop();
    expect(done.at(-1)).toBe('rest');
  });

  test('an index of another form answers until that of now is whole, and what changes meanwhile is found', async () => {
    const file = temporaryFile();
    const before = await openSeeded(file);
    const ids: number[] = [];
    for (const text of ['apple sought', 'berry 東京都', 'cedar sought'])
      ids.push(await say(before, text));
    await indexAll(before, file);
    await before.close();
    const [apple = 0, berry = 0, cedar = 0] = ids;
    // Of words in plain letters it knows what it has, and nothing of others.
    connectForTest(searchFileOf(file)).exec(`PRAGMA user_version = 1;
      DELETE FROM search_index WHERE rowid IN (${String(berry)}, ${String(cedar)});
      INSERT INTO search_index (rowid, tokens) VALUES (${String(berry)}, 'berri 東京 ${recipientToken(1)}')`);
    let store = await openForTest(file);
    const answers = async (): Promise<readonly (readonly number[])[]> => [
      await found(store, ['sought']),
      await found(store, ['京都']),
      await found(store, ['都*']),
      await found(store, [], ['sought']),
    ];
    // The cedar is not in the old one.
    const old = [[apple], [berry], [berry], [berry]];
    expect(await answers()).toEqual(old);
    expect(await indexBlock(store, file, { messages: 2 })).toEqual({ settled: [], isBehind: true });
    expect(await answers()).toEqual(old);
    await store.close();
    store = await openForTest(file);
    expect(await answers()).toEqual(old);
    await store.change((tx) =>
      tx.editMessage({
        ...{ messageId: apple, editorId: 1, editedAt: 1, move: null },
        content: newMessage({ content: 'elder' }),
      }),
    );
    const elder = await say(store, 'elder sought');
    expect([await found(store, ['sought']), await found(store, ['elder'])]).toEqual([
      [elder],
      [apple, elder],
    ]);
    const { clock, indexer } = await openIndexer(store, file);
    await wait(clock, store);
    await indexer.stop();
    expect(existsSync(nextSearchFileOf(file))).toBe(false);
    expect(await answers()).toEqual([[cedar, elder], [berry], [berry], [apple, berry]]);
    expect(await found(store, ['elder'])).toEqual([apple, elder]);
    await store.close();
    store = await openForTest(file);
    expect(indexedThrough(file)).toBe(elder);
    expect(await store.isSearchBehind()).toBe(false);
  });

  test('an index of the form before, which knows more letters and no symbols, answers until that of now is whole', async () => {
    const file = temporaryFile();
    const before = await openSeeded(file);
    const ids: number[] = [];
    for (const text of ['東京都 🎉', '京都', 'apple']) ids.push(await say(before, text));
    await indexAll(before, file);
    await before.close();
    const [tokyo = 0, kyoto = 0] = ids;
    // Of what it is asked for it alone is looked at: it lacks one of them.
    connectForTest(searchFileOf(file)).exec(`PRAGMA user_version = 2;
      ALTER TABLE search_progress DROP COLUMN indexed_from;
      DELETE FROM search_index WHERE rowid IN (${String(tokyo)}, ${String(kyoto)});
      INSERT INTO search_index (rowid, tokens)
        VALUES (${String(tokyo)}, '東 京 都 東京 京都 ${recipientToken(1)}')`);
    const store = await openForTest(file);
    const answers = async (): Promise<readonly (readonly number[])[]> => [
      await found(store, ['京']),
      await found(store, ['京都']),
      await found(store, ['🎉']),
    ];
    expect(await answers()).toEqual([[tokyo], [tokyo], [tokyo]]);
    const { clock, indexer } = await openIndexer(store, file);
    await wait(clock, store);
    await indexer.stop();
    expect(await answers()).toEqual([[tokyo, kyoto], [tokyo, kyoto], [tokyo]]);
    expect(existsSync(nextSearchFileOf(file))).toBe(false);
  });

  test('an index of a new form that was whole when the process ended takes the place of the old one', async () => {
    const file = temporaryFile();
    const before = await openSeeded(file);
    const id = await say(before, 'sought');
    await indexAll(before, file);
    await before.close();
    // Ended where the old one was gone, and the new one was not in its place.
    renameSync(searchFileOf(file), nextSearchFileOf(file));
    const store = await openForTest(file);
    expect([indexedThrough(file), await found(store, ['sought'])]).toEqual([id, [id]]);
    expect(existsSync(nextSearchFileOf(file))).toBe(false);
  });

  /** An index with two messages, and what damages it behind the back of whoever has it open and has read nothing of it yet. */
  async function openFragile() {
    const file = temporaryFile();
    const before = await openSeeded(file);
    const ids: number[] = [];
    for (const word of ['apple', 'berry']) ids.push(await say(before, `${word} sought`));
    await indexAll(before, file);
    await before.close();
    const store = await openForTest(file);
    const damage = (): void => {
      const search = searchFileOf(file);
      connectForTest(search).pragma('wal_checkpoint(TRUNCATE)');
      // All but the page that was read when it was opened; in place, because it is open.
      const opened = openSync(search, 'r+');
      writeSync(opened, Buffer.alloc(statSync(search).size - 4096, 0xff), 0, undefined, 4096);
      closeSync(opened);
    };
    return { file, store, ids, damage };
  }

  test('an index that is damaged while it is in use is made anew by the first search that meets it', async () => {
    const { file, store, ids, damage } = await openFragile();
    damage();
    await expect(found(store, ['sought'])).rejects.toThrow('malformed');
    const { clock, indexer } = await openIndexer(store, file);
    // Nothing is in the index by then, or all of it.
    const searching = [found(store, ['sought']), found(store, ['app*'])];
    await clock.advance(0);
    expect(await Promise.all(searching)).toEqual([ids, [ids[0]]]);
    await wait(clock, store);
    expect(indexedThrough(file)).toBe(ids[1]);
    expect(await found(store, ['sought'])).toEqual(ids);
    await indexer.stop();
  });

  test('an index that is damaged again at once is made anew an hour later, and searches say so until then', async () => {
    const { file, store, ids, damage } = await openFragile();
    damage();
    const { clock, indexer } = await openIndexer(store, file);
    const searchWhile = async (): Promise<unknown> => {
      const searching = found(store, ['sought']).catch(String);
      await clock.advance(1000);
      return searching;
    };
    expect(await searchWhile()).toEqual(ids);
    await wait(clock, store);
    damage();
    expect(await searchWhile()).toMatch('malformed');
    await clock.advance(59 * 60_000);
    expect(await searchWhile()).toMatch('malformed');
    await clock.advance(60_000);
    expect(await searchWhile()).toEqual(ids);
    await indexer.stop();
  });

  test('everything else starts where an index is damaged that cannot be made anew', async () => {
    const { file, store, ids, damage } = await openFragile();
    damage();
    let isFull = true;
    const { clock, indexer } = await openIndexer(
      {
        ...store,
        remakeIndex: () => (isFull ? Promise.reject(new Error('disk full')) : store.remakeIndex()),
      },
      file,
    );
    isFull = false;
    await clock.advance(10_000);
    expect(indexedThrough(file)).toBe(ids[1]);
    expect(await found(store, ['sought'])).toEqual(ids);
    await indexer.stop();
  });

  test('an index that its thread finds damaged is made anew, and again where that fails', async () => {
    const { file, store, ids, damage } = await openFragile();
    const indexing = createIndexing(entryFile('indexing-worker'), file);
    let failures = 1;
    const brittle: Store = {
      ...store,
      remakeIndex: () =>
        failures-- > 0 ? Promise.reject(new Error('disk full')) : store.remakeIndex(),
    };
    const { clock, indexer } = await openIndexer(brittle, file, indexing);
    damage();
    ids.push(await say(store, 'cedar sought'));
    await expect
      .poll(async () => {
        await clock.advance(1000);
        return indexedThrough(file);
      })
      .toBe(ids[2]);
    expect(failures).toBe(-1);
    expect(await found(store, ['sought'])).toEqual(ids);
    await indexer.stop();
  });

  test('the indexer tries again after each failure, less and less often, and does nothing once it is stopped', async () => {
    const file = temporaryFile();
    const store = await openSeeded(file);
    const here = indexingHere(file);
    let failures = 6;
    const triedAtMs: number[] = [];
    await say(store, 'text');
    const { clock, indexer } = await openIndexer(store, file, {
      ...here,
      index: () => {
        triedAtMs.push(clock.now());
        return failures-- > 0 ? Promise.reject(new Error('disk')) : here.index();
      },
    });
    const pauses = (): readonly number[] =>
      triedAtMs.slice(1).map((atMs, index) => (atMs - (triedAtMs[index] ?? 0)) / 1000);
    await clock.advance(150_000);
    expect(pauses()).toEqual([5, 10, 20, 40, 60]);
    expect(await store.isSearchBehind()).toBe(true);
    await clock.advance(60_000);
    await wait(clock, store);
    expect(await store.isSearchBehind()).toBe(false);
    // What went well makes the pause short again.
    failures = 1;
    triedAtMs.length = 0;
    await say(store, 'later');
    await clock.advance(6000);
    await wait(clock, store);
    expect(pauses()).toEqual([5]);
    await indexer.stop();
    await say(store, 'late');
    await clock.advance(10_000);
    expect(await store.isSearchBehind()).toBe(true);
  });
});

describe('the thread of the index', () => {
  const workerFile = entryFile('indexing-worker');

  test('the thread writes the index, ends, and begins again when it is asked', async () => {
    const file = temporaryFile();
    const store = await openSeeded(file);
    const indexing = createIndexing(workerFile, file);
    const ids: number[] = [];
    for (const text of ['apple', 'berry']) {
      ids.push(await say(store, `${text} sought`));
      expect(await indexing.index()).toEqual({ settled: [], isBehind: false });
      expect(indexedThrough(file)).toBe(ids.at(-1));
      expect(await found(store, ['sought'])).toEqual(ids);
      await indexing.rest();
    }
    await indexing.rest();
  });

  test('the thread copies the log of the database into its file, whatever else it is asked meanwhile', async () => {
    const file = temporaryFile();
    const store = await openSeeded(file);
    const indexing = createIndexing(workerFile, file);
    await say(store, 'in the log alone');
    const isInFile = (): boolean => readFileSync(file).includes('in the log alone');
    expect(isInFile()).toBe(false);
    const [first, , second] = await Promise.all([
      indexing.index(),
      indexing.copyLog?.(),
      indexing.index(),
    ]);
    expect(isInFile()).toBe(true);
    expect([first, second]).toMatchObject([{ settled: [] }, { settled: [], isBehind: false }]);
    await indexing.rest();
  });

  test('a thread that cannot open the index says why, and the next one may', async () => {
    const file = temporaryFile();
    const store = await openSeeded(file);
    await say(store, 'text');
    const search = searchFileOf(file);
    renameSync(search, `${search}.away`);
    const indexing = createIndexing(workerFile, file);
    await expect(indexing.index()).rejects.toThrow('unable to open database file');
    renameSync(`${search}.away`, search);
    expect(await indexing.index()).toEqual({ settled: [], isBehind: false });
    await indexing.rest();
  });

  test('a thread that ends while nobody asks ends nothing else, and the next one who asks gets another', async () => {
    const dir = temporaryDir();
    const brittle = join(dir, 'brittle.mjs');
    const [go, gone] = [join(dir, 'go'), join(dir, 'gone')];
    writeFileSync(
      brittle,
      `import { existsSync, renameSync } from 'node:fs';
      import { parentPort } from 'node:worker_threads';
      const [go, gone] = ${JSON.stringify([go, gone])};
      const looking = setInterval(() => {
        if (!existsSync(go)) return;
        renameSync(go, gone);
        throw new Error('on purpose');
      }, 5);
      parentPort.on('message', (wanted) => {
        if (wanted === 'index') return parentPort.postMessage({ settled: [], isBehind: false });
        clearInterval(looking);
        parentPort.close();
      });`,
    );
    const indexing = createIndexing(brittle, temporaryFile());
    const answer = { settled: [], isBehind: false };
    expect(await indexing.index()).toEqual(answer);
    writeFileSync(go, '');
    await expect.poll(() => existsSync(gone)).toBe(true);
    await expect.poll(() => indexing.index().catch(String)).toEqual(answer);
    await indexing.rest();
  });
});
