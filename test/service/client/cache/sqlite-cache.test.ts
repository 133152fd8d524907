import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Cache, CacheError } from '#client/cache/port.ts';
import { createAccountStorage, accountFolder } from '#desktop/storage/account-storage.ts';
import { openSqliteCache } from '#desktop/storage/cache/sqlite-cache.ts';
import { NEWEST_ANCHOR } from '#shared/api/codecs.ts';
import { RANKED_HITS } from '#shared/search/rank.ts';
import { projectDir } from '#scripts/project-dir.ts';
import { cachedMessageOf, cacheScope } from '#test/support/client/kept-messages.ts';

const writer = join(projectDir, 'test/support/client/cache-writer.ts');
const held = { kind: 'held' } as const;
const position = { queueId: 'q', lastEventId: 5, newestMessageId: 50, liveUntilSeconds: 9 };
const newest = { narrow: [], anchor: 'newest', numBefore: 100, numAfter: 0 } as const;
const search = (operand: string) => ({ ...newest, narrow: [{ operator: 'search', operand }] });

let dir: string;
let file: string;
let opened: Cache[];
let connections: Database.Database[];

function open(maxPages: number | null = null): { cache: Cache; problem: string | null } {
  const found = openSqliteCache(file, maxPages);
  opened.push(found.cache);
  return found;
}

function connect(): Database.Database {
  const db = new Database(file);
  connections.push(db);
  return db;
}

const messagesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => cachedMessageOf(index + 1));

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hearth-cache-'));
  file = join(dir, 'account', 'cache.db');
  opened = [];
  connections = [];
});
afterEach(() => {
  for (const each of [...opened, ...connections]) each.close();
  rmSync(dir, { recursive: true });
});

function errorOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('the file', () => {
  test('the cache file is for its owner alone [sqlite-cache.file-owner]', () => {
    const { cache, problem } = open();
    cache.put(messagesOf(3));
    expect(problem).toBeNull();
    expect(statSync(join(dir, 'account')).mode & 0o777).toBe(0o700);
    for (const end of ['', '-wal', '-shm']) {
      expect(statSync(`${file}${end}`).mode & 0o777).toBe(0o600);
    }
  });

  test('the cache file has everything when it is opened again', () => {
    const { cache } = open();
    cache.putRange(held, messagesOf(20), { fromId: 0, throughId: Infinity });
    cache.saveSession(position, { realm: { name: 'x' }, gone: 1 });
    cache.saveSession(position, { gone: undefined, other: [2] });
    cache.putFile('/a.png', 'image/png', new Uint8Array([1, 2, 3]));
    const before = cache.page(newest, cacheScope());
    cache.returnMemory();
    expect(cache.page(newest, cacheScope())).toEqual(before);
    cache.close();
    cache.returnMemory();
    const again = open();
    expect(again.problem).toBeNull();
    expect(again.cache.loadSession()).toEqual({
      position,
      slices: { realm: { name: 'x' }, other: [2] },
    });
    expect(again.cache.page(newest, cacheScope())).toEqual(before);
    expect(before).toMatchObject({ isComplete: true, found_oldest: true });
    expect(again.cache.findFile('/a.png')).toEqual({
      type: 'image/png',
      bytes: new Uint8Array([1, 2, 3]),
    });
    expect(again.cache.findFile('/b.png')).toBeNull();
  });

  test.each<readonly [string, () => void]>([
    [
      'is no database',
      () => {
        writeFileSync(file, 'no database at all, but text');
      },
    ],
    [
      'is cut off',
      () => {
        truncateSync(file, Math.floor(statSync(file).size / 2));
      },
    ],
    [
      'is of another application',
      () => {
        rmSync(file);
        const db = new Database(file);
        db.exec('CREATE TABLE theirs (id)');
        db.close();
      },
    ],
    [
      'has pages that are overwritten',
      () => {
        const bytes = readFileSync(file);
        bytes.fill(0x5a, 4096 * 3, 4096 * 12);
        writeFileSync(file, bytes);
      },
    ],
    [
      'lacks a table',
      () => {
        const db = new Database(file);
        db.exec('DROP TABLE total');
        db.close();
      },
    ],
  ])('a cache file that %s is moved aside, and the person is told', (_what, damage) => {
    const { cache } = open();
    cache.put(messagesOf(300));
    cache.close();
    damage();
    const damaged = readFileSync(file);
    const again = open();
    expect(again.problem).toMatch(/^The messages .* were damaged; .*cache\.db\.damaged\.$/);
    expect(readFileSync(`${file}.damaged`)).toHaveLength(damaged.length);
    expect(again.cache.size()).toMatchObject({ messages: 0, bytes: 0 });
    again.cache.put(messagesOf(2));
    expect(again.cache.find([1, 2])).toHaveLength(2);
  });

  test('a cache file in which damage is met later is made anew the next time', () => {
    const { cache } = open();
    cache.put(messagesOf(3));
    const other = new Database(file);
    other.exec('DROP TABLE body');
    other.close();
    expect(errorOf(() => cache.find([1]))).toMatchObject({ name: 'CacheError', code: 'DAMAGED' });
    cache.close();
    const again = open();
    expect(again.problem).toMatch(/damaged/);
    again.cache.put(messagesOf(3));
    again.cache.close();
    expect(open().problem).toBeNull();
  });

  test.for([
    ['of another form', 'DROP TABLE search_index; DROP TABLE search_word; DROP TABLE search_state'],
    ['that the version before wrote', 'PRAGMA user_version = 3'],
  ] as const)(
    'an index %s is made anew, and what it has come to is found meanwhile',
    async ([, change]) => {
      const indexed = (): unknown =>
        connect()
          .prepare("SELECT COUNT(*) FROM search_index WHERE search_index MATCH 'text'")
          .pluck()
          .get();
      const unindexed = (): unknown =>
        connect().prepare('SELECT unindexed_through FROM search_state').pluck().get();
      let { cache } = open();
      cache.put(messagesOf(250));
      cache.close();
      connect().exec(change);
      ({ cache } = open());
      expect([indexed(), unindexed()]).toEqual([0, 250]);
      cache.put([cachedMessageOf(100, { text: 'text again' }), cachedMessageOf(251)]);
      const page = (operand: string, more = {}) =>
        cache.page({ ...search(operand), ...more }, cacheScope());
      const found = (operand: string, more = {}): readonly number[] =>
        page(operand, more).messages.map(({ id }) => id);
      const idsFrom = (from: number): readonly number[] =>
        Array.from({ length: 252 - from }, (_, at) => from + at);
      expect(page('again')).toMatchObject({ messages: [], found_oldest: false, indexed_from: 251 });
      expect(found('text', { anchor: 249, numBefore: 1, numAfter: 2 })).toEqual([249, 251]);
      expect(found('text', { anchor: 0, numBefore: 0, numAfter: 300 })).toEqual([251]);
      expect(page('text', { order: 'relevance' })).toMatchObject({ indexed_from: 251 });
      expect(page('text', { numBefore: 0 })).not.toHaveProperty('indexed_from');
      const expectPart = (): void => {
        const { indexed_from: from = 1 } = page('tex*', { numBefore: 300 });
        expect(found('tex*', { numBefore: 300 })).toEqual(idsFrom(from));
        expect(found('again')).toEqual(from <= 100 ? [100] : []);
      };
      const expectFound = (): void => {
        expect(found('again')).toEqual([100]);
        expect(found('text', { numBefore: 2 })).toEqual([250, 251]);
        expect(found('text', { anchor: 249, numBefore: 1, numAfter: 2 })).toEqual([
          248, 249, 250, 251,
        ]);
        expect(found('text', { anchor: 0, numBefore: 0, numAfter: 300 })).toHaveLength(251);
      };
      expectPart();
      await expect.poll(unindexed).toBeLessThan(250);
      expectPart();
      await expect.poll(unindexed).toBe(0);
      expectPart();
      expect(indexed()).toBe(251);
      expectFound();
    },
  );

  test('a cache file of another version is thrown away without a word', () => {
    const { cache } = open();
    cache.put(messagesOf(3));
    cache.saveSession(position, {});
    cache.close();
    const db = new Database(file);
    db.pragma('user_version = 99');
    db.close();
    const again = open();
    expect(again.problem).toBeNull();
    expect(again.cache.loadSession()).toBeNull();
    expect(existsSync(`${file}.damaged`)).toBe(false);
  });

  test('a cache file that cannot be made is an error with a sentence', () => {
    writeFileSync(join(dir, 'account'), '');
    const error = errorOf(() => open());
    expect(error).toBeInstanceOf(CacheError);
    expect(error).toMatchObject({ code: 'UNAVAILABLE', message: expect.stringMatching(/\.$/) });
  });
});

