import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { defaultLimits } from '#shared/limits.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  heardOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { backUp, restoreTo } from '#test/support/service/restored.ts';

const { accept, ask, decline, list, state, withdraw } = api.joinRequests;
const bad = { code: 'BAD_REQUEST' };
const DAY = 86_400;
const password = 'a long password';
const full_name = 'Nia Newcomer';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
// How many there are is limited.
beforeEach(() => service.change('DELETE FROM join_request'));

let count = 0;
const freshAddress = (): string => `nia${String(++count)}@example.com`;

const requestsOf = async () => (await service.ask(ada, list)).requests;
const find = async (email: string) => {
  const found = (await requestsOf()).find((each) => each.email === email);
  if (found === undefined) throw new Error('nobody asked with that address');
  return found;
};
const stateOf = (secret: string) => service.ask(null, state, { secret });

async function asked(more: Params = {}) {
  const email = freshAddress();
  const answer = await service.ask(null, ask, { full_name, email, ...more });
  return { email, ...answer };
}

/** Lets so many seconds pass for all. */
const age = (seconds: number): void => {
  const sql = 'UPDATE join_request SET asked_at = asked_at - ?, expires_at = expires_at - ?';
  service.change(sql, seconds, seconds);
};
/** As if they had come from another computer. */
const move = (address: string): void => {
  service.change("UPDATE join_request SET address = ? WHERE address = '127.0.0.1'", address);
};

describe('asking to join', () => {
  test('administrators alone are told that somebody asks, and alone see who [join-requests.administrators-asks-see]', async () => {
    let secret = '';
    const heard = await heardOf(service, async () => {
      ({ secret } = await asked({ about: ' the new\nbookkeeper ' }));
    });
    expect(heard).toEqual({ [ada]: ['join_requests 1'] });
    const [request] = await requestsOf();
    expect(request).toMatchObject({
      full_name,
      about: 'the new bookkeeper',
      address: '127.0.0.1',
      times: 1,
      account: null,
      looks_like: [],
    });
    for (const who of [ben, cleo, gus, echoBot]) {
      expect(await service.refuse(who, list)).toMatchObject(bad);
    }
    expect(await stateOf(` ${secret} `)).toEqual({ state: 'waiting' });
    const counts = async (who: string) =>
      (await service.ask(who, api.events.register, { fetch_event_types: ['join_requests'] }))
        .join_request_count;
    expect([await counts(ada), await counts(ben)]).toEqual([1, undefined]);
  });

  test('whoever asks and whoever decides see the same number, and the secret is stored nowhere [join-requests.asks-decides-see]', async () => {
    const { secret, number, email, expires } = await asked();
    expect(number).toMatch(/^\d{4}$/);
    expect(await find(email)).toMatchObject({ number, expires });
    await service.restart();
    expect(await stateOf(secret)).toEqual({ state: 'waiting' });
    expect(JSON.stringify(service.dump())).not.toContain(secret);
  });

  test('an address with an account, a deactivated one and one that asked before are answered as any other [join-requests.address-account-deactivated]', async () => {
    const deactivated = freshAddress();
    const person = { email: deactivated, full_name: 'Once Here', password };
    const { user_id } = await service.ask(ada, api.users.create, person);
    await service.ask(ada, api.userAdmin.deactivate, { user_id });
    const { email: before } = await asked();
    const shapes = [];
    for (const email of [freshAddress(), ben, deactivated, before.toUpperCase()]) {
      move(`10.0.0.${String(shapes.length)}`);
      const answer = await service.answer(null, ask, { full_name, email });
      const { secret, number, expires, ...rest } = answer.body;
      const look = [typeof secret, String(secret).length, typeof number, typeof expires];
      const told = await service.answer(null, state, { secret });
      shapes.push([answer.status, rest, look, told.status, told.body]);
    }
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
    expect(
      (await requestsOf()).map(({ email, account, times }) => [email, account, times]),
    ).toEqual([
      [before, null, 2],
      [expect.any(String), null, 1],
      [ben, 'active', 1],
      [deactivated, 'deactivated', 1],
    ]);
    expect((await service.refuse(ada, accept, { request_id: (await find(ben)).id })).msg).toContain(
      'has an account already',
    );
    const { id } = await find(deactivated);
    expect(await service.refuse(ada, accept, { request_id: id })).toMatchObject(bad);
  });

  test('names that can be taken for those of others are shown with these [join-requests.names-taken-shown]', async () => {
    const looks = { 'Ben Mernber': [2], 'ben  member': [2], 'Веn Member': [2], 'Nia New': [] };
    for (const [name, ids] of Object.entries(looks)) {
      const { email } = await asked({ full_name: name });
      expect((await find(email)).looks_like, name).toEqual(ids);
    }
  });

  test.each<[string, Params]>([
    ['no name', { full_name: undefined }],
    ['a name of one letter', { full_name: 'x' }],
    ['a name that forms a mention', { full_name: '@**Ada**' }],
    ['a name with what nobody sees', { full_name: 'Ada\u200b Admin' }],
    ['no address', { email: undefined }],
    ['an address that is none', { email: 'nia' }],
    ['an address with what nobody sees', { email: 'ni\u200ba@example.com' }],
    ['too much about oneself', { about: 'x'.repeat(201) }],
    ['text that runs the other way', { about: 'the \u202ereppeekkoob' }],
  ])(
    '%s is refused, and nothing is kept [join-requests.refused-nothing-kept]',
    async (_, params) => {
      const call = { full_name, email: freshAddress(), ...params };
      expect((await service.answer(null, ask, call)).status).toBe(400);
      expect(await requestsOf()).toEqual([]);
    },
  );

  test('asking again from the same place takes the place of the first, and withdrawing ends it [join-requests.asking-again-place]', async () => {
    const first = await asked();
    const { secret } = await service.ask(null, ask, { full_name: 'Nia N.', email: first.email });
    expect(await stateOf(first.secret)).toEqual({ state: 'ended' });
    expect(await find(first.email)).toMatchObject({ full_name: 'Nia N.', times: 1 });
    const heard = await heardOf(service, () => service.ask(null, withdraw, { secret }));
    expect(heard).toEqual({ [ada]: ['join_requests 0'] });
    expect(await stateOf(secret)).toEqual({ state: 'ended' });
    expect(await heardOf(service, () => service.ask(null, withdraw, { secret: 'x' }))).toEqual({});
    expect(await heardOf(service, () => service.ask(null, withdraw, { secret }))).toEqual({});
  });

  test('nobody who may be at another computer takes the place of the first', async () => {
    const first = await asked();
    service.change("UPDATE join_request SET address = 'fe80:0:0:0'");
    await service.ask(ada, api.realm.update, { ask_to_join_policy: 3 });
    const how = { headers: { 'x-forwarded-for': '203.0.113.9' } };
    for (const name of ['Nia Newcorner', 'Nia N.']) {
      await service.ask(null, ask, { full_name: name, email: first.email }, how);
    }
    await service.ask(ada, api.realm.update, { ask_to_join_policy: 2 });
    expect(await stateOf(first.secret)).toEqual({ state: 'waiting' });
    expect(await find(first.email)).toMatchObject({ number: first.number, times: 3 });
  });
});

