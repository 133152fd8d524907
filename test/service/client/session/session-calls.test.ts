import { describe, expect, test } from 'vitest';
import { createMemoryCache } from '#client/cache/memory-cache.ts';
import { NEWEST_ANCHOR } from '#shared/api/codecs.ts';
import type { HttpResponse } from '#client/ports.ts';
import { memoryStorage } from '#test/support/client/client.ts';
import type { Conversation, NewPerson, View } from '#shared/bridge/models/client.ts';
import { ada, ben, cleo } from '#test/support/service/wire-builders.ts';
import { settle } from '#test/support/fake-clock.ts';
import { errorAnswer, ModelService } from '#test/support/client/model-service.ts';
import { startSession } from '#test/support/client/session.ts';

const success = (body: object): HttpResponse => ({
  status: 200,
  text: JSON.stringify({ result: 'success', msg: '', ...body }),
});

describe('pages of messages', () => {
  test.each<[View, unknown]>([
    [
      { kind: 'stream', streamId: 10, topic: 'Lunch' },
      [
        { operator: 'stream', operand: 10 },
        { operator: 'topic', operand: 'Lunch' },
      ],
    ],
    [{ kind: 'stream', streamId: 10, topic: null }, [{ operator: 'stream', operand: 10 }]],
    [{ kind: 'private', userIds: [2, 3] }, [{ operator: 'pm-with', operand: [2, 3] }]],
    [{ kind: 'private', userIds: [] }, [{ operator: 'pm-with', operand: [1] }]],
  ])('%j is asked for as %j', async (view, narrow) => {
    const { service, session } = await startSession();
    await session.calls.messages({ view, anchor: 'newest', before: 50, after: 0 });
    const { params } = service.to('/messages').at(-1)!;
    expect(JSON.parse(params['narrow'] ?? '')).toEqual(narrow);
    expect(params).toMatchObject({
      anchor: '10000000000000000',
      num_before: '50',
      num_after: '0',
      client_gravatar: 'true',
      with_source: 'true',
    });
  });

  test('a search is asked for in its order', async () => {
    const { service, session } = await startSession();
    const terms = [{ operator: 'search', operand: 'tea' }];
    const place = { anchor: 'newest', before: 50, after: 0 } as const;
    await session.calls.messages({ view: { kind: 'search', terms, order: 'relevance' }, ...place });
    expect(service.to('/messages').at(-1)!.params['order']).toBe('relevance');
    await session.calls.messages({ view: { kind: 'search', terms }, ...place });
    expect(service.to('/messages').at(-1)!.params).not.toHaveProperty('order');
  });

  /** An answer of a service whose index has come to message 5. */
  const part = {
    ...{ anchor: NEWEST_ANCHOR, found_anchor: false, found_oldest: false, found_newest: true },
    ...{ history_limited: false, indexed_from: 5, messages: [] },
  };
  const terms = [{ operator: 'search', operand: 'tea' }];

  test('a page of a search with fewer hits than it has room for waits for the index', async () => {
    const { service, session } = await startSession();
    service.overrides.set('GET /messages', () => success(part));
    const isIndexing = async (before: number, more = {}): Promise<unknown> => {
      const view: View = { kind: 'search', terms, ...more };
      const page = await session.calls.messages({ view, anchor: 'newest', before, after: 0 });
      return page.ok && page.value.isIndexing;
    };
    expect(await isIndexing(50)).toBe(true);
    expect(await isIndexing(0)).toBeUndefined();
    expect(await isIndexing(0, { order: 'relevance' })).toBe(true);
  });

  test('a search in a cache whose index is being made asks the service, and what is here where that is away', async () => {
    const service = new ModelService();
    const cache = createMemoryCache();
    const page = cache.page.bind(cache);
    const kept = Object.assign(cache, {
      isKept: true,
      page: (...asked: Parameters<typeof page>) => ({
        ...page(...asked),
        ...{ found_oldest: false, isComplete: true, indexed_from: 5 },
      }),
    });
    let isAway = false;
    const { session } = await startSession(service, {
      storage: { ...memoryStorage(), openCache: () => ({ cache: kept, problem: null }) },
      http: (request) => (isAway ? Promise.reject(new Error('no network')) : service.http(request)),
    });
    const ask = async (): Promise<unknown> => {
      const view: View = { kind: 'search', terms };
      const place = { anchor: 'newest', before: 50, after: 0 } as const;
      return session.calls.messages({ view, ...place });
    };
    service.overrides.set('GET /messages', () =>
      success({ ...part, found_oldest: true, indexed_from: undefined }),
    );
    const whole = { hasOldest: true, isComplete: true };
    expect(await ask()).toEqual({ ok: true, value: expect.objectContaining(whole) as unknown });
    isAway = true;
    const some = { hasOldest: false, isComplete: true, isIndexing: true };
    expect(await ask()).toEqual({ ok: true, value: expect.objectContaining(some) as unknown });
  });

  test('a page has the messages around its anchor, and says what lies beyond', async () => {
    const service = new ModelService();
    const ids = Array.from({ length: 25 }, () => service.sendPrivate(ben, [ada, ben]));
    const { session } = await startSession(service);
    const view: View = { kind: 'private', userIds: [2] };
    const anchor = ids[12] ?? 0;
    const outcome = await session.calls.messages({ view, anchor, before: 5, after: 3 });
    if (!outcome.ok) throw new Error(outcome.failure.message);
    const { messages, ...place } = outcome.value;
    expect(messages.map(({ id }) => id)).toEqual(ids.slice(7, 16));
    expect(place).toEqual({
      anchorId: anchor,
      hasOldest: false,
      hasNewest: false,
      isComplete: true,
    });
  });

  test('a refusal is told with its code and sentence', async () => {
    const { service, session } = await startSession();
    service.overrides.set('GET /messages', () => errorAnswer(400, 'BAD_NARROW', { desc: 'x' }));
    const view: View = { kind: 'stream', streamId: 99, topic: null };
    expect(await session.calls.messages({ view, anchor: 'newest', before: 10, after: 0 })).toEqual({
      ok: false,
      failure: { code: 'BAD_NARROW', message: 'BAD_NARROW happened' },
    });
  });
});