describe('writing', () => {
  test('all of a transaction is there, or nothing of it', () => {
    const { cache } = open();
    cache.putRange(held, messagesOf(5), { fromId: 0, throughId: Infinity });
    expect(() =>
      cache.transact(() => {
        cache.put([cachedMessageOf(6, { text: 'halfway' })]);
        cache.saveSession(position, { a: 1 });
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(cache.find([6])).toEqual([]);
    expect(cache.loadSession()).toBeNull();
    expect(cache.page(search('halfway'), cacheScope()).messages).toEqual([]);
    // What was to be kept is not: nobody may be told that all is here.
    expect(cache.coveredFrom(held)).toBeNull();
    expect(cache.page(newest, cacheScope()).isComplete).toBe(false);
    cache.put([cachedMessageOf(6, { text: 'halfway' })]);
    expect(cache.page(search('halfway'), cacheScope())).toMatchObject({
      messages: [{ id: 6, match_content: '<p><span class="highlight">halfway</span></p>' }],
      isComplete: false,
    });
  });

  test('a part that fails makes all of it fail, whoever catches that', () => {
    const { cache } = open();
    cache.put([cachedMessageOf(1)]);
    expect(() => {
      cache.transact(() => {
        cache.put([cachedMessageOf(2)]);
        errorOf(() =>
          cache.transact(() => {
            cache.put([cachedMessageOf(3)]);
            throw new Error('no');
          }),
        );
        cache.put([cachedMessageOf(4)]);
      });
    }).toThrow();
    expect(cache.find([1, 2, 3, 4]).map(({ id }) => id)).toEqual([1]);
    cache.put([cachedMessageOf(4)]);
    expect(cache.find([4])).toHaveLength(1);
  });

  test('writing on a full disk fails with a sentence, and what is there stays', () => {
    const { cache } = open(120);
    cache.putRange(held, messagesOf(5), { fromId: 0, throughId: Infinity });
    let error: unknown;
    let count = 0;
    while (error === undefined && count < 1000) {
      count += 1;
      const text = `${String(count)} `.repeat(2000);
      error = errorOf(() => {
        cache.put([cachedMessageOf(100 + count, { text })]);
      });
    }
    expect(error).toMatchObject({ name: 'CacheError', code: 'DISK_FULL' });
    expect(String(error)).toMatch(/The disk is full: .*\.$/);
    expect(cache.find([1, 2, 3, 4, 5])).toHaveLength(5);
    expect(cache.find([100 + count])).toEqual([]);
    expect(cache.page(newest, cacheScope()).isComplete).toBe(false);
  });

  test('writing is never half done where the process is killed', async () => {
    for (let round = 0; round < 3; round += 1) {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', writer, file],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      const ended = once(child, 'close');
      for (let lines = 0; lines < 3 + round; lines += 1) await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await ended;
      const { cache, problem } = open();
      expect(problem).toBeNull();
      const session = cache.loadSession();
      const newestId = session?.position.newestMessageId ?? 0;
      expect(newestId).toBeGreaterThan(0);
      expect(session?.slices).toEqual({ count: newestId });
      expect(cache.size().messages).toBe(newestId);
      const starred = { ...newest, narrow: [{ operator: 'is', operand: 'starred' }] };
      expect(cache.page(starred, cacheScope()).messages.at(-1)?.id).toBe(newestId);
      expect(cache.page(search(`text ${String(newestId)}`), cacheScope()).messages).toHaveLength(1);
      cache.close();
      rmSync(file);
    }
  });
});

describe('the size', () => {
  test('the size of a cache is that of what is kept, and nothing of it stays when all is removed', () => {
    const { cache } = open();
    cache.put(messagesOf(100));
    const { bytes } = cache.size();
    cache.put([cachedMessageOf(1, { text: 'longer '.repeat(500) })]);
    expect(cache.size().bytes).toBeGreaterThan(bytes + 7000);
    cache.put(messagesOf(100));
    cache.putFile('/a', 'text/plain', new Uint8Array(1000));
    cache.putFile('/a', 'text/plain', new Uint8Array(500));
    expect(cache.size()).toMatchObject({ messages: 100, bytes: bytes + 500 });
    cache.clear();
    expect(cache.size()).toEqual({ messages: 0, bytes: 0, completeSinceSeconds: null });
    cache.put(messagesOf(10));
    expect(cache.page(search('text'), cacheScope()).messages).toHaveLength(10);
  });

  test('a cache shrinks by the files that were used least lately, then by the oldest messages', () => {
    const { cache } = open();
    cache.putRange(held, messagesOf(500), { fromId: 0, throughId: Infinity });
    const { bytes } = cache.size();
    for (const url of ['/1', '/2', '/3']) cache.putFile(url, 'x', new Uint8Array(10_000));
    cache.findFile('/1');
    while (!cache.shrinkTo(bytes + 20_000));
    expect(['/1', '/2', '/3'].map((url) => cache.findFile(url) !== null)).toEqual([
      true,
      false,
      true,
    ]);
    while (!cache.shrinkTo(bytes / 2));
    const { messages } = cache.page({ ...newest, numBefore: 1000 }, cacheScope());
    const oldestId = messages[0]?.id ?? 0;
    expect(cache.size().bytes).toBeLessThanOrEqual(bytes / 2);
    expect(cache.size().bytes).toBeGreaterThan(bytes / 2 - 2000);
    expect(messages.map(({ id }) => id)).toEqual(
      Array.from({ length: 501 - oldestId }, (_, index) => oldestId + index),
    );
    expect(cache.coveredFrom(held)).toBe(oldestId);
    expect(cache.size().completeSinceSeconds).toBe(messages[0]?.timestamp);
    expect(cache.page({ ...newest, numBefore: 1000 }, cacheScope()).isComplete).toBe(false);
    expect(cache.page({ ...newest, numBefore: 10 }, cacheScope()).isComplete).toBe(true);
    expect(cache.page(search(`text ${String(oldestId - 1)}`), cacheScope()).messages).toEqual([]);
  });
});

describe('hits in the order of relevance', () => {
  test('hits by relevance are those of the newest messages that the cache has, and it says what may be missing', () => {
    const { cache } = open();
    const text = (id: number): string =>
      id === 5 ? 'tea' : id === 900 ? 'tea tea' : `tea ${id} or`;
    const messages = Array.from({ length: RANKED_HITS + 10 }, (_, index) =>
      cachedMessageOf(index + 1, { text: text(index + 1) }),
    );
    const ranked = { ...search('tea'), numBefore: 3, order: 'relevance' } as const;
    const found = (): unknown => {
      const { messages: hits, ...rest } = cache.page(ranked, cacheScope());
      return { ...rest, ids: hits.map(({ id }) => id) };
    };
    const whole = {
      anchor: NEWEST_ANCHOR,
      found_anchor: false,
      found_oldest: false,
      found_newest: true,
      isComplete: true,
      isOwnComplete: true,
    };
    const partial = { isComplete: false, isOwnComplete: false };
    cache.put(messages);
    expect(found()).toEqual({ ...whole, ...partial, ids: [900, 1010, 1009] });
    const newestOnes = messages.slice(-RANKED_HITS);
    cache.putRange(held, newestOnes, { fromId: newestOnes[0]?.id ?? 0, throughId: Infinity });
    expect(found()).toEqual({ ...whole, ids: [900, 1010, 1009] });
    cache.putRange(held, messages.slice(0, 10), { fromId: 0, throughId: 10 });
    const few = { ...ranked, narrow: [...ranked.narrow, { operator: 'id', operand: 5 }] };
    expect(cache.page(few, cacheScope())).toMatchObject({ found_oldest: true, isComplete: true });
  });
});

describe('messages without their source', () => {
  test('messages without their source are found by the text that they show', () => {
    const { cache } = open();
    const { source: _source, ...message } = cachedMessageOf(1, {
      text: 'see <strong>bo</strong>ld &amp; <a href="https://example.com">there</a>',
    });
    cache.put([message]);
    const ids = (query: Parameters<Cache['page']>[0]): readonly number[] =>
      cache.page(query, cacheScope()).messages.map(({ id }) => id);
    expect(ids(search('bold'))).toEqual([1]);
    expect(ids(search('strong'))).toEqual([]);
    expect(ids({ ...newest, narrow: [{ operator: 'has', operand: 'link' }] })).toEqual([1]);
  });
});

describe('lists', () => {
  test('name conversations and topics by their newest message', () => {
    const { cache } = open();
    cache.put([
      cachedMessageOf(1, { topic: 'Lunch' }),
      cachedMessageOf(2, { streamId: null, text: 'hi &amp; bye' }),
      cachedMessageOf(3, { topic: 'lunch' }),
      cachedMessageOf(4, { topic: 'other', isHeld: false }),
      cachedMessageOf(5, { streamId: 2, topic: 'lunch' }),
      cachedMessageOf(6, { streamId: 3, topic: 'elsewhere', isHeld: false }),
      cachedMessageOf(7, { streamId: 3, topic: 'copied' }),
    ]);
    const scope = { ...cacheScope(), ownUserId: 1 };
    expect(cache.recent(10, scope)).toMatchObject([
      { conversation: { kind: 'stream', streamId: 3, topic: 'copied' }, newestMessageId: 7 },
      { conversation: { kind: 'stream', streamId: 2, topic: 'lunch' }, newestMessageId: 5 },
      { conversation: { streamId: 1, topic: 'other' }, newestMessageId: 4 },
      { conversation: { streamId: 1, topic: 'lunch' }, newestMessageId: 3, isParticipant: true },
      { conversation: { kind: 'private', userIds: [2] }, excerpt: 'hi & bye' },
    ]);
    expect(cache.recent(1, cacheScope())).toMatchObject([
      { newestMessageId: 7, isParticipant: false },
    ]);
    expect(cache.topics(1, 10)).toEqual(['other', 'lunch']);
    expect(cache.topics(1, 1)).toEqual(['other']);
    expect(cache.newestTopics(4).slice(2)).toEqual([
      { streamId: 2, topic: 'lunch' },
      { streamId: 1, topic: 'other' },
    ]);
  });
});

describe('what is typed', () => {
  test('finds the oldest of 30,000 topics', () => {
    const { cache } = open();
    const topics = 30_000;
    for (let id = 1; id <= topics; id += 1000) {
      const some = Array.from({ length: 1000 }, (_, index) => id + index);
      cache.put(
        some.map((each) => cachedMessageOf(each, { streamId: each % 300, topic: topicOf(each) })),
      );
    }
    expect(cache.findTopics('zurich', 200)).toEqual([{ streamId: 1, topic: 'Zürich offsite' }]);
    expect(cache.findTopics('plan 29999', 200)).toContainEqual({
      streamId: 299,
      topic: 'Plan 29999',
    });
    expect(cache.findTopics('p', 200)).toHaveLength(200);
    expect(cache.newestTopics(2).map(({ topic }) => topic)).toEqual(['Plan 30000', 'Plan 29999']);
    // A name that nothing has any more takes nobody's place.
    cache.apply({ type: 'delete_message', message_id: 1 });
    expect(cache.findTopics('zurich', 200)).toEqual([]);
  });
});

const topicOf = (id: number): string => (id === 1 ? 'Zürich offsite' : `Plan ${String(id)}`);

describe('the storage of accounts', () => {
  const ids = ['1@https://chat.example.org', '1@http://chat.example.org', '../../x', '1@https://ü'];

  test('the storage gives each account a folder that no other account has, and no path', () => {
    const folders = ids.map(accountFolder);
    expect(new Set(folders).size).toBe(ids.length);
    for (const folder of folders) expect(folder).toMatch(/^[a-z0-9][a-z0-9-]*$/);
  });

  test('the storage keeps accounts apart, and removes all of one', async () => {
    const storage = createAccountStorage(dir);
    const [first = '', second = ''] = ids;
    storage.openCache(first).cache.put(messagesOf(2));
    storage.openCache(second).cache.put(messagesOf(1));
    storage.openOutbox(first);
    await storage.remove(first);
    expect(existsSync(join(dir, 'accounts', accountFolder(first)))).toBe(false);
    const again = storage.openCache(first);
    expect(again.cache.size().messages).toBe(0);
    const other = storage.openCache(second);
    expect(other.cache.size().messages).toBe(1);
    await Promise.all(ids.map((id) => storage.remove(id)));
  });

  test('the storage of accounts goes on in memory where nothing can be kept, and says so', () => {
    writeFileSync(join(dir, 'accounts'), '');
    const { cache, problem } = createAccountStorage(dir).openCache(ids[0] ?? '');
    expect(cache.isKept).toBe(false);
    expect(problem).toMatch(/cannot be read or written\..*\.$/);
    cache.put(messagesOf(2));
    expect(cache.find([1, 2])).toHaveLength(2);
  });
});

test('what is deleted leaves the file, its log and its index at once, and other words stay', () => {
  const { cache } = open();
  const secret = 'zebrafinchhummingbird';
  cache.put([...messagesOf(300), cachedMessageOf(301, { text: `the code is ${secret} again` })]);
  cache.put([cachedMessageOf(302, { text: 'the code is another' })]);
  const onDisk = (word: string): readonly string[] =>
    ['', '-wal'].filter(
      (end) => existsSync(`${file}${end}`) && readFileSync(`${file}${end}`).includes(word),
    );
  // The index has only what it does not share with the word before.
  expect(onDisk(secret).concat(onDisk(secret.slice(2)))).not.toEqual([]);
  expect(cache.apply({ type: 'delete_message', message_id: 301 }).removedIds).toEqual([301]);
  for (let from = 0; from + 8 <= secret.length; from += 1) {
    expect(onDisk(secret.slice(from, from + 8)), secret.slice(from)).toEqual([]);
  }
  expect(cache.page(search('code'), cacheScope()).messages.map(({ id }) => id)).toEqual([302]);
});