describe('deciding', () => {
  test('whoever is accepted joins as if invited, by the address that they gave [join-requests.accepted-invited-address]', async () => {
    const { email, secret } = await asked();
    const { id } = await find(email);
    const heard = await heardOf(service, () => service.ask(ada, accept, { request_id: id }));
    expect(heard).toEqual({ [ada]: ['invites_changed', 'join_requests 0'] });
    expect(await requestsOf()).toEqual([]);
    const { token, state: became } = await stateOf(secret);
    expect(became).toBe('accepted');
    expect(await service.ask(null, api.invitations.look, { token })).toMatchObject({
      inviter_full_name: 'Ada Admin',
      email,
      invited_as: 1,
    });
    const joined = await service.ask(null, api.invitations.accept, { token, full_name, password });
    expect(joined.email).toBe(email);
    expect(await service.ask(email, api.users.me)).toMatchObject({ full_name, is_admin: false });
    expect(await stateOf(secret)).toEqual({ state: 'ended' });
    for (const call of [accept, decline]) {
      expect(await service.refuse(ada, call, { request_id: id })).toMatchObject(bad);
    }
  });

  test('a guest comes to the named streams alone, and administrators are made in no such way [join-requests.guest-comes-named]', async () => {
    const { email, secret } = await asked();
    const { id: request_id } = await find(email);
    const params = { request_id, invite_as: 3, stream_names: ['engineering'] };
    expect(await service.refuse(ada, accept, { ...params, invite_as: 2 })).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
    });
    await service.ask(ada, accept, params);
    const { token } = await stateOf(secret);
    await service.ask(null, api.invitations.accept, { token, full_name, password });
    const { subscriptions } = await service.ask(email, api.streams.subscriptions);
    expect(subscriptions.map(({ name }) => name)).toEqual(['engineering']);
  });

  test('who is declined hears it and may ask again; nobody but administrators decides [join-requests.declined-hears-ask]', async () => {
    const { email, secret } = await asked();
    const { id: request_id } = await find(email);
    for (const who of [ben, gus, echoBot]) {
      for (const call of [accept, decline]) {
        expect(await service.refuse(who, call, { request_id })).toMatchObject(bad);
      }
    }
    await service.ask(ada, decline, { request_id });
    expect(await stateOf(secret)).toEqual({ state: 'declined' });
    await service.ask(null, withdraw, { secret });
    expect(await stateOf(secret)).toEqual({ state: 'declined' });
    await service.ask(null, ask, { full_name, email });
    expect(await find(email)).toMatchObject({ times: 1 });
  });

  test('the first of several with one address alone is decided on, and no other one gets in by it [join-requests.first-several-address]', async () => {
    const first = await asked();
    move('10.0.0.1');
    const second = await service.ask(null, ask, { full_name: 'Mallory', email: first.email });
    expect(await requestsOf()).toMatchObject([{ number: first.number, times: 2, full_name }]);
    const { id } = await find(first.email);
    expect(await service.refuse(ada, accept, { request_id: id + 1 })).toMatchObject(bad);
    await service.ask(ada, accept, { request_id: id });
    expect(await stateOf(second.secret)).toEqual({ state: 'declined' });
    expect(await stateOf(first.secret)).toMatchObject({ state: 'accepted' });
  });

  test('it ends after seven days, and with its invitation [join-requests.ends-seven-days]', async () => {
    const { email, secret } = await asked();
    const { id: request_id } = await find(email);
    age(7 * DAY);
    expect(await stateOf(secret)).toEqual({ state: 'ended' });
    expect(await requestsOf()).toEqual([]);
    expect(await service.refuse(ada, accept, { request_id })).toMatchObject(bad);
    age(-60);
    await service.ask(ada, accept, { request_id });
    const { invites } = await service.ask(ada, api.invitations.list);
    const invite_id = invites.find((each) => each.email === email)?.id;
    await service.ask(ada, api.invitations.revoke, { invite_id });
    expect(await stateOf(secret)).toEqual({ state: 'ended' });
  });

  test('a restore ends all, also those that were accepted', async () => {
    const [first, second] = [await asked(), await asked()];
    await service.ask(ada, accept, { request_id: (await find(first.email)).id });
    await restoreTo(service, await backUp(service));
    for (const { secret } of [first, second]) {
      expect(await stateOf(secret)).toEqual({ state: 'ended' });
    }
    expect(await requestsOf()).toEqual([]);
  });

  test('what has ended is forgotten', async () => {
    await asked();
    const { email } = await asked();
    await service.ask(ada, decline, { request_id: (await find(email)).id });
    age(18 * DAY);
    await service.restart();
    await expect.poll(() => service.dump()['join_request']).toEqual([]);
  });
});

