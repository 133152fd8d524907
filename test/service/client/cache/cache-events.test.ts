import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMemoryCache } from '#client/cache/memory-cache.ts';
import type { Cache, PageQuery } from '#client/cache/port.ts';
import { api } from '#shared/api/endpoints/index.ts';
import type { Message } from '#shared/api/models/message.ts';
import { messageOfEvent } from '#client/cache/cached-message.ts';
import { MessageEvent } from '#shared/api/events.ts';
import { openSqliteCache } from '#desktop/storage/cache/sqlite-cache.ts';
import {
  ada,
  ben,
  cleo,
  startTestService,
  type TestQueue,
  type TestService,
} from '#test/support/service/api.ts';
import {
  askCache,
  askService,
  buildWorld,
  changeSomething,
  expectSame,
  fillCache,
  fillPlace,
  refreshStale,
  scopeFor,
  streamIdOf,
} from '#test/support/client/cache-world.ts';
import { type Random, randomFrom } from '#test/support/random.ts';

const streams = ['open', 'noisy', 'later', 'secret'] as const;
let service: TestService;
let dir: string;
let cache: Cache;
let queue: TestQueue;
let fileCount = 0;

beforeAll(async () => {
  service = await startTestService();
  await buildWorld(service, 3, { messages: 120, changes: 20 });
  dir = mkdtempSync(join(tmpdir(), 'hearth-cache-'));
});

afterAll(async () => {
  await service.stop();
  rmSync(dir, { recursive: true });
});

/** A queue, and everything as it was when it began. */
async function begin(): Promise<void> {
  queue = await service.register(ben, {
    apply_markdown: true,
    client_gravatar: true,
    with_source: true,
  });
  fileCount += 1;
  ({ cache } = openSqliteCache(join(dir, `${String(fileCount)}.db`)));
  await fillCache(service, cache);
  const position = { queueId: queue.id, lastEventId: queue.lastEventId, liveUntilSeconds: 1 };
  cache.saveSession({ ...position, newestMessageId: 0 }, {});
}

/** What a session does with events. */
async function follow(): Promise<void> {
  for (const event of await queue.now()) {
    const arrived = MessageEvent.safeParse(event);
    if (arrived.success) {
      cache.put([messageOfEvent(arrived.data)]);
      continue;
    }
    cache.apply(event);
    if (event.type === 'subscription' && 'op' in event && event.op === 'remove') {
      for (const { stream_id: id } of event.subscriptions as { stream_id: number }[]) {
        cache.removeStream(id);
      }
    }
  }
  if (cache.coveredFrom({ kind: 'held' }) === null) {
    await fillPlace(service, cache, { kind: 'held' });
  }
  await refreshStale(service, cache);
}

/** Access to a private stream ends or comes back, by the account itself or by who administers it. */
async function changeAccess(random: Random): Promise<void> {
  const name = random.pick(['secret', 'vault']);
  const subscriptions = [name];
  await random.pick([
    () => service.answer(ben, api.subscriptions.unsubscribe, { subscriptions }),
    () => service.answer(ada, api.subscriptions.unsubscribe, { subscriptions, principals: [ben] }),
    () => service.join(ada, [name], { principals: [ben] }),
    () => service.join(ada, [name], { principals: [ben] }),
  ])();
}

const pageOf = (narrow: PageQuery['narrow']): PageQuery => ({
  narrow,
  anchor: 'newest',
  numBefore: 2000,
  numAfter: 0,
});
const everything = pageOf([]);
const unread = pageOf([{ operator: 'is', operand: 'unread' }]);
const queries: readonly PageQuery[] = [
  everything,
  unread,
  pageOf([{ operator: 'search', operand: 'pineapple' }]),
  pageOf([{ operator: 'search', operand: 'edited' }]),
  pageOf([{ operator: 'topic', operand: 'deploy' }]),
  ...streams.map((name) => pageOf([{ operator: 'stream', operand: name }])),
];

async function compare(): Promise<void> {
  const scope = await scopeFor(service);
  for (const query of queries) {
    const kept = askCache(cache, query, scope);
    // Nobody tells what becomes of history that was never received, nor of a stream that was just joined.
    const isWhole =
      'page' in kept && kept.page.isComplete && query.narrow[0]?.operator !== 'stream';
    if (isWhole || 'refusal' in kept) expectSame(await askService(service, query), kept, query);
  }
  expect(askCache(cache, everything, scope)).toMatchObject({ page: { isComplete: true } });
}

