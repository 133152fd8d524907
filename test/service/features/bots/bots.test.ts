import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { NewBot, RealmBot } from '#shared/api/models/bot.ts';
import {
  ada,
  type Answer,
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
import { heavyPng, png, svg, upload } from '#test/support/images.ts';

const { create, list, update, regenerateKey, deactivate } = api.bots;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.join(ada, ['secret'], { invite_only: true });
});
afterAll(() => service.stop());

const KEY = /^[A-Za-z0-9]{32}$/;
const id = (who: string): number => idOf[who] ?? 0;

async function heard(
  work: () => Promise<unknown>,
  params: Params = {},
): Promise<Record<string, readonly object[]>> {
  const events = await eventsOf(service, work, params);
  return Object.fromEntries(
    [...events]
      .filter(([, each]) => each.length > 0)
      .map(([who, each]) => [who, each.map(({ id: _, ...event }) => event)]),
  );
}

const realmBots = async (who: string): Promise<readonly RealmBot[]> => {
  const params = { fetch_event_types: ['realm_bot'] };
  const { realm_bots: bots } = await service.ask(who, api.events.register, params);
  return bots as readonly RealmBot[];
};

let made = 0;
const make = async (who: string, params: Params = {}): Promise<NewBot> => {
  made += 1;
  const names = { full_name: `Bot ${String(made)}`, short_name: `made${String(made)}` };
  return service.ask(who, create, { ...names, ...params });
};

const outgoing = { bot_type: 3, payload_url: 'https://example.com/hook' };

/** A second administrator for the time of some work. */
async function withSecondAdmin(work: () => Promise<void>): Promise<void> {
  await service.ask(ada, api.userAdmin.update, { user_id: id(cleo), role: 200 });
  await work();
  await service.ask(ada, api.userAdmin.update, { user_id: id(cleo), role: 400 });
}

