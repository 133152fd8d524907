import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  gus,
  hookBot,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { get, update, deactivate, reactivate, regenerateKey } = api.userAdmin;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const NOBODY = 999;
const KEY = /^[A-Za-z0-9]{32}$/;
const id = (who: string): number => idOf[who] ?? 0;
const person = (who: string, change: object): object => ({
  type: 'realm_user',
  op: 'update',
  person: { user_id: id(who), email: who, ...change },
});

/** What everybody hears, without ids; accounts that hear nothing are left out. */
async function heard(
  work: () => Promise<unknown>,
  params: Params = {},
): Promise<Record<string, readonly object[]>> {
  const events = await eventsOf(service, work, params);
  return Object.fromEntries(
    [...events]
      .filter(([, list]) => list.length > 0)
      .map(([who, list]) => [who, list.map(({ id: _, ...event }) => event)]),
  );
}

const toEverybody = (...events: readonly object[]): Record<string, readonly object[]> =>
  Object.fromEntries([ada, ben, cleo, gus, echoBot].map((who) => [who, events]));

const memberOf = async (who: string) => (await service.ask(ada, get, { user_id: id(who) })).user;

describe('one account', () => {
  test('an account is shown to everybody like a member of the list [user-admin.account-shown-everybody]', async () => {
    const { members } = await service.ask(ada, api.users.list);
    for (const who of [ada, ben, gus, echoBot]) {
      for (const member of members) {
        const { user } = await service.ask(who, get, { user_id: member.user_id });
        expect(user).toEqual(member);
      }
    }
  });

  test('a single account leaves its gravatar to clients that compute it, and has profile fields when asked for [user-admin.single-account-leaves]', async () => {
    const { user } = await service.ask(gus, get, {
      user_id: id(cleo),
      client_gravatar: true,
      include_custom_profile_fields: true,
    });
    expect(user).toMatchObject({ email: cleo, avatar_url: null, profile_data: {} });
    const bot = await service.ask(gus, get, {
      user_id: id(hookBot),
      include_custom_profile_fields: true,
    });
    expect(bot.user).toMatchObject({ bot_owner: ben, bot_owner_id: id(ben), bot_type: 2 });
    expect(bot.user).not.toHaveProperty('profile_data');
  });

  test('a single account that does not exist is an error, and an id that is none is no path', async () => {
    expect(await service.refuse(ben, get, { user_id: NOBODY })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'No such user',
    });
    const { status, body } = await service.send(ben, 'GET /users/one');
    expect([status, body['code']]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('changing an account', () => {
  test.each([
    ['bare', 'Cleo Nova'],
    ['quoted', '"Cleo Supernova"'],
  ])('an account is given another name, %s [user-admin.account-given-another]', async (_, name) => {
    const fullName = name.replaceAll('"', '');
    const events = await heard(() =>
      service.ask(ada, update, { user_id: id(cleo), full_name: name }),
    );
    expect(events).toEqual(toEverybody(person(cleo, { full_name: fullName })));
    expect(await memberOf(cleo)).toMatchObject({ full_name: fullName });
    await service.tell(ben, [ben], `@**${fullName}**`);
  });

  test('the new name of a bot is told to those who manage it, beside everybody', async () => {
    const change = { full_name: 'Parrot' };
    const events = await heard(() => service.ask(ada, update, { user_id: id(echoBot), ...change }));
    const bot = {
      type: 'realm_bot',
      op: 'update',
      bot: { user_id: id(echoBot), email: echoBot, ...change },
    };
    const everybody = toEverybody(person(echoBot, change));
    expect(events).toEqual({ ...everybody, [ada]: [person(echoBot, change), bot] });
  });

  test.each<[string, Params, readonly object[], object]>([
    ['is_admin', { is_admin: true }, [{ is_admin: true }], { is_admin: true, is_guest: false }],
    ['is_admin back', { is_admin: false }, [{ is_admin: false }], { is_admin: false }],
    ['is_guest', { is_guest: true }, [{ is_guest: true }], { is_admin: false, is_guest: true }],
    [
      'is_admin for a guest',
      { is_admin: 'True' },
      [{ is_guest: false }, { is_admin: true }],
      { is_admin: true, is_guest: false },
    ],
    [
      'role 600',
      { role: 600 },
      [{ is_guest: true }, { is_admin: false }],
      { is_admin: false, is_guest: true },
    ],
    ['role 400', { role: 400 }, [{ is_guest: false }], { is_admin: false, is_guest: false }],
    ['role 200', { role: '200' }, [{ is_admin: true }], { is_admin: true }],
    ['agreeing flags', { role: 400, is_admin: false, is_guest: false }, [{ is_admin: false }], {}],
    ['is_guest false for a member', { is_guest: false }, [], { is_guest: false }],
  ])(
    'an account is given the role of %s [user-admin.account-given-role]',
    async (_, change, changes, expected) => {
      const events = await heard(() => service.ask(ada, update, { user_id: id(ben), ...change }));
      const ofBot = changes.filter((each) => 'is_guest' in each);
      const wanted = [
        ...changes.map((each) => person(ben, each)),
        // A bot has at most its owner's role.
        ...ofBot.map((each) => person(hookBot, each)),
      ];
      expect(events).toEqual(wanted.length === 0 ? {} : toEverybody(...wanted));
      expect(await memberOf(ben)).toMatchObject(expected);
    },
  );

  test('a change of an account to what it is, or to nothing, changes nothing', async () => {
    const { full_name: name } = await memberOf(cleo);
    for (const change of [
      { full_name: name, is_admin: false, is_guest: false, role: 400 },
      {},
      { profile_data: [] },
    ]) {
      const added = await service.rowsAdded(() =>
        service.ask(ada, update, { user_id: id(cleo), ...change }),
      );
      expect(added).toEqual({});
    }
  });

  test.each<[string, Params, object]>([
    ['an unknown account', { user_id: NOBODY, full_name: 'No One' }, { code: 'BAD_REQUEST' }],
    ['a name of one character', { full_name: 'x' }, { code: 'BAD_REQUEST' }],
    ['a name that forms a mention', { full_name: 'a**b' }, { code: 'BAD_REQUEST' }],
    [
      'both an administrator and a guest',
      { is_admin: true, is_guest: true },
      { code: 'BAD_REQUEST', msg: 'Guests cannot be organization administrators' },
    ],
    ['a role against the flags', { role: 600, is_admin: true }, { code: 'BAD_REQUEST' }],
    ['a role against is_guest', { role: 600, is_guest: false }, { code: 'BAD_REQUEST' }],
    [
      'a role that there is not',
      { role: 100 },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'role' },
    ],
    [
      'profile data of another form',
      { profile_data: '{"id":1}' },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'profile_data' },
    ],
    ['a role of a bot', { user_id: id(echoBot), is_admin: true }, { code: 'BAD_REQUEST' }],
    [
      'the last administrator',
      { user_id: id(ada), is_admin: false },
      {
        code: 'CANNOT_DEACTIVATE_LAST_USER',
        msg: 'Cannot take the role of the only organization administrator',
        is_last_admin: true,
        entity: 'organization administrator',
      },
    ],
    ['the last administrator by role', { user_id: id(ada), role: 600 }, { is_last_admin: true }],
  ])(
    'a change of an account refuses %s [user-admin.change-account-refuses]',
    async (_, change, expected) => {
      const refusal = await service.refuse(ada, update, { user_id: id(cleo), ...change });
      expect(refusal).toMatchObject(expected);
    },
  );

  test.each([ben, gus, echoBot])(
    'a change of an account is not for %s [user-admin.change-account-not]',
    async (who) => {
      const params = { user_id: id(cleo), full_name: 'Taken Over' };
      expect(await service.refuse(who, update, params)).toMatchObject({ code: 'BAD_REQUEST' });
    },
  );

  test('a change of role reaches at once what the account may see and hear', async () => {
    const queue = await service.register(cleo, { all_public_streams: true });
    await service.ask(ada, update, { user_id: id(cleo), role: 600 });
    await service.say(ada, 'engineering', 'hidden');
    expect((await queue.heard()).filter((each) => each.startsWith('message'))).toEqual([]);
    const { streams } = await service.ask(cleo, api.streams.list);
    expect(streams.map(({ name }) => name)).toEqual(['general']);
    expect(await service.refuse(cleo, deactivate, { user_id: id(gus) })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    await service.ask(ada, update, { user_id: id(cleo), role: 200 });
    const seen = await service.say(ada, 'engineering', 'shown');
    expect(await queue.heard()).toContain(`message ${String(seen)}`);
    await service.ask(cleo, update, { user_id: id(gus), full_name: 'Gus by Cleo' });
    await service.ask(ada, update, { user_id: id(cleo), role: 400 });
  });

  test('a change of an account survives a restart', async () => {
    await service.ask(ada, update, { user_id: id(cleo), full_name: 'Cleo Kept', role: 600 });
    await service.restart();
    expect(await memberOf(cleo)).toMatchObject({ full_name: 'Cleo Kept', is_guest: true });
    await service.ask(ada, update, { user_id: id(cleo), role: 400 });
  });
});

const removed = (who: string, fullName: string): object => ({
  type: 'realm_user',
  op: 'remove',
  person: { user_id: id(who), email: who, full_name: fullName },
});

describe('deactivating an account', () => {
  beforeEach(async () => {
    for (const who of [ben, hookBot, cleo]) {
      await service.ask(ada, reactivate, { user_id: id(who) });
    }
  });

  test('a deactivated account takes its bots along, and everybody is told [user-admin.deactivated-account-bots]', async () => {
    const { full_name: name } = await memberOf(ben);
    const queues = [];
    for (const who of [ada, cleo, gus, echoBot]) queues.push(await service.register(who));
    await service.ask(ada, deactivate, { user_id: id(ben) });
    const both = [removed(ben, name), removed(hookBot, 'Hook Bot')];
    const bot = {
      type: 'realm_bot',
      op: 'remove',
      bot: { user_id: id(hookBot), email: hookBot, full_name: 'Hook Bot' },
    };
    for (const queue of queues) {
      const events = (await queue.now()).map(({ id: _, ...event }) => event);
      expect(events).toEqual(queue.who === ada ? [...both, bot] : both);
    }
    expect((await memberOf(ben)).is_active).toBe(false);
    expect((await memberOf(hookBot)).is_active).toBe(false);
    expect((await memberOf(echoBot)).is_active).toBe(true);
  });

  test('a deactivated account loses its queues, and its key is refused [user-admin.deactivated-account-loses]', async () => {
    const queue = await service.register(ben);
    const authorization = await service.authorization(ben);
    const waiting = queue.poll();
    await service.arrived();
    await service.ask(ada, deactivate, { user_id: id(ben) });
    expect(await waiting).toEqual([]);
    expect(await service.refuse(ben, api.users.me)).toMatchObject({ code: 'USER_DEACTIVATED' });
    const { status } = await service.send(
      null,
      'GET /users/me',
      {},
      { headers: { authorization } },
    );
    expect(status).toBe(401);
    expect(service.dump()['queue']?.filter((row) => row['account_id'] === id(ben))).toEqual([]);
    await service.ask(ada, reactivate, { user_id: id(ben) });
    const params = { queue_id: queue.id, dont_block: true };
    expect(await service.refuse(ben, api.events.poll, params)).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
  });

  test('a deactivated account leaves no queue behind that was being registered at the same time', async () => {
    await service.keyOf(ben);
    for (let round = 0; round < 5; round += 1) {
      const registering = [1, 2, 3].map(() => service.answer(ben, api.events.register));
      await Promise.all([service.ask(ada, deactivate, { user_id: id(ben) }), ...registering]);
      const queues = service.dump()['queue'] ?? [];
      expect(queues.filter((row) => row['account_id'] === id(ben))).toEqual([]);
      await service.ask(ada, reactivate, { user_id: id(ben) });
    }
  });

  test('the password of a deactivated account is refused with a reason of its own [user-admin.password-deactivated-account]', async () => {
    const email = 'dora@example.com';
    const password = 'correct horse';
    const account = { email, password, full_name: 'Dora Nova' };
    const { user_id: userId } = await service.ask(ada, api.users.create, account);
    await service.ask(ada, deactivate, { user_id: userId });
    const exchange = api.users.fetchApiKey;
    expect(await service.refuse(null, exchange, { username: email, password })).toMatchObject({
      code: 'AUTHENTICATION_FAILED',
      reason: 'user disable',
    });
    expect(
      await service.refuse(null, exchange, { username: email, password: 'wrong horse' }),
    ).toMatchObject({ reason: 'incorrect_creds' });
  });

  test('a deactivated account is a recipient that messages are refused for', async () => {
    await service.ask(ada, deactivate, { user_id: id(ben) });
    const params = { type: 'private', to: [ben], content: 'text' };
    const refusal = await service.refuse(ada, api.messages.send, params);
    expect(refusal.code).toBe('BAD_REQUEST');
    expect(refusal.msg).toContain(ben);
  });

  test('a deactivated account loses its subscriptions until it is reactivated', async () => {
    const subscribers = async (): Promise<readonly string[]> => {
      const params = { include_subscribers: true };
      const { subscriptions } = await service.ask(ada, api.streams.subscriptions, params);
      return subscriptions.find(({ name }) => name === 'engineering')?.subscribers ?? [];
    };
    const before = await service.say(ada, 'engineering', 'before');
    await service.ask(ada, deactivate, { user_id: id(ben) });
    expect(await subscribers()).toEqual([ada]);
    const meanwhile = await service.say(ada, 'leads', 'meanwhile');
    await service.restart();
    await service.ask(ada, reactivate, { user_id: id(ben) });
    expect(await subscribers()).toEqual([ada, ben]);
    const after = await service.say(ada, 'leads', 'after');
    expect(await service.read(ben, before)).toBeDefined();
    // It was not sent to them, and the history of a private stream is not open.
    expect(await service.read(ben, meanwhile)).toBeUndefined();
    expect(await service.read(ben, after)).toMatchObject({ flags: [] });
  });

  test('a bot can be deactivated like any account', async () => {
    await service.ask(ada, deactivate, { user_id: id(hookBot) });
    expect((await memberOf(hookBot)).is_active).toBe(false);
    expect((await memberOf(ben)).is_active).toBe(true);
  });

  test('a deactivation refuses the last administrator, unknown accounts and those that are deactivated [user-admin.deactivation-refuses-last]', async () => {
    expect(await service.refuse(ada, deactivate, { user_id: id(ada) })).toMatchObject({
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      is_last_admin: true,
      entity: 'organization administrator',
    });
    expect(await service.refuse(ada, deactivate, { user_id: NOBODY })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    await service.ask(ada, deactivate, { user_id: id(cleo) });
    expect(await service.refuse(ada, deactivate, { user_id: id(cleo) })).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test.each([cleo, gus, echoBot])(
    'a deactivation is not for %s [user-admin.deactivation-not]',
    async (who) => {
      expect(await service.refuse(who, deactivate, { user_id: id(ben) })).toMatchObject({
        code: 'BAD_REQUEST',
      });
    },
  );
});

describe('reactivating an account', () => {
  test('reactivating an account announces it anew, without its bots [user-admin.reactivating-account-announces]', async () => {
    await service.ask(ben, api.statuses.set, { status_text: 'Writing' });
    await service.ask(ada, deactivate, { user_id: id(ben) });
    const queues = [];
    for (const who of [ada, cleo, gus, echoBot]) queues.push(await service.register(who));
    await service.ask(ada, reactivate, { user_id: id(ben) });
    for (const queue of queues) {
      expect(await queue.now()).toMatchObject([
        { type: 'realm_user', op: 'add', person: { email: ben } },
        { type: 'user_status', user_id: id(ben), away: false, status_text: 'Writing' },
      ]);
    }
    expect((await memberOf(hookBot)).is_active).toBe(false);
    await service.ask(ben, api.users.me);
  });

  test('reactivating a bot announces it also to those who manage it', async () => {
    const events = await heard(() => service.ask(ada, reactivate, { user_id: id(hookBot) }));
    const user = { type: 'realm_user', op: 'add', person: { email: hookBot } };
    const bot = {
      type: 'realm_bot',
      op: 'add',
      bot: { email: hookBot, is_active: true, owner: ben, api_key: await service.keyOf(hookBot) },
    };
    expect(events).toMatchObject({
      [ada]: [user, bot],
      [ben]: [user, bot],
      [cleo]: [user],
      [gus]: [user],
      [echoBot]: [user],
    });
    for (const who of [cleo, gus, echoBot]) expect(events[who]).toHaveLength(1);
  });

  test('reactivating an account that is active changes nothing', async () => {
    const added = await service.rowsAdded(() =>
      service.ask(ada, reactivate, { user_id: id(cleo) }),
    );
    expect(added).toEqual({});
  });

  test('a reactivation refuses unknown accounts, and a bot before its owner', async () => {
    expect(await service.refuse(ada, reactivate, { user_id: NOBODY })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    await service.ask(ada, deactivate, { user_id: id(ben) });
    expect(await service.refuse(ada, reactivate, { user_id: id(hookBot) })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    await service.ask(ada, reactivate, { user_id: id(ben) });
  });

  test.each([cleo, gus, echoBot])(
    'a reactivation is not for %s [user-admin.reactivation-not]',
    async (who) => {
      expect(await service.refuse(who, reactivate, { user_id: id(hookBot) })).toMatchObject({
        code: 'BAD_REQUEST',
      });
    },
  );
});

describe('a new key of the own account', () => {
  test('a new key that an account makes for itself replaces the old one at once; queues stay [user-admin.new-key-account]', async () => {
    const queue = await service.register(cleo);
    const authorization = await service.authorization(cleo);
    const { api_key: key } = await service.ask(cleo, regenerateKey);
    expect(key).toMatch(KEY);
    const asOld = await service.send(null, 'GET /users/me', {}, { headers: { authorization } });
    expect([asOld.status, asOld.body['code']]).toEqual([401, 'INVALID_API_KEY']);
    const renewed = `Basic ${Buffer.from(`${cleo}:${key}`).toString('base64')}`;
    const answer = await service.send(
      null,
      'GET /events',
      { queue_id: queue.id, dont_block: true },
      { headers: { authorization: renewed } },
    );
    expect(answer).toMatchObject({ status: 200, body: { events: [] } });
    const { api_key: told } = await service.ask(null, api.users.devFetchApiKey, { username: cleo });
    expect(told).toBe(key);
    expect(JSON.stringify(service.dump())).not.toContain(key);
  });

  test('a bot may not make itself a new key [user-admin.bot-not-make]', async () => {
    expect(await service.refuse(echoBot, regenerateKey)).toMatchObject({ code: 'BAD_REQUEST' });
  });
});
