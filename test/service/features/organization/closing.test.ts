import { afterEach, beforeEach, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  everybody,
  gus,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { deactivate, reactivate } = api.closing;
const { fetchApiKey, devFetchApiKey } = api.users;
const PASSWORD = 'a long password';
const dora = 'dora@example.com';
const emil = 'emil@example.com';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  for (const [email, isAdmin] of [
    [dora, true],
    [emil, false],
  ] as const) {
    const account = { email, password: PASSWORD, full_name: 'Has a password' };
    const { user_id } = await service.ask(ada, api.users.create, account);
    if (isAdmin) await service.ask(ada, api.userAdmin.update, { user_id, is_admin: true });
  }
  for (const who of everybody) await service.keyOf(who);
});
afterEach(() => service.stop());

test('whoever waits is told, and from then on every key is refused, also after a restart [closing.waits-key-refused]', async () => {
  const queues = await Promise.all(everybody.map((who) => service.register(who)));
  const waiting = queues.map((queue) => queue.poll());
  await service.arrived();
  expect(await service.ask(ada, deactivate)).toEqual({});
  for (const events of await Promise.all(waiting)) {
    expect(events).toEqual([
      { id: expect.any(Number), type: 'realm', op: 'deactivated', realm_id: 1 },
    ]);
  }
  await service.restart();
  for (const who of everybody) {
    for (const endpoint of [api.users.me, api.events.register, deactivate]) {
      expect(await service.refuse(who, endpoint)).toMatchObject({ code: 'REALM_DEACTIVATED' });
    }
  }
});

test('a wrong key is still called wrong', async () => {
  await service.ask(ada, deactivate);
  const wrong = { authorization: `Basic ${Buffer.from(`${ben}:wrong`).toString('base64')}` };
  const answer = await service.send(null, 'GET /users/me', {}, { headers: wrong });
  expect(answer.body['code']).toBe('INVALID_API_KEY');
});

test('an integration may not post either', async () => {
  const params = { api_key: await service.keyOf('hook-bot@example.com'), stream: 'general' };
  await service.ask(ada, deactivate);
  const body = JSON.stringify({ featured_title: 'Soup', featured_url: 'https://example.com/' });
  const call = { integration: 'helloworld', ...params };
  const refusal = await service.refuse(null, api.webhooks.receive, call, { body });
  expect(refusal).toMatchObject({ code: 'REALM_DEACTIVATED' });
});

test('passwords are exchanged for no key, and wrong ones called wrong [closing.passwords-exchanged-no]', async () => {
  await service.ask(ada, deactivate);
  const refused = { code: 'AUTHENTICATION_FAILED', reason: 'realm deactivated' };
  expect(
    await service.refuse(null, fetchApiKey, { username: emil, password: PASSWORD }),
  ).toMatchObject(refused);
  expect(await service.refuse(null, devFetchApiKey, { username: ben })).toMatchObject(refused);
  expect(
    await service.refuse(null, fetchApiKey, { username: emil, password: 'wrong password' }),
  ).toMatchObject({ code: 'AUTHENTICATION_FAILED', reason: 'incorrect_creds' });
});

test('what needs no account is still answered', async () => {
  await service.ask(ada, deactivate);
  expect(await service.ask(null, api.server.settings)).toMatchObject({ realm_name: 'Dev' });
});

test('nobody but administrators may deactivate it [closing.nobody-administrators-deactivate]', async () => {
  for (const who of [ben, cleo, gus, echoBot]) {
    expect(await service.refuse(who, deactivate)).toMatchObject({ code: 'BAD_REQUEST' });
  }
});

test('an administrator brings it back by password; keys and queues are as they were [closing.administrator-brings-back]', async () => {
  const queue = await service.register(cleo);
  const id = await service.say(ben, 'general', 'lunch');
  await service.ask(ada, deactivate);
  expect(await service.ask(null, reactivate, { username: dora, password: PASSWORD })).toEqual({});
  expect(await queue.heard()).toEqual([`message ${String(id)}`, 'realm deactivated']);
  await service.say(ben, 'general', 'lunch');
});

test('others do not bring it back [closing.bringing-back-refused]', async () => {
  await service.ask(ada, deactivate);
  const wrong = { code: 'AUTHENTICATION_FAILED', reason: 'incorrect_creds' };
  for (const [username, password] of [
    [dora, 'wrong password'],
    ['nobody@example.com', PASSWORD],
    ['no address', PASSWORD],
    [echoBot, PASSWORD],
  ] as const) {
    expect(await service.refuse(null, reactivate, { username, password })).toMatchObject(wrong);
  }
  const member = { username: emil, password: PASSWORD };
  expect(await service.refuse(null, reactivate, member)).toMatchObject({ code: 'BAD_REQUEST' });
  service.change('UPDATE account SET is_active = 0 WHERE email = ?', dora);
  const former = { username: dora, password: PASSWORD };
  expect(await service.refuse(null, reactivate, former)).toMatchObject({
    code: 'AUTHENTICATION_FAILED',
    reason: 'user disable',
  });
  expect(await service.refuse(null, reactivate, { username: dora })).toMatchObject({
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'password',
  });
});

test('there is nothing to bring back while it is active', async () => {
  const params = { username: dora, password: PASSWORD };
  expect(await service.refuse(null, reactivate, params)).toMatchObject({ code: 'BAD_REQUEST' });
});

test('guesses are counted as those of signing in are [closing.guesses-counted-signing]', async () => {
  await service.ask(ada, deactivate);
  const guess = { username: dora, password: 'wrong password' };
  const codes: unknown[] = [];
  for (let count = 0; count < 11; count++) {
    codes.push((await service.refuse(null, count % 2 ? reactivate : fetchApiKey, guess)).code);
  }
  expect(codes.at(-1)).toBe('RATE_LIMIT_HIT');
  expect(new Set(codes.slice(0, -1))).toEqual(new Set(['AUTHENTICATION_FAILED']));
});

test('until a restored organization is opened, invitations and links to a new password are good at its computer alone [closing.restored-organization-opened]', async () => {
  const { invite_link: link } = await service.ask(ada, api.invitations.inviteMany);
  const user_id = idOf[ben];
  const made = await service.ask(ada, api.passwordLinks.make, { user_id });
  service.change("UPDATE realm SET opens_with = '123456'");
  await service.restart();
  const tokenOf = (url: string): string => url.split('/').at(-1) ?? '';
  const token = tokenOf(link);
  const person = { token, email: 'new@example.com', full_name: 'New', password: PASSWORD };
  const uses = [
    [api.invitations.look, { token }],
    [api.invitations.accept, person],
    [api.passwordLinks.use, { token: tokenOf(made.link), new_password: PASSWORD }],
  ] as const;
  const elsewhere = { headers: { 'x-forwarded-for': '192.0.2.1' } };
  for (const [endpoint, params] of uses) {
    const refused = await service.refuse(null, endpoint, params, elsewhere);
    expect(refused).toMatchObject({ code: 'ORGANIZATION_CLOSED' });
  }
  for (const [endpoint, params] of uses) await service.ask(null, endpoint, params);
});