describe('who may ask', () => {
  const setting = (ask_to_join_policy: number) =>
    service.ask(ada, api.realm.update, { ask_to_join_policy });
  const far = { headers: { 'x-forwarded-for': '203.0.113.9' } };
  const foreign = { headers: { origin: 'https://example.com' } };

  test.each([
    [1, [false, false, false]],
    [2, [true, false, false]],
    [3, [true, true, false]],
  ] as const)(
    'with the setting %i people in the network, behind a proxy, and on a page of somebody else: %j [join-requests.setting-people-network]',
    async (policy, expected) => {
      await setting(policy);
      const may = [];
      for (const how of [{}, far, foreign]) {
        const told = await service.ask(null, api.server.settings, {}, how);
        const call = { full_name, email: freshAddress() };
        const { status } = await service.answer(null, ask, call, how);
        expect(told.join_requests ?? false, JSON.stringify(how)).toBe(status === 200);
        may.push(status === 200);
      }
      expect(may).toEqual(expected);
      await setting(2);
    },
  );

  test('a closed organization and one that was restored take none, and tell what became of none [join-requests.closed-organization-restored]', async () => {
    const { secret } = await asked();
    const restored = "UPDATE realm SET opens_with = '123456'";
    for (const [closed, code] of [
      ['UPDATE realm SET is_deactivated = 1', 'REALM_DEACTIVATED'],
      [restored, 'ORGANIZATION_CLOSED'],
    ] as const) {
      service.change(closed);
      await service.restart();
      const call = { full_name, email: freshAddress() };
      expect(await service.refuse(null, ask, call, far)).toMatchObject({ code });
      expect(await service.refuse(null, state, { secret }, far)).toMatchObject({ code });
      expect(await service.refuse(null, withdraw, { secret }, far)).toMatchObject({ code });
      expect(await service.ask(null, api.server.settings)).not.toHaveProperty('join_requests');
      service.change('UPDATE realm SET is_deactivated = 0, opens_with = NULL');
      await service.restart();
    }
  });
});

