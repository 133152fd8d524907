import { describe, expect, test } from 'vitest';
import {
  ada,
  ben,
  cleo,
  privateMessage,
  realmUser,
  subscription,
} from '#test/support/service/wire-builders.ts';
import { settle } from '#test/support/fake-clock.ts';
import type { Session } from '#client/session/session.ts';
import { errorAnswer, ModelService } from '#test/support/client/model-service.ts';
import { createSession, startSession } from '#test/support/client/session.ts';

/** How many messages of each conversation are unread. */
const unreadOf = ({ state }: Session): Record<string, number> =>
  Object.fromEntries(Object.entries(state?.unread ?? {}).map(([key, { count }]) => [key, count]));

const html = { status: 200, text: '<!doctype html>' };

describe('a session that starts', () => {
  test('a new session registers for everything it shows and is live once the service answered a poll', async () => {
    const { service, session, told } = await startSession();
    expect(service.to('/register')[0]?.params).toMatchObject({
      apply_markdown: 'true',
      client_gravatar: 'true',
      include_subscribers: 'false',
      with_source: 'true',
    });
    expect(service.to('/events').map(({ params }) => params['dont_block'])).toEqual([
      'true',
      'false',
    ]);
    expect(told.connections).toEqual([{ state: 'live' }]);
    expect(session.state).toMatchObject({
      organization: { settings: { name: 'Model' } },
      ownUserId: 1,
    });
  });

  test('a new session knows the private conversations of before, newest first, and tells no old message', async () => {
    const service = new ModelService();
    service.sendPrivate(ben, [ada, ben]);
    service.sendToStream(ben, 'lunch');
    service.sendPrivate(ada, [ada]);
    const newest = service.sendPrivate(ada, [ada, ben, cleo]);
    const { session, told } = await startSession(service);
    expect(session.state?.privateConversations).toEqual([
      { userIds: [2, 3], newestMessageId: newest },
      { userIds: [], newestMessageId: newest - 2 },
      { userIds: [2], newestMessageId: newest - 6 },
    ]);
    expect(told.order).toEqual([]);
    expect(unreadOf(session)).toEqual({ 'private:2': 1, 'stream:10:lunch': 1 });
  });

  test('a session knows how far the clock of the service is ahead of its own', async () => {
    const service = new ModelService();
    service.timestamp += 600;
    const { session } = await startSession(service);
    expect(session.state?.clockAheadSeconds).toBe(600);
  });

  test('a new session answers for its organization as soon as there is a snapshot', async () => {
    const { session } = createSession();
    const answer = session.calls.state();
    void session.run();
    expect(await answer).toMatchObject({
      ok: true,
      value: { organization: { settings: { name: 'Model' } } },
    });
  });

  test('a new session answers with the reason when there is no snapshot', async () => {
    const service = new ModelService();
    service.faults.push('refused');
    const { session } = createSession(service);
    const answer = session.calls.state();
    void session.run();
    const message = 'http://service.test does not answer.';
    expect(await answer).toEqual({ ok: false, failure: { code: 'NOT_CONNECTED', message } });
  });
});