describe('events', () => {
  beforeEach(begin);

  test('events leave what is held as fetching it anew would find it, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 8 }), async (seed, count) => {
        const random = randomFrom(seed);
        for (let index = 0; index < count; index += 1) {
          await (random.chance(0.25) ? changeAccess(random) : changeSomething(service, random));
        }
        await follow();
        await compare();
      }),
      // What came before stays: a shorter way to the failure would be another one.
      { numRuns: 25, endOnFailure: true },
    );
    // Where others find it.
    await service.join(ada, ['secret'], { principals: [ben] });
  });

  test('events of marking as read reach everything that is held', async () => {
    await service.ask(ben, api.readState.markStreamAsRead, {
      stream_id: await streamIdOf(service, 'open'),
    });
    await follow();
    await compare();
    await service.ask(ben, api.readState.markAllAsRead);
    await follow();
    await compare();
    const scope = await scopeFor(service);
    expect(cache.page(unread, scope)).toMatchObject({ messages: [], isComplete: true });
  });

  test('events of a move reach what was moved along, whatever became of the message that was edited', async () => {
    const first = await service.say(ada, 'open', 'moved along', 'deleted at once');
    const second = await service.say(ada, 'open', 'moved along', 'stays');
    const third = await service.say(ada, 'open', 'moved along', 'stays too');
    const move = { topic: 'deploy', propagate_mode: 'change_all' };
    await service.ask(ada, api.lifecycle.edit, { message_id: first, ...move });
    await service.ask(ada, api.lifecycle.delete, { message_id: first });
    await follow();
    expect(cache.find([first, second, third]).map(({ subject }) => subject)).toEqual([
      'deploy',
      'deploy',
    ]);
    await compare();
  });

  test('events of renamed people and streams change what every message shows', async () => {
    await service.ask(ada, api.settings.update, { full_name: 'Ada Lovelace' });
    const stream_id = await streamIdOf(service, 'noisy');
    await service.ask(ada, api.streamAdmin.update, { stream_id, new_name: '"louder"' });
    await follow();
    await compare();
    await service.ask(ada, api.streamAdmin.update, { stream_id, new_name: '"noisy"' });
    await follow();
    await compare();
  });

  test('events of a stream that is left keep what was received, and remove the rest', async () => {
    const id = await streamIdOf(service, 'secret');
    const before = cache.page(
      { narrow: [{ operator: 'stream', operand: id }], anchor: 0, numBefore: 0, numAfter: 1000 },
      await scopeFor(service),
    );
    await service.ask(ben, api.subscriptions.unsubscribe, { subscriptions: ['secret'] });
    await follow();
    const query: PageQuery = {
      narrow: [{ operator: 'stream', operand: id }],
      anchor: 'newest',
      numBefore: 1000,
      numAfter: 0,
    };
    const kept = askCache(cache, query, await scopeFor(service));
    expectSame(await askService(service, query), kept, query);
    expect(kept).toMatchObject({ page: { isComplete: true } });
    expect('page' in kept && kept.page.messages.length).toBeLessThan(before.messages.length);
    await compare();
    await service.join(ada, ['secret'], { principals: [ben] });
    await follow();
    expect(cache.coveredFrom({ kind: 'stream', streamId: id })).toBeNull();
    await compare();
  });

  test('events of messages that come from where the account saw nothing ask for them', async () => {
    const id = await service.say(ada, 'elsewhere', 'far', 'moved to where it is seen');
    const stream_id = await streamIdOf(service, 'open');
    await service.ask(ada, api.lifecycle.edit, { message_id: id, stream_id });
    for (const event of await queue.now()) cache.apply(event);
    const scope = await scopeFor(service);
    const query: PageQuery = {
      narrow: [{ operator: 'stream', operand: 'open' }],
      anchor: 'newest',
      numBefore: 10,
      numAfter: 0,
    };
    expect(cache.findStale(10)).toEqual([id]);
    expect(cache.page(query, scope).isComplete).toBe(false);
    await refreshStale(service, cache);
    const kept = askCache(cache, query, scope);
    expectSame(await askService(service, query), kept, query);
    expect(kept).toMatchObject({ page: { isComplete: true } });
  });

  const pageAt = (id: number, narrow: unknown = []): Promise<{ readonly messages: Message[] }> =>
    service.ask(ben, api.messages.page, {
      ...{ anchor: id, num_before: 0, num_after: 0, narrow },
      ...{ apply_markdown: true, client_gravatar: true, with_source: true },
    });

  test.each(['kept', 'in memory'])(
    'an answer that was on its way does not bring back what they have changed, %s',
    async (where) => {
      if (where === 'in memory') {
        cache = createMemoryCache();
        await fillCache(service, cache);
      }
      const id = await service.say(ada, 'open', 'race', 'as it was');
      await follow();
      const askedAt = cache.changeCount();
      const { messages } = await pageAt(id);
      expect(cache.ageOf([id], askedAt)).toBe('current');
      await service.ask(ada, api.lifecycle.edit, { message_id: id, content: 'as it is' });
      for (const event of await queue.now()) cache.apply(event);
      expect(cache.ageOf([id], askedAt)).toBe('changed');
      expect(cache.ageOf([1], askedAt)).toBe('current');
      cache.put(messages, askedAt);
      expect(cache.find([id])).toMatchObject([{ source: 'as it is' }]);
      expect(cache.current(messages, askedAt)).toMatchObject([{ source: 'as it is' }]);
      await service.ask(ada, api.lifecycle.delete, { message_id: id });
      await follow();
      cache.put(messages, askedAt);
      cache.putFetchedMessage([id], messages, askedAt);
      expect(cache.find([id])).toEqual([]);
      expect(cache.current(messages, askedAt)).toEqual([]);
      await refreshStale(service, cache);
      if (where === 'kept') await compare();
    },
  );

  test('events of more than can be told one by one leave nothing of an older answer', async () => {
    const id = await service.say(ada, 'open', 'race', 'as it was');
    await follow();
    const askedAt = cache.changeCount();
    const { messages } = await pageAt(id);
    const name = `Ada ${String(id)}`;
    await service.ask(ada, api.settings.update, { full_name: name });
    await service.ask(ben, api.readState.markAllAsRead);
    await follow();
    expect(cache.ageOf([], askedAt)).toBe('outdated');
    cache.put(messages, askedAt);
    expect(cache.find([id])).toMatchObject([{ sender_full_name: name, flags: ['read'] }]);
    expect(cache.findStale(10)).toEqual([id]);
    await follow();
    await compare();
  });

  test('events of a message that comes into a stretch while it is fetched leave no gap there', async () => {
    const later = await streamIdOf(service, 'later');
    const id = await service.say(ada, 'elsewhere', 'race', 'comes');
    await follow();
    cache.forgetCoverage();
    cache.putFetchedMessage([id], []);
    const askedAt = cache.changeCount();
    const narrow = [['stream', 'later']];
    const { messages } = await service.ask(ben, api.messages.page, {
      ...{ anchor: 'newest', num_before: 1000, num_after: 0, narrow },
      ...{ apply_markdown: true, client_gravatar: true, with_source: true },
    });
    await service.ask(ada, api.lifecycle.edit, { message_id: id, stream_id: later });
    for (const event of await queue.now()) cache.apply(event);
    const range = { fromId: 0, throughId: Infinity, askedAt };
    cache.putRange({ kind: 'stream', streamId: later }, messages, range);
    expect(cache.findStale(10)).toContain(id);
    await refreshStale(service, cache);
    const query = pageOf([{ operator: 'stream', operand: 'later' }]);
    const kept = askCache(cache, query, await scopeFor(service));
    expectSame(await askService(service, query), kept, query);
    expect(kept).toMatchObject({ page: { isComplete: true } });
  });

  test('events of a stream that is lost keep a late answer from bringing it back', async () => {
    const name = 'race of access';
    const closed = { invite_only: true, history_public_to_subscribers: true };
    await service.join(ada, [name], { ...closed, principals: [ada] });
    const id = await service.say(ada, name, 'plans', 'before ben was there');
    await service.join(ada, [name], { principals: [ben] });
    await follow();
    const askedAt = cache.changeCount();
    const { messages } = await pageAt(id, [['stream', name]]);
    await service.ask(ben, api.subscriptions.unsubscribe, { subscriptions: [name] });
    await follow();
    cache.put(messages, askedAt);
    await refreshStale(service, cache);
    expect(messages).toHaveLength(1);
    expect(cache.find([id])).toEqual([]);
  });

  test('events that are malformed, or of other things, change nothing', () => {
    for (const event of [null, 5, {}, { type: 'update_message' }, { type: 'toString' }]) {
      expect(cache.apply(event)).toEqual({ changed: [], removedIds: [] });
    }
  });
});

