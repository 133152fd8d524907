import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  hookBot,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { me, list, create, fetchApiKey, devFetchApiKey } = api.users;
const { settings, createOrganization } = api.server;

let service: TestService;
/** Not a development service: it starts without an organization. */
let production: TestService;
beforeAll(async () => {
  [service, production] = await Promise.all([
    startTestService(),
    startTestService({ isDevelopment: false }),
  ]);
});
afterAll(async () => {
  await Promise.all([service.stop(), production.stop()]);
});

const KEY = /^[A-Za-z0-9]{32}$/;
const gravatar = /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=1$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/;

/** Another `client_id` in every answer. */
const profileOf = async (who: string) => {
  const { client_id: clientId, ...profile } = await service.ask(who, me);
  expect(clientId).not.toBe('');
  return profile;
};

describe('the own profile', () => {
  test('a person who asks for their profile gets these keys [accounts.person-asks-profile]', async () => {
    const profile = await profileOf(cleo);
    expect(profile).toEqual({
      user_id: idOf[cleo],
      email: cleo,
      full_name: 'Cleo Member',
      short_name: 'cleo',
      is_admin: false,
      is_guest: false,
      is_bot: false,
      is_active: true,
      bot_type: null,
      avatar_url: expect.stringMatching(gravatar),
      timezone: '',
      date_joined: expect.stringMatching(ISO),
      profile_data: {},
      pointer: -1,
      max_message_id: -1,
    });
  });

  test('a bot that asks for its profile gets its owner and no profile fields [accounts.bot-asks-profile]', async () => {
    const profile = await profileOf(echoBot);
    expect(profile).toMatchObject({
      user_id: idOf[echoBot],
      email: echoBot,
      full_name: 'Echo Bot',
      is_bot: true,
      bot_type: 1,
      bot_owner: ada,
      bot_owner_id: idOf[ada],
    });
    expect(profile).not.toHaveProperty('profile_data');
  });

  test('the profile of the caller tells their role [accounts.profile-caller-role]', async () => {
    expect(await profileOf(ada)).toMatchObject({ is_admin: true, is_guest: false });
    expect(await profileOf(gus)).toMatchObject({ is_admin: false, is_guest: true });
  });

  test('the profile of the caller has the newest message that they hold, whoever sent it [accounts.profile-caller-newest]', async () => {
    const own = await service.tell(ada, [ada]);
    const id = await service.say(ada, 'engineering', 't');
    expect((await profileOf(ben)).max_message_id).toBe(id);
    expect((await profileOf(ada)).max_message_id).toBe(id);
    await service.tell(ada, [ada]);
    expect((await profileOf(ben)).max_message_id).toBe(id);
    expect((await profileOf(cleo)).max_message_id).not.toBe(own);
  });

  test('the profile of the caller has another client id in every answer [accounts.profile-caller-another]', async () => {
    const ids = [await service.ask(ada, me), await service.ask(ada, me)].map(
      (profile) => profile.client_id,
    );
    expect(ids[0]).not.toBe(ids[1]);
  });

  test('the profile of the caller is not for incoming webhook bots', async () => {
    expect(await service.refuse(hookBot, me)).toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('the list of accounts', () => {
  test('the list of accounts has everybody, bots and deactivated accounts included [accounts.list-everybody-bots]', async () => {
    service.change('UPDATE account SET is_active = 0 WHERE id = ?', idOf[gus] ?? 0);
    const { members } = await service.ask(cleo, list);
    service.change('UPDATE account SET is_active = 1 WHERE id = ?', idOf[gus] ?? 0);
    expect(members.map((member) => [member.email, member.is_active, member.bot_type])).toEqual([
      [ada, true, null],
      [ben, true, null],
      [cleo, true, null],
      [gus, false, null],
      [hookBot, true, 2],
      [echoBot, true, 1],
    ]);
    expect(members.find(({ email }) => email === hookBot)).toEqual({
      user_id: idOf[hookBot],
      email: hookBot,
      full_name: 'Hook Bot',
      is_admin: false,
      is_guest: false,
      is_bot: true,
      is_active: true,
      bot_type: 2,
      bot_owner: ben,
      bot_owner_id: idOf[ben],
      avatar_url: expect.stringMatching(gravatar),
      timezone: '',
      date_joined: expect.stringMatching(ISO),
    });
  });

  test('the list of accounts is the same for guests and bots', async () => {
    const lists = await Promise.all([ada, gus, echoBot].map((who) => service.ask(who, list)));
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[2]).toEqual(lists[0]);
  });

  test('the list of accounts leaves gravatars to a client that computes them [accounts.list-leaves-gravatars]', async () => {
    const { members } = await service.ask(ada, list, { client_gravatar: true });
    expect(members.map((member) => member.avatar_url)).toEqual(members.map(() => null));
  });

  test('the list of accounts has profile fields of people only when asked for [accounts.list-profile-fields]', async () => {
    const plain = await service.ask(ada, list);
    for (const member of plain.members) expect(member).not.toHaveProperty('profile_data');
    const full = await service.ask(ada, list, { include_custom_profile_fields: true });
    for (const member of full.members) {
      expect(member.profile_data).toEqual(member.is_bot ? undefined : {});
    }
  });
});

describe('creating an account', () => {
  const dora = {
    email: 'Dora@Example.com',
    password: 'correct horse',
    full_name: 'Dora Nova',
  };

  test('a new account is a member of the default streams, and its password works at once [accounts.new-member-default]', async () => {
    const before = service.dump();
    const { user_id: userId } = await service.ask(ada, create, {
      ...dora,
      full_name: '"Dora Nova"',
    });
    const after = service.dump();
    const added = (table: string): number =>
      (after[table]?.length ?? 0) - (before[table]?.length ?? 0);
    expect(['account', 'membership', 'stream_setting'].map(added)).toEqual([1, 1, 1]);
    const { members } = await service.ask(ada, list);
    expect(members.find((member) => member.user_id === userId)).toMatchObject({
      email: 'Dora@Example.com',
      full_name: 'Dora Nova',
      is_admin: false,
      is_guest: false,
      is_bot: false,
    });
    const key = await service.ask(null, fetchApiKey, {
      username: ' dora@example.COM',
      password: dora.password,
    });
    expect(key).toEqual({ email: 'Dora@Example.com', api_key: expect.stringMatching(KEY) });
    const { streams } = await service.ask('Dora@Example.com', api.streams.list, {
      include_public: false,
    });
    expect(streams.map((stream) => stream.name)).toEqual(['general']);
    expect(await service.ask('Dora@Example.com', me)).toMatchObject({ short_name: 'Dora' });
  });

  test('a new account takes a short name [accounts.new-short-name]', async () => {
    const email = 'eve@example.com';
    await service.ask(ada, create, { ...dora, email, short_name: 'evie' });
    expect(await service.ask(email, me)).toMatchObject({ short_name: 'evie' });
  });

  test.each<[string, Params, Params]>([
    ['no address', { email: undefined }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'email' }],
    [
      'no password',
      { password: undefined },
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'password' },
    ],
    [
      'no name',
      { full_name: undefined },
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'full_name' },
    ],
    ['an address in use, in another case', { email: 'BEN@example.com' }, { code: 'BAD_REQUEST' }],
    ['no address at all', { email: 'fred' }, { code: 'BAD_REQUEST' }],
    ['an address of two', { email: 'a@b,c@d' }, { code: 'BAD_REQUEST' }],
    ['a name of one character', { full_name: 'X' }, { code: 'BAD_REQUEST' }],
    ['a name of 101 characters', { full_name: 'x'.repeat(101) }, { code: 'BAD_REQUEST' }],
    ...['*', '`', '>', '"', '@'].map((character): [string, Params, Params] => [
      `a name with ${character}`,
      { full_name: `a${character}b` },
      { code: 'BAD_REQUEST' },
    ]),
    ['a short password', { password: 'seven77' }, { code: 'BAD_REQUEST' }],
  ])('%s is refused [accounts.creating-argument-refused]', async (_, more, expected) => {
    const params = { ...dora, email: 'fred@example.com', ...more };
    expect(await service.refuse(ada, create, params)).toMatchObject(expected);
  });

  test.each([ben, gus, echoBot])(
    '%s is refused [accounts.creating-caller-refused]',
    async (who) => {
      const params = { ...dora, email: 'fred@example.com' };
      expect(await service.refuse(who, create, params)).toMatchObject({ code: 'BAD_REQUEST' });
    },
  );

  test('an incoming webhook bot is refused', async () => {
    const refusal = await service.refuse(hookBot, create, { ...dora, email: 'fred@example.com' });
    expect(refusal).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('two accounts with one address cannot be made at once', async () => {
    const answers = await Promise.all(
      ['twin@example.com', 'TWIN@example.com'].map((email) =>
        service.answer(ada, create, { ...dora, email }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('a password for a key', () => {
  const password = 'correct horse';

  beforeAll(async () => {
    const more = { password, full_name: 'Somebody' };
    await service.ask(ada, create, { ...more, email: 'hans@example.com' });
    await service.ask(ada, create, { ...more, email: 'gone@example.com' });
    service.change("UPDATE account SET is_active = 0 WHERE email = 'gone@example.com'");
  });

  const failed = (reason: string): Params => ({ code: 'AUTHENTICATION_FAILED', reason });

  test.each<[string, Params, Params]>([
    ['an unknown account', { username: 'nobody@example.com' }, failed('incorrect_creds')],
    ['a wrong password', { password: 'wrong horse' }, failed('incorrect_creds')],
    ['an empty password', { password: '' }, failed('incorrect_creds')],
    ['an account without a password', { username: ada }, failed('incorrect_creds')],
    ['a bot', { username: echoBot }, failed('incorrect_creds')],
    ['a deactivated account', { username: 'gone@example.com' }, failed('user disable')],
    [
      'a deactivated account with a wrong password',
      { username: 'gone@example.com', password: 'wrong' },
      failed('incorrect_creds'),
    ],
    ['no address', { username: 'hans' }, { code: 'BAD_REQUEST' }],
    ['nobody', { username: undefined }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'username' }],
    [
      'no password',
      { password: undefined },
      { code: 'REQUEST_VARIABLE_MISSING', var_name: 'password' },
    ],
  ])('%s is refused [accounts.exchange-refused]', async (_, more, expected) => {
    const params = { username: 'hans@example.com', password, ...more };
    expect(await service.refuse(null, fetchApiKey, params)).toMatchObject(expected);
  });

  test('an unknown account and a wrong password are refused in the same words [accounts.unknown-wrong-password]', async () => {
    const unknown = await service.refuse(null, fetchApiKey, {
      username: 'nobody2@example.com',
      password,
    });
    const wrong = await service.refuse(null, fetchApiKey, {
      username: 'hans@example.com',
      password: 'x',
    });
    expect(wrong).toEqual(unknown);
  });

  test('every exchange gives the same key, which works; so does a multipart form [accounts.exchange-gives-key]', async () => {
    const form = new FormData();
    form.append('username', 'HANS@example.com');
    form.append('password', password);
    const first = await service.ask(null, fetchApiKey, {}, { body: form });
    const second = await service.ask(null, fetchApiKey, { username: 'hans@example.com', password });
    expect(first).toEqual(second);
    const basic = Buffer.from(`hans@example.com:${first.api_key}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    expect(await service.ask(null, me, {}, { headers })).toMatchObject({
      email: 'hans@example.com',
    });
  });

  test('guessing one account is limited', async () => {
    const params = { username: 'guessed@example.com', password };
    for (let guess = 0; guess < 10; guess += 1) {
      const refusal = await service.refuse(null, fetchApiKey, params);
      expect(refusal).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    }
    const limited = await service.refuse(null, fetchApiKey, params);
    expect(limited).toMatchObject({ code: 'RATE_LIMIT_HIT' });
    expect(limited['retry-after']).toBeGreaterThan(0);
  });
});

describe('a key without a password', () => {
  test('a key without a password is for development servers [accounts.key-without-password]', async () => {
    const { api_key: key, email } = await service.ask(null, devFetchApiKey, {
      username: 'BEN@example.com',
    });
    expect({ key, email }).toEqual({ key: expect.stringMatching(KEY), email: ben });
  });

  test.each<[string, Params, Params]>([
    [
      'an unknown account',
      { username: 'x@y' },
      { code: 'AUTHENTICATION_FAILED', reason: 'unregistered' },
    ],
    ['nobody', {}, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'username' }],
  ])('%s is refused [accounts.key-without-password-argument]', async (_, params, expected) => {
    expect(await service.refuse(null, devFetchApiKey, params)).toMatchObject(expected);
  });

  test.each<Params>([{}, { username: 'x' }, { username: ada }])(
    'a key without a password is refused on a production server: %j [accounts.key-without-password-refused-production]',
    async (params) => {
      const refusal = await production.refuse(null, devFetchApiKey, params);
      expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    },
  );
});

describe('what a service tells before sign-in', () => {
  const common = {
    authentication_methods: {
      azuread: false,
      dev: false,
      email: true,
      github: false,
      google: false,
      ldap: false,
      password: true,
      remoteuser: false,
      saml: false,
    },
    chat_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    zulip_version: '2.1.0',
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    external_authentication_methods: [],
  };

  test('every key, those of the organization included [accounts.key-organization-included]', async () => {
    expect(await service.ask(null, settings)).toEqual({
      ...common,
      authentication_methods: { ...common.authentication_methods, dev: true },
      realm_uri: service.origin,
      realm_name: 'Dev',
      realm_icon: expect.stringMatching(/^\//),
      realm_description: '',
      join_requests: true,
    });
  });

  test.each(['Basic bm90OmtleQ==', 'Basic !', 'Bearer x', ''])(
    'whatever the Authorization header: %j',
    async (authorization) => {
      await service.ask(null, settings, {}, { headers: { authorization } });
    },
  );

  test('HEAD is answered like GET, without a body', async () => {
    const answer = await service.send(null, 'HEAD /server_settings');
    expect(answer).toMatchObject({ status: 200, body: {} });
  });

  test('without an organization a service tells no keys of one; then one can be created, once [accounts.without-organization-service]', async () => {
    expect(await production.ask(null, settings)).toEqual(common);
    const request = {
      realm_name: 'Acme',
      full_name: 'Olga Owner',
      email: 'olga@example.com',
      password: 'correct horse',
    };
    for (const [more, expected] of [
      [{ realm_name: ' ' }, { code: 'BAD_REQUEST' }],
      [{ realm_name: 'x'.repeat(61) }, { code: 'BAD_REQUEST' }],
      [{ full_name: '@' }, { code: 'BAD_REQUEST' }],
      [{ email: 'olga' }, { code: 'BAD_REQUEST' }],
      [{ password: 'short' }, { code: 'BAD_REQUEST' }],
      [{ password: 'PassWord' }, { code: 'REQUEST_VARIABLE_INVALID', var_name: 'password' }],
      [{ email: undefined }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'email' }],
    ] as const) {
      const refusal = await production.refuse(null, createOrganization, { ...request, ...more });
      expect(refusal).toMatchObject(expected);
    }
    const foreign = { headers: { origin: 'http://evil.example' } };
    expect(await production.refuse(null, createOrganization, request, foreign)).toMatchObject({
      code: 'BAD_REQUEST',
    });
    const { api_key: key, email } = await production.ask(null, createOrganization, request);
    expect({ key, email }).toEqual({ key: expect.stringMatching(KEY), email: request.email });
    expect(await production.ask(null, settings)).toMatchObject({ realm_name: 'Acme' });
    const again = { ...request, email: 'second@example.com' };
    expect(await production.refuse(null, createOrganization, again)).toMatchObject({
      code: 'BAD_REQUEST',
    });
    const basic = Buffer.from(`${email}:${key}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    expect(await production.ask(null, me, {}, { headers })).toMatchObject({ is_admin: true });
    const { streams } = await production.ask(null, api.streams.list, {}, { headers });
    expect(streams.map((stream) => stream.name)).toEqual(['general']);
    expect(
      await production.ask(null, fetchApiKey, { username: email, password: request.password }),
    ).toEqual({ api_key: key, email });
  });
});

describe('wrong credentials', () => {
  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

  test.each<[string, string | undefined, string]>([
    ['no header', undefined, 'UNAUTHORIZED'],
    ['another scheme', 'Bearer x', 'UNAUTHORIZED'],
    ['no base64', 'Basic ?', 'UNAUTHORIZED'],
    ['no colon', basic('ada'), 'UNAUTHORIZED'],
    ['a wrong key', basic(`${ada}:${'x'.repeat(32)}`), 'INVALID_API_KEY'],
    ['an unknown account', basic(`nobody@example.com:${'x'.repeat(32)}`), 'INVALID_API_KEY'],
  ])('%s', async (_, authorization, code) => {
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await service.answer(null, me, {}, { headers });
    expect(answer.body['code']).toBe(code);
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="chat"');
  });

  test("somebody else's key", async () => {
    const headers = { authorization: basic(`${ada}:${await service.keyOf(ben)}`) };
    expect(await service.refuse(null, me, {}, { headers })).toMatchObject({
      code: 'INVALID_API_KEY',
    });
  });

  test('a deactivated account with its key', async () => {
    await service.keyOf(gus);
    service.change('UPDATE account SET is_active = 0 WHERE id = ?', idOf[gus] ?? 0);
    expect(await service.refuse(gus, me)).toMatchObject({ code: 'USER_DEACTIVATED' });
    service.change('UPDATE account SET is_active = 1 WHERE id = ?', idOf[gus] ?? 0);
    expect(await service.ask(gus, me)).toMatchObject({ email: gus });
  });

  test('an address without case and with blanks around it is right', async () => {
    const headers = { authorization: basic(` ADA@example.com : ${await service.keyOf(ada)} `) };
    expect(await service.ask(null, me, {}, { headers })).toMatchObject({ email: ada });
  });
});

describe('paths and methods', () => {
  test.each([
    ['GET /nothing', 404, { code: 'NOT_FOUND' }],
    ['GET /users/me/abc/topics', 404, { code: 'NOT_FOUND' }],
    [
      'PUT /messages',
      405,
      { code: 'METHOD_NOT_ALLOWED', allowed_methods: ['GET', 'HEAD', 'POST'] },
    ],
    ['GET /register', 405, { code: 'METHOD_NOT_ALLOWED', allowed_methods: ['POST'] }],
    ['GET /external/helloworld', 405, { code: 'METHOD_NOT_ALLOWED', allowed_methods: ['POST'] }],
    ['GET /external/nothing', 404, { code: 'NOT_FOUND' }],
  ])('%s is %i', async (request, status, expected) => {
    const answer = await service.send(ada, request);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ result: 'error', ...expected });
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  test('OPTIONS names the methods of a path', async () => {
    const answer = await service.send(null, 'OPTIONS /users/me/subscriptions');
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH, POST');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('a body beyond 1 MiB is refused', async () => {
    const { status, body } = await service.send(ada, 'POST /messages', {
      content: 'x'.repeat(1024 * 1024),
    });
    expect({ status, code: body['code'] }).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  test('malformed UTF-8 is refused', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const refusal = await service.refuse(ada, api.messages.send, {}, { body: 'to=%FF', headers });
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
  });
});