describe('events', () => {
  test('a message is told as a window shows it', async () => {
    const { service, session, told } = await startSession();
    const id = service.sendPrivate(ben, [ada, ben], '<p>hello</p>');
    await settle();
    expect(told.messages).toMatchObject([
      {
        id,
        conversation: { kind: 'private', userIds: [2] },
        senderId: 2,
        senderName: 'Ben Member',
        rendered: '<p>hello</p>',
        sentAtSeconds: 1_700_000_000 + id,
        isOwn: false,
        isRead: false,
      },
    ]);
    expect(session.state?.privateConversations).toEqual([{ userIds: [2], newestMessageId: id }]);
    expect(unreadOf(session)).toEqual({ 'private:2': 1 });
    expect(told.notices).toMatchObject([{ title: 'Ben Member', body: 'hello', tag: 'private:2' }]);
  });

  test('a message to a stream belongs to its topic and interrupts nobody', async () => {
    const { service, session, told } = await startSession();
    service.sendToStream(ben, 'Lunch');
    await settle();
    const conversation = { kind: 'stream', streamId: 10, topic: 'Lunch' };
    expect(told.messages).toMatchObject([{ conversation }]);
    expect(unreadOf(session)).toEqual({ 'stream:10:lunch': 1 });
    expect(told.notices).toEqual([]);
  });

  test('what is unread between two messages of a view is read, and what was seen there', async () => {
    const { service, session, clock } = await startSession();
    const [before, first, between, last, after] = Array.from({ length: 5 }, () =>
      service.sendToStream(ben, 'lunch'),
    );
    const other = service.sendToStream(ben, 'dinner');
    await settle();
    const view = { kind: 'stream', streamId: 10, topic: 'Lunch' } as const;
    const passage = { kind: 'passage', view, fromId: first!, toId: last! } as const;
    await session.calls.markRead({ ...passage, seenIds: [after!] });
    expect(unreadOf(session)).toEqual({ 'stream:10:lunch': 1, 'stream:10:dinner': 1 });
    const whole = { ...passage, view: { kind: 'feed' }, fromId: 0, toId: other } as const;
    await session.calls.markRead({ ...whole, seenIds: [] });
    expect(unreadOf(session)).toEqual({});
    await clock.advance(1_000);
    const told = service
      .to('/messages/flags')
      .flatMap(({ params }) => JSON.parse(String(params['messages'])) as readonly number[]);
    expect([...new Set(told)]).toEqual([first, between, last, after, before, other]);
  });

  test('what is marked as read is so at once, and the service is told', async () => {
    const { service, session, clock } = await startSession();
    const id = service.sendToStream(ben, 'lunch');
    service.sendPrivate(ben, [ada, ben]);
    await settle();
    expect(unreadOf(session)).toEqual({ 'private:2': 1, 'stream:10:lunch': 1 });
    const view = { kind: 'stream', streamId: 10, topic: null } as const;
    await session.calls.markRead({ kind: 'view', view });
    expect(unreadOf(session)).toEqual({ 'private:2': 1 });
    await clock.advance(1_000);
    const told = service.to('/messages/flags').map(({ params }) => params);
    expect(told).toEqual([{ messages: `[${String(id)}]`, op: 'add', flag: 'read' }]);
  });

  test('changes of people and streams arrive, once for all events of one answer', async () => {
    const { service, session, told, clock } = await startSession();
    service.faults.push('refused');
    const count = told.states.length;
    const added = subscription(12, 'ops');
    service.emit({ type: 'subscription', op: 'add', subscriptions: [added] });
    service.emit({ type: 'realm_user', op: 'add', person: realmUser(cleo) });
    await clock.advance(1_000);
    const names = session.state?.people.map(({ fullName }) => fullName);
    expect(names).toContain('Cleo Member');
    expect(session.state?.streams.map(({ name }) => name)).toContain('ops');
    expect(told.states.length).toBeLessThanOrEqual(count + 2);
  });

  test('events that no service should send are skipped, and those beside them arrive', async () => {
    const { service, told } = await startSession();
    service.noise.push(
      null,
      'text',
      {},
      { id: 'x', type: 'message' },
      { id: 101, type: 'message', message: { id: 'seven' }, flags: [] },
      { id: 102, type: 'invented_later', payload: [] },
      { id: 103, type: 'realm_user', op: 'add', person: null },
      { id: 99, type: 'message', message: privateMessage(900, ben, [ada, ben]), flags: [] },
      { id: 104, type: 'message', message: privateMessage(901, ben, [ada, ben]), flags: [] },
      { id: 104, type: 'message', message: privateMessage(902, ben, [ada, ben]), flags: [] },
    );
    service.emit({ type: 'heartbeat' });
    await settle();
    expect(told.order).toEqual([901]);
    expect(told.connections).toEqual([{ state: 'live' }]);
  });

  test('events whose answer was lost are told once, after the next attempt', async () => {
    const { service, told, clock } = await startSession();
    service.faults.push(null, 'answer lost');
    const first = service.sendPrivate(ben, [ada, ben]);
    await settle();
    const second = service.sendPrivate(ben, [ada, ben]);
    await clock.advance(1_000);
    expect(told.order).toEqual([first, second]);
    expect(told.notices).toHaveLength(2);
  });
});

