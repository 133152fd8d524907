import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { report, ofUser, list } = api.presence;
const bad = { code: 'BAD_REQUEST' };

const service: TestService = await startTestService();
afterAll(() => service.stop());
beforeEach(() => {
  service.change('DELETE FROM presence');
});

const nowSeconds = (): number => Date.now() / 1000;
const time: unknown = expect.any(Number);

const say = (who: string, status: string, client = 'website', more: Params = {}) =>
  service.ask(who, report, { status, client, ...more });

/** Makes every report of a person older. */
const age = (who: string, seconds: number): void => {
  service.change(
    'UPDATE presence SET updated_at = updated_at - ? WHERE account_id = ?',
    seconds,
    idOf[who] ?? 0,
  );
};

describe('reporting', () => {
  test('a report of presence is answered with what everybody reported, by client [presence.report-answered-everybody]', async () => {
    await say(ben, 'idle', 'ZulipTerminal');
    const answer = await say(ada, 'active');
    const of = (client: string, status: string) => ({
      aggregated: { client, status, timestamp: time },
      [client]: { client, status, timestamp: time, pushable: false },
    });
    expect(answer.presences).toEqual({
      [ada]: of('website', 'active'),
      [ben]: of('ZulipTerminal', 'idle'),
    });
    expect(Math.abs((answer.server_timestamp ?? 0) - nowSeconds())).toBeLessThan(60);
    expect(await service.ask(gus, list)).toEqual({ ...answer, server_timestamp: time });
    await service.restart();
    expect((await service.ask(echoBot, list)).presences).toEqual(answer.presences);
  });

  test('the client is told by its User-Agent unless it names itself', async () => {
    const headers = { 'user-agent': 'ZulipTerminal/0.7.0 (Linux)' };
    await service.ask(ada, report, { status: 'active' }, { headers });
    await say(ada, 'idle', ' a client with a very long name indeed ');
    const { presence } = await service.ask(ben, ofUser, { user: ada });
    expect(Object.keys(presence).sort()).toEqual([
      'ZulipTerminal',
      'a client with a very long name',
      'aggregated',
    ]);
  });

  test('no client hides what stands beside the clients', async () => {
    await say(ada, 'active', 'aggregated');
    const { presence } = await service.ask(ben, ofUser, { user: ada });
    expect(Object.keys(presence).sort()).toEqual(['aggregated', 'aggregated client']);
  });

  test('a ping answers nothing, and is noted all the same [presence.ping-answers-nothing]', async () => {
    expect(await say(ada, 'active', 'website', { ping_only: true })).toEqual({});
    const more = { ping_only: 'false', new_user_input: true };
    expect((await say(ben, 'active', 'website', more)).presences).toHaveProperty([ada]);
  });

  test('a report is one row for each client, however often it comes', async () => {
    await say(ada, 'active');
    expect(await service.rowsAdded(() => say(ada, 'active'))).toEqual({});
    expect(await service.rowsAdded(() => say(ada, 'idle'))).toEqual({});
    expect(await service.rowsAdded(() => say(ada, 'idle', 'phone'))).toEqual({ presence: 1 });
  });

  test.each<[string, Params, Params]>([
    ['no status', {}, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'status' }],
    [
      'another status',
      { status: 'away' },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'status' },
    ],
    [
      'a flag that is none',
      { status: 'idle', ping_only: 'perhaps' },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'ping_only' },
    ],
  ])(
    'a report of presence with %s is refused [presence.report-refused]',
    async (_, params, expected) => {
      expect(await service.refuse(ada, report, params)).toMatchObject(expected);
    },
  );

  test('a guest is seen by others as everybody is [presence.guest-seen-everybody]', async () => {
    const queue = await service.register(ben);
    const answer = await say(gus, 'active');
    expect(answer.presences).toHaveProperty([gus, 'aggregated', 'status'], 'active');
    expect(await queue.now()).toMatchObject([{ type: 'presence', user_id: idOf[gus] }]);
  });

  test('a bot may not [presence.bot-refused]', async () => {
    expect(await service.refuse(echoBot, report, { status: 'active' })).toMatchObject(bad);
  });

  test('a report of presence does nothing where the organization has switched presence off', async () => {
    await say(ben, 'active');
    service.change(`UPDATE realm SET settings = '{"presence_disabled":true}'`);
    try {
      expect(await service.rowsAdded(() => say(ada, 'active'))).toEqual({});
      expect((await service.ask(ada, list)).presences).toEqual({});
      expect(await service.refuse(ada, ofUser, { user: ben })).toMatchObject(bad);
      const state = await service.ask(ada, api.events.register, {
        fetch_event_types: ['presence'],
      });
      expect(state).toMatchObject({ presences: {} });
    } finally {
      service.change(`UPDATE realm SET settings = '{}'`);
    }
  });
});