describe('how many may ask', () => {
  const words = 'Too many people have asked to join';
  const askOnce = (email = freshAddress()) => service.answer(null, ask, { full_name, email });

  test('ten wait from one place, fifty in all and a hundred come in a day, whoever they are [join-requests.ten-wait-place]', async () => {
    for (let times = 0; times < 10; times++) await asked();
    for (const email of [freshAddress(), ben]) {
      expect((await askOnce(email)).body['msg']).toContain(words);
    }
    for (let place = 1; place < 5; place++) {
      move(`10.0.0.${String(place)}`);
      for (let times = 0; times < 10; times++) await asked();
    }
    move('10.0.0.5');
    expect((await askOnce()).body['msg']).toContain(words);
    expect(await requestsOf()).toHaveLength(50);
    service.change("UPDATE join_request SET status = 'declined'");
    await asked();
    service.change("UPDATE join_request SET status = 'declined'");
    service.change(`INSERT INTO join_request
      SELECT NULL, id || 'x', email, email_key, full_name, about, address, asked_at, expires_at, status, NULL
      FROM join_request WHERE id <= (SELECT MIN(id) + 48 FROM join_request)`);
    expect(service.dump()['join_request']).toHaveLength(100);
    expect((await askOnce()).body['msg']).toContain(words);
    age(DAY);
    await asked();
  });

  test('who withdraws or asks again has no more room than others', async () => {
    const email = freshAddress();
    for (let times = 0; times < 5; times++) await service.ask(null, ask, { full_name, email });
    for (let times = 0; times < 5; times++) {
      await service.ask(null, withdraw, { secret: (await asked()).secret });
    }
    expect(await requestsOf()).toMatchObject([{ email, times: 1 }]);
    expect((await askOnce()).body['msg']).toContain(words);
    await service.restart();
    expect((await askOnce()).body['msg']).toContain(words);
    age(DAY);
    await service.restart();
    await expect.poll(() => service.dump()['join_request']).toHaveLength(1);
    await asked();
  });

  test('an address that was declined ten times in a day leaves the rest of it to others', async () => {
    for (let times = 0; times < 10; times++) {
      const { email } = await asked();
      await service.ask(ada, decline, { request_id: (await find(email)).id });
    }
    expect((await askOnce()).body['msg']).toContain(words);
    service.change(
      "UPDATE join_request SET status = 'accepted' WHERE id IN (SELECT MIN(id) FROM join_request)",
    );
    await asked();
    expect((await askOnce()).body['msg']).toContain(words);
    age(DAY);
    await asked();
  });

  test('one address may ask ten times an hour, and look a hundred and twenty times a minute [join-requests.address-ask-ten]', async () => {
    const { joinRequests, joinChecks } = defaultLimits;
    expect([joinRequests, joinChecks]).toEqual([10, 120]);
    const limited = await startTestService({ limits: { joinRequests: 2, joinChecks: 2 } });
    try {
      const statuses = [];
      for (const [endpoint, params] of [
        [ask, { full_name, email: 'x' }],
        [ask, { full_name, email: 'x' }],
        [ask, { full_name, email: freshAddress() }],
        [state, { secret: 'x' }],
        [withdraw, { secret: 'x' }],
        [state, { secret: 'x' }],
      ] as const) {
        const url = `${limited.origin}/api/v1${endpoint.path}`;
        const body = new URLSearchParams(params);
        statuses.push((await fetch(url, { method: 'POST', body })).status);
      }
      expect(statuses).toEqual([400, 400, 429, 200, 200, 429]);
    } finally {
      await limited.stop();
    }
  });
});