describe('creating a bot', () => {
  test('creating a bot announces it to everybody, and with its key to its owner and to administrators [bots.creating-announces-everybody]', async () => {
    let answer: NewBot | undefined;
    const events = await heard(async () => {
      answer = await service.ask(ben, create, { full_name: '"Build Bot"', short_name: 'build' });
    });
    expect(answer).toEqual({
      user_id: expect.any(Number),
      api_key: expect.stringMatching(KEY),
      email: 'build-bot@127.0.0.1',
      avatar_url: expect.stringContaining('gravatar'),
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    });
    const { user } = await service.ask(ada, api.userAdmin.get, { user_id: answer?.user_id });
    const { is_active: isActive, ...person } = user;
    expect(isActive).toBe(true);
    const added = { type: 'realm_user', op: 'add', person };
    const bot = {
      type: 'realm_bot',
      op: 'add',
      bot: {
        user_id: answer?.user_id,
        email: 'build-bot@127.0.0.1',
        full_name: 'Build Bot',
        bot_type: 1,
        is_active: true,
        api_key: answer?.api_key,
        avatar_url: answer?.avatar_url,
        owner: ben,
        owner_id: id(ben),
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
        services: [],
      },
    };
    expect(events).toEqual({
      [ada]: [added, bot],
      [ben]: [added, bot],
      [cleo]: [added],
      [gus]: [added],
      [echoBot]: [added],
    });
    expect(user).toMatchObject({
      is_bot: true,
      bot_type: 1,
      bot_owner_id: id(ben),
      bot_owner: ben,
    });
    expect(JSON.stringify(service.dump())).not.toContain(answer?.api_key);
    expect(await realmBots(ben)).toContainEqual(bot.bot);
  });

  test('a new bot is given a key that works', async () => {
    const { email, api_key: key } = await make(ben);
    const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
    const { status } = await service.send(
      null,
      'GET /users/me',
      {},
      { headers: { authorization } },
    );
    expect(status).toBe(200);
  });

  test('a new bot can be given the streams that it sends to and listens to [bots.new-given-streams]', async () => {
    const bot = await make(ada, {
      default_sending_stream: 'SECRET',
      default_events_register_stream: 'engineering',
      default_all_public_streams: true,
    });
    const defaults = {
      default_sending_stream: 'secret',
      default_events_register_stream: 'engineering',
      default_all_public_streams: true,
    };
    expect(bot).toMatchObject(defaults);
    const { bots } = await service.ask(ada, list);
    expect(bots).toContainEqual(expect.objectContaining({ username: bot.email, ...defaults }));
    const queue = await service.register(bot.email);
    const heardId = await service.say(ada, 'engineering', 'for the bot');
    await service.say(ada, 'general', 'not for the bot');
    expect((await queue.heard()).filter((each) => each.startsWith('message'))).toEqual([
      `message ${String(heardId)}`,
    ]);
  });

  test('a new outgoing webhook bot takes the address to deliver to [bots.new-outgoing-webhook]', async () => {
    const { user_id: userId } = await make(ben, { ...outgoing, interface_type: 2 });
    const bot = (await realmBots(ben)).find((each) => each.user_id === userId);
    expect(bot).toMatchObject({
      bot_type: 3,
      services: [
        {
          base_url: 'https://example.com/hook',
          interface: 2,
          token: expect.stringMatching(/^[0-9a-f]{32}$/),
        },
      ],
    });
    const plain = await make(ben, outgoing);
    const other = (await realmBots(ben)).find((each) => each.user_id === plain.user_id);
    expect(other?.services).toMatchObject([{ interface: 1 }]);
    expect(other?.services[0]?.token).not.toBe(bot?.services[0]?.token);
  });

  test('a new bot may come with a picture, which then shows wherever the bot does [bots.new-come-picture]', async () => {
    // Larger than the bodies that take no files.
    const picture = heavyPng(2_000_000);
    const body = upload(picture, 'face.png');
    body.set('full_name', 'Pictured');
    body.set('short_name', 'pictured');
    let answer: NewBot | undefined;
    const events = await heard(async () => {
      answer = await service.ask(cleo, create, {}, { body });
    });
    expect(answer?.email).toBe('pictured-bot@127.0.0.1');
    const url = answer?.avatar_url ?? '';
    expect(url).toMatch(/^\/user_avatars\/1\/[0-9a-f]{32}\.png\?version=1$/);
    expect(events[cleo]).toMatchObject([
      { person: { avatar_url: url } },
      { bot: { avatar_url: url } },
    ]);
    const { user } = await service.ask(ada, api.userAdmin.get, { user_id: answer?.user_id });
    expect(user.avatar_url).toBe(url);
    const image = await fetch(new URL(url, service.origin));
    expect(new Uint8Array(await image.arrayBuffer())).toEqual(picture);
  });

  test('a new bot is refused with a picture that is not one, and no picture of a refused bot is kept [bots.new-refused-picture]', async () => {
    const pictured = (content: Uint8Array<ArrayBuffer>, shortName: string): FormData => {
      const body = upload(content);
      body.set('full_name', 'Refused');
      body.set('short_name', shortName);
      return body;
    };
    const stored = (): Promise<readonly string[]> =>
      readdir(join(service.dataDir, 'files', 'avatars', '1'));
    const before = await stored();
    expect(await service.refuse(cleo, create, {}, { body: pictured(svg, 'drawn') })).toMatchObject({
      code: 'BAD_IMAGE',
    });
    expect(
      await service.refuse(cleo, create, {}, { body: pictured(png, 'pictured') }),
    ).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await stored()).toEqual(before);
  });

  test.each<[string, Params, object]>([
    ['a short name that is taken, without case', { short_name: 'BUILD' }, { code: 'BAD_REQUEST' }],
    ['an empty short name', { short_name: ' ' }, { code: 'BAD_REQUEST' }],
    ['a short name that no address can have', { short_name: 'a b' }, { code: 'BAD_REQUEST' }],
    ['a full name of one character', { full_name: 'x' }, { code: 'BAD_REQUEST' }],
    [
      'an embedded bot',
      { bot_type: 4 },
      { code: 'BAD_REQUEST', msg: 'Embedded bots are not supported' },
    ],
    ['a type that there is not', { bot_type: 5 }, { code: 'BAD_REQUEST' }],
    ['type 0', { bot_type: 0 }, { code: 'BAD_REQUEST' }],
    [
      'an outgoing webhook without an address',
      { bot_type: 3 },
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'payload_url' },
    ],
    [
      'an address that is none',
      { ...outgoing, payload_url: 'example.com' },
      { code: 'BAD_REQUEST' },
    ],
    [
      'an address of another scheme',
      { ...outgoing, payload_url: 'file:///etc/passwd' },
      { code: 'BAD_REQUEST' },
    ],
    [
      'an interface that there is not',
      { ...outgoing, interface_type: 3 },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'interface_type' },
    ],
    ['a stream that there is not', { default_sending_stream: 'nowhere' }, { code: 'BAD_REQUEST' }],
    [
      'a stream that its owner cannot see',
      { default_events_register_stream: 'secret' },
      { code: 'BAD_REQUEST' },
    ],
    ['no full name', { full_name: undefined }, { code: 'REQUEST_VARIABLE_MISSING' }],
    ['no short name', { short_name: undefined }, { code: 'REQUEST_VARIABLE_MISSING' }],
  ])('bot creation refuses %s [bots.creation-refuses]', async (_, params, expected) => {
    const names = { full_name: 'Refused', short_name: 'refused' };
    expect(await service.refuse(ben, create, { ...names, ...params })).toMatchObject(expected);
  });

  test.each([gus, echoBot])('bot creation is not for %s', async (who) => {
    const params = { full_name: 'Refused', short_name: 'refused' };
    expect(await service.refuse(who, create, params)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('bot creation follows the policy of the organization [bots.creation-follows-policy]', async () => {
    const params = { full_name: 'Refused', short_name: 'refused' };
    const allow = async (policy: number): Promise<void> => {
      service.change(
        'UPDATE realm SET settings = ?',
        JSON.stringify({ bot_creation_policy: policy }),
      );
      await service.restart();
    };
    await allow(2);
    await make(ben, { bot_type: 2 });
    await make(ben, outgoing);
    expect(await service.refuse(ben, create, params)).toMatchObject({ code: 'BAD_REQUEST' });
    await make(ada);
    await allow(3);
    expect(await service.refuse(ben, create, { ...params, bot_type: 2 })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    await make(ada);
    await allow(1);
    await make(ben);
  });
});

describe('the own bots', () => {
  test('the list of bots has only those of the caller, with their keys [bots.list-caller-keys]', async () => {
    const { email, api_key: key } = await make(cleo);
    const { bots } = await service.ask(cleo, list);
    expect(bots.at(-1)).toEqual({
      username: email,
      full_name: expect.any(String),
      api_key: key,
      avatar_url: expect.stringContaining('gravatar'),
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    });
    expect(bots.map(({ username }) => username)).not.toContain(echoBot);
    const { bots: adas } = await service.ask(ada, list);
    expect(adas.map(({ username }) => username)).toContain(echoBot);
    expect(adas.map(({ username }) => username)).not.toContain(hookBot);
    expect(await service.ask(gus, list)).toEqual({ bots: [] });
    expect(await service.ask(echoBot, list)).toEqual({ bots: [] });
  });

  test('the initial state has the bots of the caller; administrators see all bots', async () => {
    const names = async (who: string): Promise<readonly string[]> =>
      (await realmBots(who)).map(({ email }) => email);
    expect(await names(ada)).toEqual(expect.arrayContaining([hookBot, echoBot]));
    expect(await names(ben)).toContain(hookBot);
    expect(await names(ben)).not.toContain(echoBot);
    expect(await names(gus)).toEqual([]);
    expect(await names(echoBot)).toEqual([]);
    const hook = (await realmBots(ada)).find(({ email }) => email === hookBot);
    expect(hook?.api_key).toBe(await service.keyOf(hookBot));
  });
});

const botEvent = (bot: NewBot, change: object): object => ({
  type: 'realm_bot',
  op: 'update',
  bot: { user_id: bot.user_id, email: bot.email, ...change },
});
const userEvent = (bot: NewBot, change: object): object => ({
  type: 'realm_user',
  op: 'update',
  person: { user_id: bot.user_id, email: bot.email, ...change },
});

describe('changing a bot', () => {
  let bot: NewBot;
  let hook: NewBot;
  beforeAll(async () => {
    bot = await make(ben);
    hook = await make(ben, outgoing);
  });

  test('a new name of a bot is told to everybody [bots.new-name-everybody]', async () => {
    const change = { full_name: 'Renamed Bot' };
    let answer: unknown;
    const events = await heard(async () => {
      answer = await service.ask(ben, update, { bot_id: bot.user_id, full_name: '"Renamed Bot"' });
    });
    expect(answer).toEqual(change);
    const both = [userEvent(bot, change), botEvent(bot, change)];
    const one = [userEvent(bot, change)];
    expect(events).toEqual({ [ada]: both, [ben]: both, [cleo]: one, [gus]: one, [echoBot]: one });
  });

  test.each<[string, Params, object]>([
    [
      'streams',
      { default_sending_stream: 'general', default_events_register_stream: 'leads' },
      { default_sending_stream: 'general', default_events_register_stream: 'leads' },
    ],
    [
      'one stream to none, and listening to all',
      {
        default_sending_stream: '',
        default_events_register_stream: 'leads',
        default_all_public_streams: true,
      },
      { default_sending_stream: null, default_all_public_streams: true },
    ],
  ])(
    'a change of %s is told to the owner of the bot and to administrators [bots.change-owner-administrators]',
    async (_, params, change) => {
      let answer: unknown;
      const events = await heard(async () => {
        answer = await service.ask(ada, update, { bot_id: bot.user_id, ...params });
      });
      expect(answer).toEqual(change);
      const told = [botEvent(bot, change)];
      expect(events).toEqual({ [ada]: told, [ben]: told });
      const after = (await realmBots(ben)).find((each) => each.user_id === bot.user_id);
      expect(after).toMatchObject(change);
    },
  );

  test('a change of the address of a bot tells all of its services [bots.change-address-services]', async () => {
    const url = 'https://example.org/other';
    let answer: unknown;
    const events = await heard(async () => {
      answer = await service.ask(ben, update, {
        bot_id: hook.user_id,
        service_payload_url: `"${url}"`,
        service_interface: 1,
      });
    });
    expect(answer).toEqual({ service_payload_url: url });
    const services = [{ base_url: url, interface: 1, token: expect.any(String) }];
    const told = [botEvent(hook, { services })];
    expect(events).toEqual({ [ada]: told, [ben]: told });
    const changed = await service.ask(ben, update, { bot_id: hook.user_id, service_interface: 2 });
    expect(changed).toEqual({ service_interface: 2 });
  });

  test('a change of owner moves a bot from one list to the other [bots.change-owner-moves]', async () => {
    let answer: unknown;
    const work = async (): Promise<void> => {
      answer = await service.ask(ada, update, { bot_id: bot.user_id, bot_owner_id: id(cleo) });
    };
    const events = await heard(work, { event_types: ['realm_user', 'realm_bot'] });
    expect(answer).toEqual({ bot_owner_id: id(cleo), bot_owner: cleo });
    const told = userEvent(bot, { bot_owner_id: id(cleo) });
    const shown = (await realmBots(cleo)).find((each) => each.user_id === bot.user_id);
    const key = String(shown?.api_key);
    expect(shown).toMatchObject({ owner: cleo, owner_id: id(cleo) });
    expect(events).toEqual({
      [ada]: [told, botEvent(bot, { owner: cleo, owner_id: id(cleo), api_key: key })],
      [ben]: [
        told,
        { type: 'realm_bot', op: 'delete', bot: { user_id: bot.user_id, email: bot.email } },
      ],
      [cleo]: [told, { type: 'realm_bot', op: 'add', bot: shown }],
      [gus]: [told],
      [echoBot]: [told],
    });
    expect(await service.refuse(ben, update, { bot_id: bot.user_id })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    await service.ask(ada, update, { bot_id: bot.user_id, bot_owner_id: id(ada) });
    expect((await realmBots(cleo)).map(({ user_id }) => user_id)).not.toContain(bot.user_id);
    await service.ask(ada, update, { bot_id: bot.user_id, bot_owner_id: id(ben) });
  });

  test('a change of owner makes a new key for the bot, and the new owner is told [bots.change-owner-new]', async () => {
    const given = await make(ben);
    const asBot = (key: string): Promise<Answer> => {
      const authorization = `Basic ${Buffer.from(`${given.email}:${key}`).toString('base64')}`;
      return service.send(null, 'GET /users/me', {}, { headers: { authorization } });
    };
    expect((await asBot(given.api_key)).status).toBe(200);
    await service.ask(ada, update, { bot_id: given.user_id, bot_owner_id: id(cleo) });
    expect((await asBot(given.api_key)).body).toMatchObject({ code: 'INVALID_API_KEY' });
    const { bots: own } = await service.ask(cleo, api.bots.list);
    const key = own.find(({ username }) => username === given.email)?.api_key ?? '';
    expect((await asBot(key)).status).toBe(200);
    const newest = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
    const { messages } = await service.ask(cleo, api.messages.page, newest);
    expect(messages[0]).toMatchObject({ type: 'private', sender_email: ada, client: 'Internal' });
    expect(messages[0]?.content).toContain(`|${String(given.user_id)}**`);
    const count = async (): Promise<number> =>
      (
        await service.rowsAdded(() =>
          service.ask(ada, update, { bot_id: given.user_id, bot_owner_id: id(ada) }),
        )
      )['message'] ?? 0;
    expect(await count()).toBe(0);
  });

  test('a change of a bot to what it already is changes nothing', async () => {
    const same = {
      full_name: 'Renamed Bot',
      bot_owner_id: id(ben),
      default_sending_stream: '',
      default_all_public_streams: true,
    };
    const added = await service.rowsAdded(async () => {
      expect(await service.ask(ben, update, { bot_id: bot.user_id, ...same })).toEqual({});
    });
    expect(added).toEqual({});
  });

  test.each<[string, Params]>([
    ['a person', { bot_id: id(cleo) }],
    ['an account that there is not', { bot_id: 999 }],
    ['a name of one character', { full_name: 'x' }],
    ['a stream that the caller cannot see', { default_sending_stream: 'secret' }],
    ['an owner that there is not', { bot_owner_id: 999 }],
    ['an owner that is a bot', { bot_owner_id: id(echoBot) }],
    ['an owner that is a guest', { bot_owner_id: id(gus) }],
    ['another owner for whom it is not theirs to say', { bot_owner_id: id(ada) }],
    ['an address of a generic bot', { service_payload_url: 'https://example.com' }],
    ['an address that is none', { service_payload_url: 'nowhere' }],
  ])('a change of a bot refuses %s [bots.change-refuses]', async (_, params) => {
    const refusal = await service.refuse(ben, update, { bot_id: bot.user_id, ...params });
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('a change of a bot refuses an owner who is deactivated', async () => {
    await service.ask(ada, api.userAdmin.deactivate, { user_id: id(cleo) });
    const params = { bot_id: bot.user_id, bot_owner_id: id(cleo) };
    expect(await service.refuse(ada, update, params)).toMatchObject({ code: 'BAD_REQUEST' });
    await service.ask(ada, api.userAdmin.reactivate, { user_id: id(cleo) });
  });

  test.each([cleo, gus, echoBot])('a change of a bot is not for %s', async (who) => {
    const params = { bot_id: bot.user_id, full_name: 'Taken Over' };
    expect(await service.refuse(who, update, params)).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe("a bot's new key", () => {
  test('the new key of a bot replaces the old one, and is told to the owner of the bot and to all administrators [bots.new-key-replaces]', async () => {
    await withSecondAdmin(async () => {
      const bot = await make(ben);
      let key = '';
      const events = await heard(async () => {
        key = (await service.ask(ben, regenerateKey, { bot_id: bot.user_id })).api_key;
      });
      expect(key).toMatch(KEY);
      expect(key).not.toBe(bot.api_key);
      const told = [botEvent(bot, { api_key: key })];
      expect(events).toEqual({ [ada]: told, [ben]: told, [cleo]: told });
      expect(JSON.stringify(service.dump())).not.toContain(key);
      const authorization = `Basic ${Buffer.from(`${bot.email}:${bot.api_key}`).toString('base64')}`;
      const old = await service.send(null, 'GET /users/me', {}, { headers: { authorization } });
      expect(old.body['code']).toBe('INVALID_API_KEY');
      const again = await service.ask(ada, regenerateKey, { bot_id: bot.user_id });
      expect(again.api_key).not.toBe(key);
    });
  });

  test('the new key of a bot never reaches somebody who owned the bot before', async () => {
    const bot = await make(ben);
    const queue = await service.register(ben);
    const { api_key: own } = await service.ask(ben, regenerateKey, { bot_id: bot.user_id });
    await service.ask(ada, update, { bot_id: bot.user_id, bot_owner_id: id(cleo) });
    const { api_key: others } = await service.ask(cleo, regenerateKey, { bot_id: bot.user_id });
    const told = JSON.stringify(await queue.now());
    expect(told).toContain(own);
    expect(told).not.toContain(others);
  });

  test.each<[string, string, number]>([
    ['others', cleo, id(hookBot)],
    ['bots', echoBot, id(echoBot)],
    ['people as bots', ada, id(ben)],
    ['what there is not', ada, 999],
  ])('the new key of a bot is not for %s [bots.new-key-not]', async (_, who, botId) => {
    expect(await service.refuse(who, regenerateKey, { bot_id: botId })).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

describe('deactivating a bot', () => {
  test('the deactivation of a bot is told to everybody, and to those who manage it [bots.deactivation-everybody-manage]', async () => {
    const bot = await make(ben);
    const full = { user_id: bot.user_id, email: bot.email, full_name: `Bot ${String(made)}` };
    const events = await heard(() => service.ask(ben, deactivate, { bot_id: bot.user_id }));
    const one = [{ type: 'realm_user', op: 'remove', person: full }];
    const both = [...one, { type: 'realm_bot', op: 'remove', bot: full }];
    expect(events).toEqual({ [ada]: both, [ben]: both, [cleo]: one, [gus]: one, [echoBot]: one });
    expect((await service.ask(ben, list)).bots.map(({ username }) => username)).not.toContain(
      bot.email,
    );
    const after = (await realmBots(ben)).find((each) => each.user_id === bot.user_id);
    expect(after).toMatchObject({ is_active: false });
    expect(await service.refuse(ben, deactivate, { bot_id: bot.user_id })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'No such bot',
    });
  });

  test.each<[string, string, number]>([
    ['others', cleo, id(hookBot)],
    ['bots', echoBot, id(echoBot)],
    ['people', ada, id(ben)],
    ['what there is not', ada, 999],
  ])('the deactivation of a bot is not for %s [bots.deactivation-not]', async (_, who, botId) => {
    expect(await service.refuse(who, deactivate, { bot_id: botId })).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

describe('a bot has at most the role of its owner', () => {
  const setRole = (who: string, role: number) =>
    service.ask(ada, api.userAdmin.update, { user_id: id(who), role });
  const roleOf = async (bot: NewBot) => {
    const { realm_users: users } = await service.ask(ada, api.events.register);
    const found = (users as readonly { user_id: number; is_guest: boolean }[]).find(
      (each) => each.user_id === bot.user_id,
    );
    return found?.is_guest;
  };

  test('who becomes a guest takes theirs along, from the next request on, and back [bots.guest-theirs-along]', async () => {
    const bot = await make(cleo);
    await service.join(ada, ['open to members'], { principals: [ada] });
    const streams = async () =>
      (await service.ask(bot.email, api.streams.list)).streams.map(({ name }) => name);
    expect(await streams()).toContain('open to members');
    const events = await heard(() => setRole(cleo, 600));
    const told = { user_id: bot.user_id, email: bot.email, is_guest: true };
    expect(events[gus]).toContainEqual({ type: 'realm_user', op: 'update', person: told });
    expect(await streams()).not.toContain('open to members');
    expect(await roleOf(bot)).toBe(true);
    await service.refuse(bot.email, api.events.register, { all_public_streams: true });
    await setRole(cleo, 400);
    expect(await streams()).toContain('open to members');
    expect(await roleOf(bot)).toBe(false);
  });

  test('who is given another owner, or comes back, has the role that this one has now', async () => {
    const bot = await make(cleo);
    await service.ask(cleo, deactivate, { bot_id: bot.user_id });
    await setRole(cleo, 600);
    await service.ask(ada, api.userAdmin.reactivate, { user_id: bot.user_id });
    expect(await roleOf(bot)).toBe(true);
    await service.ask(ada, update, { bot_id: bot.user_id, bot_owner_id: id(ben) });
    expect(await roleOf(bot)).toBe(false);
    await setRole(cleo, 400);
  });

  test('a bot of a deactivated owner is not let in, whatever its own row says', async () => {
    const bot = await make(cleo);
    await service.ask(ada, api.streams.list);
    service.change('UPDATE account SET is_active = 0 WHERE id = ?', id(cleo));
    const { status, body } = await service.answer(bot.email, api.streams.list);
    expect([status, body['code']]).toEqual([401, 'USER_DEACTIVATED']);
    service.change('UPDATE account SET is_active = 1 WHERE id = ?', id(cleo));
  });
});