const isSend = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  `${method} ${path}` === 'POST /messages';

describe('sending', () => {
  test.each<[Conversation, object]>([
    [
      { kind: 'stream', streamId: 10, topic: 'Lunch' },
      { type: 'stream', to: '10', topic: 'Lunch' },
    ],
    [
      { kind: 'private', userIds: [2, 3] },
      { type: 'private', to: '[2,3]' },
    ],
    [
      { kind: 'private', userIds: [] },
      { type: 'private', to: '[1]' },
    ],
  ])('a message to %j is addressed as %j', async (conversation, recipient) => {
    const { service, session } = await startSession();
    service.overrides.set('POST /messages', () => success({ id: 77 }));
    const outcome = await session.calls.sendMessage({ conversation, content: 'hi' }, null);
    expect(outcome).toMatchObject({ ok: true, value: { conversation, content: 'hi' } });
    await settle();
    const sent = service.requests.filter(isSend);
    expect(sent[0]?.params).toEqual({
      ...recipient,
      content: 'hi',
      queue_id: service.queueIds[0],
      local_id: expect.any(String),
    });
  });

  test('every message carries a local id of its own', async () => {
    const { service, session } = await startSession();
    service.overrides.set('POST /messages', () => success({ id: 77 }));
    const conversation: Conversation = { kind: 'private', userIds: [2] };
    await session.calls.sendMessage({ conversation, content: 'one' }, null);
    await session.calls.sendMessage({ conversation, content: 'two' }, null);
    await settle();
    const sent = service.requests.filter(isSend);
    expect(sent.map(({ params }) => params['content'])).toEqual(['one', 'two']);
    expect(new Set(sent.map(({ params }) => params['local_id'])).size).toBe(2);
  });
});

describe('streams and people', () => {
  const stream = { name: ' ops ', description: ' Run ', isPrivate: true, userIds: [2, 1, 3] };

  test('a new stream is subscribed to by its creator and the people named', async () => {
    const { service, session } = await startSession();
    const subscribed = { [ben.email]: ['ops'], [ada.email]: ['ops'], [cleo.email]: ['ops'] };
    service.overrides.set('POST /users/me/subscriptions', () =>
      success({ subscribed, already_subscribed: {} }),
    );
    expect(await session.calls.createStream(stream)).toEqual({ ok: true, value: 'ops' });
    expect(service.to('/users/me/subscriptions')[0]?.params).toEqual({
      subscriptions: '[{"name":"ops","description":"Run"}]',
      invite_only: 'true',
      announce: 'true',
      principals: '[1,2,3]',
    });
  });

  test.each([
    ['name', { name: '  ' }],
    ['name', { name: 'x'.repeat(61) }],
    ['description', { description: 'x'.repeat(1025) }],
  ])('a stream with a bad %s is not asked for', async (argument, bad) => {
    const { service, session } = await startSession();
    const outcome = await session.calls.createStream({ ...stream, ...bad });
    expect(outcome).toMatchObject({ ok: false, failure: { argument } });
    expect(service.to('/users/me/subscriptions')).toEqual([]);
  });

  const person = { fullName: ' Dora Dean ', email: ' dora@example.com ', password: 'long enough' };

  test('a colleague is created with a name and an address without blanks around them', async () => {
    const { service, session } = await startSession();
    service.overrides.set('POST /users', () => success({ user_id: 9 }));
    expect(await session.calls.createPerson(person)).toEqual({ ok: true, value: 9 });
    expect(service.to('/users')[0]?.params).toEqual({
      full_name: 'Dora Dean',
      email: 'dora@example.com',
      password: 'long enough',
    });
  });

  test.each<[string, Partial<NewPerson>]>([
    ['fullName', { fullName: ' D ' }],
    ['fullName', { fullName: 'x'.repeat(101) }],
    ...['*', '`', '>', '"', '@'].map((letter): [string, Partial<NewPerson>] => [
      'fullName',
      { fullName: `Do${letter}ra` },
    ]),
    ['email', { email: 'dora' }],
    ['email', { email: 'dora@' }],
    ['email', { email: 'do ra@example.com' }],
    ['email', { email: 'Dora <dora@example.com>' }],
    ['password', { password: 'seven77' }],
  ])('a colleague with a bad %s is not asked for: %j', async (argument, bad) => {
    const { service, session } = await startSession();
    const outcome = await session.calls.createPerson({ ...person, ...bad });
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'BAD_REQUEST', argument, message: expect.stringMatching(/\.$/) },
    });
    expect(service.to('/users')).toEqual([]);
  });

  test('topics are names, newest first', async () => {
    const { service, session } = await startSession();
    const topics = [
      { name: 'b', max_id: 9 },
      { name: 'a', max_id: 3 },
    ];
    service.overrides.set('GET /users/me/10/topics', () => success({ topics }));
    expect(await session.calls.topics(10)).toEqual({ ok: true, value: ['b', 'a'] });
  });
});