describe('trouble', () => {
  test('a service that does not answer makes the session offline, and its return makes it live', async () => {
    const { service, told, clock } = await startSession();
    const liveUntilSeconds = Math.floor(clock.now() / 1000);
    service.faults.push(...Array.from({ length: 4 }, () => 'refused' as const));
    service.emit({ type: 'heartbeat' });
    await settle();
    const reason = 'http://service.test does not answer.';
    expect(told.connections.at(-1)).toEqual({ state: 'offline', liveUntilSeconds, reason });
    await clock.advance(500 + 1000 + 2000 + 3999);
    expect(told.connections.at(-1)?.state).toBe('offline');
    await clock.advance(1);
    expect(told.connections.at(-1)).toEqual({ state: 'live' });
    expect(told.connections).toHaveLength(3);
    expect(service.to('/register')).toHaveLength(1);
  });

  test('waking up tries again at once', async () => {
    const service = new ModelService();
    service.faults.push('refused');
    const { told, session } = await startSession(service);
    expect(told.connections.at(-1)?.state).toBe('offline');
    session.wake();
    await settle();
    expect(told.connections.at(-1)).toEqual({ state: 'live' });
  });

  test('waking up asks anew on a connection that may be dead, without a word about it', async () => {
    const { service, told, session } = await startSession();
    const before = service.to('/events').length;
    session.wake();
    await settle();
    const polls = service.to('/events').slice(before);
    expect(polls.map(({ params }) => params['dont_block'])).toEqual(['true', 'false']);
    expect(told.connections).toEqual([{ state: 'live' }]);
  });

  test('a poll without an answer is given up after 75 seconds', async () => {
    const { clock, told } = await startSession();
    await clock.advance(74_999);
    expect(told.connections).toHaveLength(1);
    await clock.advance(1);
    expect(told.connections.at(-1)?.state).toBe('offline');
  });

  test.each([
    ['a page of HTML', html],
    ['a fault of the service', errorAnswer(500, 'INTERNAL_ERROR')],
    ['a rate limit', errorAnswer(429, 'RATE_LIMIT_HIT')],
  ])('%s is waited out', async (_, fault) => {
    const service = new ModelService();
    service.faults.push(fault);
    const { told, clock } = await startSession(service);
    expect(told.connections.at(-1)?.state).toBe('offline');
    await clock.advance(500);
    expect(told.connections.at(-1)).toEqual({ state: 'live' });
  });

  test('a service whose computer sleeps is said to do so while nobody answers, and asked less often', async () => {
    const { service, told, clock } = await startSession();
    const asleep = errorAnswer(503, 'ORGANIZATION_ASLEEP', { asleep_since: 1234 });
    service.faults.push(asleep, 'refused', errorAnswer(502, 'INTERNAL_ERROR'), html);
    service.emit({ type: 'heartbeat' });
    await settle();
    const since = (): number | undefined => {
      const connection = told.connections.at(-1);
      return connection?.state === 'offline' ? connection.asleepSinceSeconds : NaN;
    };
    expect([since(), service.faults.length]).toEqual([1234, 3]);
    const waits = [
      [3_999, 1234, 3],
      [1, 1234, 2],
      [8_000, 1234, 1],
      // What is no silence any more says that it is awake.
      [16_000, undefined, 0],
    ] as const;
    for (const [waitMs, expected, left] of waits) {
      await clock.advance(waitMs);
      expect([since(), service.faults.length]).toEqual([expected, left]);
    }
    await clock.advance(30_000);
    expect(told.connections.at(-1)).toEqual({ state: 'live' });
  });

  test('a service that ends every poll at once with nothing is not asked in a tight loop', async () => {
    const service = new ModelService();
    const text = JSON.stringify({ result: 'success', msg: '', queue_id: '1:1', events: [] });
    service.overrides.set('GET /events', () => ({ status: 200, text }));
    const { clock } = await startSession(service);
    await clock.advance(60_000);
    expect(service.to('/events').length).toBeLessThan(130);
  });

  test.each(['INVALID_API_KEY', 'USER_DEACTIVATED', 'UNAUTHORIZED', 'REALM_DEACTIVATED'])(
    '%s signs the session out and ends it',
    async (code) => {
      const { service, told, clock, ended } = await startSession();
      service.overrides.set('GET /events', () => errorAnswer(401, code));
      service.emit({ type: 'heartbeat' });
      await ended;
      expect(told.connections.at(-1)).toEqual({ state: 'signed-out', reason: `${code} happened` });
      const count = service.requests.length;
      await clock.advance(600_000);
      expect(service.requests).toHaveLength(count);
    },
  );
});