describe('in memory', () => {
  test('the newest messages answer like the others, and promise nothing', async () => {
    await begin();
    const scope = await scopeFor(service);
    const kept = cache;
    cache = createMemoryCache();
    await fillCache(service, cache);
    for (const query of queries) {
      const inMemory = askCache(cache, query, scope);
      expectSame(await askService(service, query), inMemory, query);
      expect(inMemory).toMatchObject({ page: { isComplete: false } });
    }
    expect(cache.recent(10, scope)).toEqual(kept.recent(10, scope));
    expect(cache.newestTopics(10)).toEqual(kept.newestTopics(10));
    expect(cache.findTopics('a', 100)).toEqual(kept.findTopics('a', 100));
    const open = await streamIdOf(service, 'open');
    expect(cache.topics(open, 10)).toEqual(kept.topics(open, 10));
    kept.close();
  });

  test('there are never more than it may have', async () => {
    cache = createMemoryCache(10);
    await fillCache(service, cache);
    expect(cache.size().messages).toBe(10);
  });

  test('events change them', async () => {
    await begin();
    cache = createMemoryCache();
    await fillCache(service, cache);
    const id = await service.say(cleo, 'open', 'memory', 'first');
    await service.ask(ada, api.reactions.add, { message_id: id, emoji_name: 'tada' });
    await service.ask(cleo, api.lifecycle.edit, { message_id: id, content: 'second' });
    await follow();
    expect(cache.find([id])).toMatchObject([{ source: 'second', reactions: [{ user_id: 1 }] }]);
    await service.ask(ada, api.lifecycle.delete, { message_id: id });
    await follow();
    expect(cache.find([id])).toEqual([]);
  });
});