describe('what others are told', () => {
  test('people are told when somebody comes, wakes or returns, and of nothing else [presence.people-comes-wakes]', async () => {
    const queues = await Promise.all(
      [ada, ben, cleo, gus, echoBot].map((who) => service.register(who)),
    );
    const heard = async () => {
      const all = await Promise.all(queues.map(async (queue) => [queue.who, await queue.now()]));
      return Object.fromEntries(all as [string, readonly object[]][]) as Record<string, object[]>;
    };
    const told = (status: string) => {
      const event = {
        id: time,
        type: 'presence',
        email: ada,
        user_id: idOf[ada],
        server_timestamp: time,
        presence: { website: { client: 'website', status, timestamp: time, pushable: false } },
      };
      return { [ada]: [event], [ben]: [event], [cleo]: [event], [gus]: [event], [echoBot]: [] };
    };
    const silence = { [ada]: [], [ben]: [], [cleo]: [], [gus]: [], [echoBot]: [] };

    await say(ada, 'idle');
    expect(await heard()).toEqual(told('idle'));
    await say(ada, 'idle');
    expect(await heard()).toEqual(silence);
    await say(ada, 'active');
    expect(await heard()).toEqual(told('active'));
    await say(ada, 'active');
    await say(ada, 'idle', 'phone');
    await say(ada, 'active');
    await say(ada, 'active', 'phone');
    await say(ada, 'idle', 'phone');
    await say(ada, 'idle');
    expect(await heard()).toEqual(silence);
    await say(ada, 'active');
    expect(await heard()).toEqual(told('active'));
    age(ada, 145);
    await say(ada, 'active');
    expect(await heard()).toEqual(told('active'));
  });
});

describe('the presence of one person', () => {
  test('the presence of a person is found by address without case and by id [presence.person-found-address]', async () => {
    await say(ada, 'active', 'phone');
    age(ada, 10);
    await say(ada, 'idle');
    const seen = (status: string) => ({ status, timestamp: time });
    const expected = {
      presence: { aggregated: seen('idle'), website: seen('idle'), phone: seen('active') },
    };
    for (const user of [ada, ada.toUpperCase(), idOf[ada]]) {
      expect(await service.ask(gus, ofUser, { user })).toEqual(expected);
    }
  });

  test('a person is offline after 140 seconds, while their clients keep what they said [presence.person-offline-140]', async () => {
    await say(ada, 'active');
    age(ada, 130);
    expect((await service.ask(ben, ofUser, { user: ada })).presence.aggregated.status).toBe(
      'active',
    );
    age(ada, 11);
    const { presence } = await service.ask(ben, ofUser, { user: ada });
    expect(presence.aggregated.status).toBe('offline');
    expect(presence['website']?.status).toBe('active');
    // A list says when it was, and its readers judge.
    expect((await service.ask(ben, list)).presences[ada]?.aggregated.status).toBe('active');
  });

  test('the presence of a person is forgotten after 14 days [presence.person-forgotten-14]', async () => {
    await say(ada, 'active');
    age(ada, 14 * 86_400 - 60);
    expect((await service.ask(ben, list)).presences).toHaveProperty([ada]);
    age(ada, 61);
    expect((await service.ask(ben, list)).presences).toEqual({});
    expect(await service.refuse(ben, ofUser, { user: ada })).toMatchObject(bad);
    const state = await service.ask(ben, api.events.register, { fetch_event_types: ['presence'] });
    expect(state).toMatchObject({ presences: {}, server_timestamp: time });
    expect(await service.rowsAdded(() => say(ada, 'active', 'phone'))).toMatchObject({ event: 1 });
    expect(service.dump()['presence']).toHaveLength(1);
  });

  test.each<[string, string | number]>([
    ['a bot', echoBot],
    ['an unknown address', 'nobody@example.com'],
    ['an unknown id', 99],
    ['somebody who was never seen', cleo],
  ])('the presence of %s is refused [presence.person-refused]', async (_, user) => {
    expect(await service.refuse(ada, ofUser, { user })).toMatchObject(bad);
  });

  test('the presence of a deactivated account is refused, and it is listed no longer', async () => {
    await say(cleo, 'active');
    service.change('UPDATE account SET is_active = 0 WHERE email = ?', cleo);
    try {
      expect(await service.refuse(ada, ofUser, { user: cleo })).toMatchObject(bad);
      expect((await service.ask(ada, list)).presences).toEqual({});
    } finally {
      service.change('UPDATE account SET is_active = 1 WHERE email = ?', cleo);
    }
  });
});

test('/register has what the list has', async () => {
  await say(ben, 'active');
  const { presences } = await service.ask(ada, list);
  const state = await service.ask(ada, api.events.register, { fetch_event_types: ['presence'] });
  expect(state).toMatchObject({ presences, server_timestamp: time });
});
