import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  echoBot,
  type How,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { backUp, restoreTo } from '#test/support/service/restored.ts';

const { signIn, list, end, endCurrent, lastUses, listOf, endOf, renewKeys } = api.devices;
const { me, create, fetchApiKey } = api.users;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const KEY = /^[A-Za-z0-9]{32}$/;
const DAY = 86_400;
const password = 'correct horse';

interface Someone {
  readonly id: number;
  readonly email: string;
}

let count = 0;
async function person(): Promise<Someone> {
  const email = `person-${++count}@example.com`;
  const account = { email, password, full_name: `Person ${count}` };
  return { id: (await service.ask(ada, create, account)).user_id, email };
}

const by = (who: string, key: string): How => ({
  headers: { authorization: `Basic ${Buffer.from(`${who}:${key}`).toString('base64')}` },
});

const device = async ({ email }: Someone, name = 'Laptop', more: Params = {}) =>
  service.ask(null, signIn, { username: email, password, name, client: 'Hearth', ...more });

const accountKey = async ({ email }: Someone, secret = password): Promise<string> =>
  (await service.ask(null, fetchApiKey, { username: email, password: secret })).api_key;

/** What the profile answers to a key: success, or the code of the refusal. */
async function knows({ email }: Someone, key: string): Promise<unknown> {
  const { body } = await service.answer(null, me, {}, by(email, key));
  return body['code'] ?? body['result'];
}