describe('a lost queue', () => {
  test('a lost queue is replaced, and what was missed is told in order before the reset', async () => {
    const { service, session, told } = await startSession();
    const seen = service.sendPrivate(ben, [ada, ben]);
    await settle();
    service.loseQueues();
    const missed = [service.sendToStream(ben, 'a'), service.sendPrivate(ben, [ada, ben])];
    await settle();
    const next = service.sendToStream(ben, 'b');
    await settle();
    expect(told.order).toEqual([seen, ...missed, 'reset', next]);
    expect(told.connections).toEqual([{ state: 'live' }]);
    expect(unreadOf(session)).toEqual({
      'private:2': 2,
      'stream:10:a': 1,
      'stream:10:b': 1,
    });
  });

  test('thousands of missed messages are fetched page by page', async () => {
    const { service, told } = await startSession();
    service.loseQueues();
    const ids = Array.from({ length: 2500 }, () => service.sendToStream(ben, 'busy'));
    await settle();
    expect(told.order).toEqual([...ids, 'reset']);
    const catchUps = service.to('/messages').filter(({ params }) => params['num_after'] === '500');
    expect(catchUps).toHaveLength(5);
  });

  test('a queue that was lost for days interrupts once for each conversation, with its newest message', async () => {
    const { service, told } = await startSession();
    service.loseQueues();
    for (let day = 1; day <= 30; day += 1) {
      service.sendPrivate(ben, [ada, ben], `<p>ben ${day}</p>`);
      service.sendPrivate(cleo, [ada, cleo], `<p>cleo ${day}</p>`);
    }
    await settle();
    expect(told.messages).toHaveLength(60);
    expect(told.notices.map(({ body }) => body)).toEqual([
      '30 new messages\nben 30',
      '30 new messages\ncleo 30',
    ]);
  });

  test('a failure while catching up loses and repeats nothing', async () => {
    const { service, told, clock } = await startSession();
    service.loseQueues();
    const ids = Array.from({ length: 1500 }, () => service.sendToStream(ben, 'busy'));
    // The poll, the new queue, a first page, and then nothing for a while.
    service.faults.push(null, null, 'answer lost', 'refused');
    await settle();
    const later = service.sendToStream(ben, 'busy');
    await clock.advance(10_000);
    expect(told.order).toEqual([...ids, later, 'reset']);
  });

  test('before the first events were fetched loses nothing', async () => {
    const service = new ModelService();
    // The registration and the conversations of before arrive, the first poll does not.
    service.faults.push(null, null, 'refused');
    const { told, clock } = await startSession(service);
    service.loseQueues();
    const id = service.sendPrivate(ben, [ada, ben]);
    await clock.advance(5_000);
    expect(told.order).toEqual([id, 'reset']);
  });

  test('a service that forgets every queue is not asked in a tight loop', async () => {
    const service = new ModelService();
    service.overrides.set('GET /events', () => errorAnswer(400, 'BAD_EVENT_QUEUE_ID'));
    const { told, clock } = await startSession(service);
    await clock.advance(120_000);
    expect(told.connections.at(-1)?.state).toBe('offline');
    expect(service.to('/register').length).toBeLessThan(15);
  });
});

describe('stopping', () => {
  test('stopping a session deletes its queue, ends its loop and tells nothing more', async () => {
    const { service, session, told, ended } = await startSession();
    const count = told.states.length + told.connections.length;
    await session.stop();
    await ended;
    expect(service.queueIds).toEqual([]);
    service.sendPrivate(ben, [ada, ben]);
    session.show(null);
    await settle();
    expect(told.order).toEqual([]);
    expect(told.states.length + told.connections.length).toBe(count);
  });

  test('stopping a session takes two seconds at most when the service does not answer', async () => {
    const service = new ModelService();
    const { clock, session, told } = createSession(service, {
      http: (request) =>
        request.method === 'DELETE'
          ? new Promise((_, reject) => {
              request.signal.addEventListener('abort', () => reject(new Error('aborted')));
            })
          : service.http(request),
    });
    const ended = session.run();
    await settle();
    expect(told.connections).toEqual([{ state: 'live' }]);
    const stopped = session.stop();
    await ended;
    await clock.advance(2_000);
    await stopped;
    expect(clock.pending).toEqual([]);
  });

  test('stopping works before the session has a queue', async () => {
    const service = new ModelService();
    service.faults.push('refused');
    const { session, ended } = await startSession(service);
    await session.stop();
    await ended;
    expect(service.requests).toEqual([]);
  });
});