describe('a device that signs in', () => {
  test('a device has a key of its own, is listed by name, client, day and address, and ends alone [devices.key-listed-name]', async () => {
    const someone = await person();
    const [laptop, phone, old] = [
      await device(someone),
      await device(someone, ' My\n phone '),
      await accountKey(someone),
    ];
    expect(new Set([laptop.api_key, phone.api_key, old]).size).toBe(3);
    for (const key of [laptop.api_key, phone.api_key, old]) {
      expect(key).toMatch(KEY);
      expect(await knows(someone, key)).toBe('success');
      expect(await knows({ ...someone, email: String(someone.id) }, key)).toBe('success');
      expect(await knows({ id: 1, email: ada }, key)).toBe('INVALID_API_KEY');
    }
    expect(await accountKey(someone)).toBe(old);
    const stored = JSON.stringify(service.dump());
    for (const key of [laptop.api_key, phone.api_key]) expect(stored).not.toContain(key);

    const { devices, account_key: one } = await service.ask(
      null,
      list,
      {},
      by(someone.email, phone.api_key),
    );
    const today = Math.floor(Date.now() / 1000 / DAY) * DAY;
    const used = { last_used: today, address: '127.0.0.1', signed_in: today, client: 'Hearth' };
    expect(devices).toEqual([
      { id: phone.device_id, name: 'My phone', is_current: true, ...used },
      { id: laptop.device_id, name: 'Laptop', is_current: false, ...used },
    ]);
    expect(one).toEqual({ last_used: today, address: '127.0.0.1', is_current: false });

    await service.ask(null, end, { device_id: laptop.device_id }, by(someone.email, phone.api_key));
    expect(await knows(someone, laptop.api_key)).toBe('INVALID_API_KEY');
    expect(await knows(someone, phone.api_key)).toBe('success');
    await service.ask(null, endCurrent, {}, by(someone.email, phone.api_key));
    expect(await knows(someone, phone.api_key)).toBe('INVALID_API_KEY');
    expect(await knows(someone, old)).toBe('success');
    const refused = await service.refuse(null, endCurrent, {}, by(someone.email, old));
    expect(refused).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('a sign-in is refused as the exchange of a password is, and nobody ends the device of another [devices.sign-refused-exchange]', async () => {
    const [someone, other] = [await person(), await person()];
    const wrong = { username: someone.email, password: 'wrong' };
    expect(await service.refuse(null, signIn, wrong)).toMatchObject({
      code: 'AUTHENTICATION_FAILED',
      reason: 'incorrect_creds',
    });
    const { api_key: key } = await device(someone);
    const { device_id } = await device(other);
    for (const endpoint of [end, endOf, listOf, renewKeys]) {
      const params = { device_id, user_id: other.id };
      expect(
        await service.refuse(null, endpoint, params, by(someone.email, key)),
        endpoint.path,
      ).toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  test('a device keeps its key over a restart', async () => {
    const someone = await person();
    const { api_key: key } = await device(someone);
    await service.restart();
    expect(await knows(someone, key)).toBe('success');
  });

  test('an account has at most fifty devices: those unused for the longest time end [devices.account-most-fifty]', async () => {
    const someone = await person();
    const first = await device(someone, 'First');
    service.change('UPDATE device SET signed_in_at = 1 WHERE id = ?', first.device_id);
    for (let each = 1; each <= 50; each++) await device(someone, `Tab ${each}`);
    expect(await knows(someone, first.api_key)).toBe('INVALID_API_KEY');
    const { devices } = await service.ask(ada, listOf, { user_id: someone.id });
    expect(devices).toHaveLength(50);
    expect(devices.map(({ name }) => name)).not.toContain('First');
  });
});

describe('when people were last here', () => {
  const today = (): number => Math.floor(Date.now() / 1000 / DAY) * DAY;
  const ofAll = async (): Promise<ReadonlyMap<number, number>> => {
    const { last_uses: uses } = await service.ask(ada, lastUses);
    return new Map(uses.map(({ user_id: id, last_used: day }) => [id, day]));
  };

  test('administrators see on which day each person was last here, in one answer [devices.administrators-see-day]', async () => {
    const [here, before, never] = [await person(), await person(), await person()];
    const { api_key: key } = await device(here);
    expect(await knows(here, key)).toBe('success');
    await expect.poll(async () => (await ofAll()).get(here.id)).toBe(today());
    service.change(
      `INSERT INTO presence (account_id, client, status, updated_at) VALUES (?, 'Hearth', 'active', ?)`,
      before.id,
      today() - 40 * DAY + 3600,
    );
    const all = await ofAll();
    expect(all.get(before.id)).toBe(today() - 40 * DAY);
    expect(all.has(never.id)).toBe(false);
    await service.ask(ada, api.userAdmin.deactivate, { user_id: here.id });
    expect((await ofAll()).get(here.id)).toBe(today());
  });

  test('bots are not among them, however often they are here', async () => {
    await service.ask(echoBot, me);
    await service.ask(ben, me);
    await expect.poll(async () => (await ofAll()).has(idOf[ben] ?? 0)).toBe(true);
    expect((await ofAll()).has(idOf[echoBot] ?? 0)).toBe(false);
  });
});

describe('a password that an administrator gave', () => {
  const told = async (username: string, secret = password) =>
    (await service.ask(null, signIn, { username, password: secret })).must_choose_password;

  test('a password given by an administrator is told to our own windows alone, until its owner chose another one [devices.password-given-administrator]', async () => {
    const someone = await person();
    expect(await told(someone.email)).toBe(true);
    const key = await accountKey(someone);
    expect(await knows(someone, key)).toBe('success');
    const how = by(someone.email, key);
    const same = { old_password: password, new_password: password };
    expect(await service.refuse(null, api.settings.update, same, how)).toMatchObject({
      code: 'BAD_REQUEST',
    });
    const own = { old_password: password, new_password: 'battery staple' };
    await service.ask(null, api.settings.update, own, how);
    expect(await told(someone.email, 'battery staple')).toBe(false);
    // Nobody is told of it who signs in without a password, as one does on a development server.
    const without = { username: (await person()).email };
    expect((await service.ask(null, signIn, without)).must_choose_password).toBe(false);
  });

  test('a password chosen by a link or with an invitation is not one that an administrator gave', async () => {
    const someone = await person();
    const { link } = await service.ask(ada, api.passwordLinks.make, { user_id: someone.id });
    const [, token] = link.split('#password/');
    await service.ask(null, api.passwordLinks.use, { token, new_password: 'battery staple' });
    expect(await told(someone.email, 'battery staple')).toBe(false);
    const email = 'invited-here@example.com';
    await service.ask(ada, api.invitations.invite, { invitee_emails: email });
    const { invites } = await service.ask(ada, api.invitations.list);
    const invited = invites.at(-1)?.link.split('#join/')[1];
    const accepted = { token: invited, full_name: 'Invited Here', password };
    await service.ask(null, api.invitations.accept, accepted);
    expect(await told(email)).toBe(false);
  });
});

describe('keys that may have been stolen', () => {
  test('all keys end with the password, but the device that changes it is given a new one [devices.keys-end-password]', async () => {
    const someone = await person();
    const [asking, stolen, one] = [
      await device(someone),
      await device(someone, 'Stolen'),
      await accountKey(someone),
    ];
    const poll = async (key: string): Promise<unknown> => {
      const how = by(someone.email, key);
      const queue = await service.ask(null, api.events.register, { event_types: [] }, how);
      const { queue_id, last_event_id } = queue;
      return service.ask(null, api.events.poll, { queue_id, last_event_id }, how);
    };
    const waiting = poll(stolen.api_key);
    await service.arrived();
    const change = { old_password: password, new_password: 'battery staple' };
    const how = by(someone.email, asking.api_key);
    const { api_key: key = '' } = await service.ask(null, api.settings.update, change, how);
    expect(key).toMatch(KEY);
    expect(await waiting).toMatchObject({ events: [] });
    for (const dead of [asking.api_key, stolen.api_key, one]) {
      expect(await knows(someone, dead)).toBe('INVALID_API_KEY');
    }
    const { devices } = await service.ask(null, list, {}, by(someone.email, key));
    expect(devices).toMatchObject([{ id: asking.device_id, is_current: true }]);

    const old = await accountKey(someone, 'battery staple');
    const back = { old_password: 'battery staple', new_password: password };
    const answer = await service.ask(null, api.settings.update, back, by(someone.email, old));
    expect(answer.api_key).not.toBe(old);
    expect(answer.api_key).toBe(await accountKey(someone));
    expect(await knows(someone, key)).toBe('INVALID_API_KEY');
  });

  test('keys do not come back with an account, which until then is called deactivated [devices.keys-not-come]', async () => {
    const someone = await person();
    const keys = [(await device(someone)).api_key, await accountKey(someone)];
    await service.ask(ada, api.userAdmin.deactivate, { user_id: someone.id });
    for (const key of keys) expect(await knows(someone, key)).toBe('USER_DEACTIVATED');
    await service.ask(ada, api.userAdmin.reactivate, { user_id: someone.id });
    for (const key of keys) expect(await knows(someone, key)).toBe('INVALID_API_KEY');
    expect(await knows(someone, await accountKey(someone))).toBe('success');
  });

  test('a bot that comes back has a new one, and whoever manages it is told of it', async () => {
    const bot = { full_name: 'Back', short_name: 'back' };
    const { user_id: userId, api_key: key } = await service.ask(ben, api.bots.create, bot);
    await service.ask(ben, api.bots.deactivate, { bot_id: userId });
    const queue = await service.register(ben, { event_types: ['realm_bot'] });
    await service.ask(ada, api.userAdmin.reactivate, { user_id: userId });
    const [event] = await queue.now();
    const told = event?.type === 'realm_bot' && event.op === 'add' ? event.bot.api_key : undefined;
    const { bots } = await service.ask(ben, api.bots.list);
    expect(bots.find(({ full_name: name }) => name === 'Back')?.api_key).toBe(told);
    expect(told).not.toBe(key);
  });

  test('an administrator ends the keys of one device, or everything [devices.administrator-ends-keys]', async () => {
    const someone = await person();
    const [first, second, one] = [
      await device(someone),
      await device(someone, 'Second'),
      await accountKey(someone),
    ];
    const { devices } = await service.ask(ada, listOf, { user_id: someone.id });
    expect(devices.map(({ name }) => name)).toEqual(['Second', 'Laptop']);
    await service.ask(ada, endOf, { user_id: someone.id, device_id: first.device_id });
    expect(await knows(someone, first.api_key)).toBe('INVALID_API_KEY');
    expect(await knows(someone, second.api_key)).toBe('success');
    expect(await service.ask(ada, renewKeys, { user_id: someone.id })).toEqual({});
    for (const key of [second.api_key, one]) {
      expect(await knows(someone, key)).toBe('INVALID_API_KEY');
    }
    const nobody = { user_id: 9999 };
    expect(await service.refuse(ada, renewKeys, nobody)).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await service.refuse(ada, listOf, nobody)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('the one key for other programs is renewed alone', async () => {
    const someone = await person();
    const [laptop, one] = [await device(someone), await accountKey(someone)];
    const how = by(someone.email, laptop.api_key);
    const { api_key: key } = await service.ask(null, api.userAdmin.regenerateKey, {}, how);
    expect(await knows(someone, one)).toBe('INVALID_API_KEY');
    expect(await knows(someone, laptop.api_key)).toBe('success');
    expect(await accountKey(someone)).toBe(key);
  });

  test('a stolen key is not good for taking the account away: another address takes the password [devices.stolen-key-not]', async () => {
    const someone = await person();
    const { api_key: key } = await device(someone);
    const how = by(someone.email, key);
    const email = `moved-${someone.email}`;
    for (const more of [{}, { old_password: 'wrong' }]) {
      expect(
        await service.refuse(null, api.settings.update, { email, ...more }, how),
      ).toMatchObject({ code: 'WRONG_PASSWORD' });
    }
    expect(await service.ask(null, api.settings.update, { email: someone.email }, how)).toEqual({});
    const right = { email, old_password: password };
    expect(await service.ask(null, api.settings.update, right, how)).toEqual({ email });
    expect(await knows({ ...someone, email }, key)).toBe('success');
  });
});

describe('a restored organization', () => {
  test('a restored organization ends what was signed out since, and keeps what signed in after that was written down', async () => {
    const someone = await person();
    const [kept, ended] = [await device(someone, 'Kept'), await device(someone, 'Ended')];
    const ids = (): readonly number[] => service.rows('device').map(({ id }) => Number(id));
    const newestDeviceId = Math.max(...ids());
    const deviceIds = ids().filter((id) => id !== newestDeviceId);
    const late = await device(someone, 'Late');
    const backup = await backUp(service);
    const known = async (): Promise<readonly unknown[]> => {
      const answers = [];
      for (const each of [kept, ended, late]) answers.push(await knows(someone, each.api_key));
      return answers;
    };
    const accounts = service.rows('account') as never[];
    await restoreTo(service, backup, { accounts, deviceIds, newestDeviceId });
    expect(await known()).toEqual(['success', 'INVALID_API_KEY', 'success']);
    // An older version did not write down how far it knew.
    await restoreTo(service, backup, { accounts, deviceIds });
    expect(await known()).toEqual(['success', 'INVALID_API_KEY', 'INVALID_API_KEY']);
  });
});

test('the own password is guessed ten times with one key, whatever strangers and other devices guess [devices.password-guessed-ten]', async () => {
  const [someone, other] = [await person(), await person()];
  await service.ask(ada, api.userAdmin.update, { user_id: someone.id, role: 200 });
  const own = by(someone.email, (await device(someone)).api_key);
  const stolen = by(someone.email, (await device(someone, 'Phone')).api_key);
  const account = by(someone.email, await accountKey(someone));
  const { update } = api.settings;
  const isLimited = { code: 'RATE_LIMIT_HIT' };
  const chosen = { new_password: 'battery staple' };
  const right = { old_password: password, ...chosen };
  for (let guess = 0; guess < 10; guess++) {
    const strangers = { username: someone.email, password: 'wrong' };
    await service.refuse(null, guess % 2 ? fetchApiKey : signIn, strangers);
    const wrong = { old_password: 'wrong horse', ...chosen };
    const refused = await service.refuse(null, update, wrong, stolen);
    expect(refused).toMatchObject({ code: 'WRONG_PASSWORD' });
  }
  const login = { username: someone.email, password };
  expect(await service.refuse(null, fetchApiKey, login)).toMatchObject(isLimited);
  // One more guess is none, wherever it is made.
  expect(await service.refuse(null, update, right, stolen)).toMatchObject(isLimited);
  const link = { user_id: other.id, password };
  expect(await service.refuse(null, api.passwordLinks.make, link, stolen)).toMatchObject(isLimited);
  expect((await service.ask(null, api.passwordLinks.make, link, account)).link).toContain('#');
  // What checks no password goes on.
  await service.ask(null, update, { full_name: 'Dora Free' }, stolen);
  await service.ask(null, update, right, own);
});
