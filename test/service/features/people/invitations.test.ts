import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
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

const { accept, invite, inviteMany, list, look, revoke } = api.invitations;
const bad = { code: 'BAD_REQUEST' };
const DAY = 86_400;
const person = { full_name: 'Newly Invited', password: 'a long password' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

let count = 0;
const freshAddress = (): string => `new${String(++count)}@example.com`;

const find = async (email: string) =>
  (await service.ask(ada, list)).invites.find((each) => each.email === email);

/** Invites somebody new. */
async function invited(who: string, more: Params = {}) {
  const email = freshAddress();
  await service.ask(who, invite, { invitee_emails: email, ...more });
  const found = await find(email);
  if (found === undefined) throw new Error('not invited');
  return { ...found, token: found.link.split('/').at(-1) ?? '' };
}

/** Lets so many seconds pass for one invitation. */
const age = (id: number, seconds: number): void => {
  const sql =
    'UPDATE invitation SET sent_at = sent_at - ?, expires_at = expires_at - ? WHERE id = ?';
  service.change(sql, seconds, seconds, id);
};

const membersOf = async (stream_id: number) =>
  (await service.ask(ada, api.streams.members, { stream_id })).subscribers;

async function idOfStream(stream: string): Promise<number> {
  return (await service.ask(ada, api.streams.findId, { stream })).stream_id;
}

describe('inviting', () => {
  test('everybody named is invited once, and administrators are told [invitations.everybody-named-invited]', async () => {
    const heard = await heardOf(service, () =>
      service.ask(ben, invite, {
        invitee_emails: 'One@example.com, Two Three <two@example.com>\n\none@EXAMPLE.com',
      }),
    );
    expect(heard).toEqual({ [ada]: ['invites_changed'] });
    const { invites } = await service.ask(ben, list);
    expect(invites).toEqual(
      ['one@EXAMPLE.com', 'two@example.com'].map((email) => ({
        id: expect.any(Number),
        email,
        ref: ben,
        invited: expect.any(Number),
        invited_as: 1,
        is_multiuse: false,
        expires: expect.any(Number),
        link: expect.stringMatching(new RegExp(`^${service.origin}/#join/\\d+-[A-Za-z0-9]{32}$`)),
      })),
    );
    expect(Math.abs((invites[0]?.invited ?? 0) - Date.now() / 1000)).toBeLessThan(60);
  });

  test('the links stay the same over a restart, and are stored nowhere', async () => {
    const { email, token } = await invited(ben);
    await service.restart();
    expect((await find(email))?.link.split('/').at(-1)).toBe(token);
    expect(JSON.stringify(service.dump())).not.toContain(token.split('-')[1]);
  });

  test('others see their own invitations only', async () => {
    const { id } = await invited(ben);
    expect((await service.ask(cleo, list)).invites).toEqual([]);
    expect((await service.ask(ada, list)).invites.map((each) => each.id)).toContain(id);
  });

  test('guests and bots may not, nor members where only administrators may [invitations.guests-bots-not]', async () => {
    const call = { invitee_emails: 'x@example.com' };
    for (const who of [gus, echoBot]) {
      expect(await service.refuse(who, invite, call)).toMatchObject(bad);
      expect(await service.refuse(who, list)).toMatchObject(bad);
    }
    await service.ask(ada, api.realm.update, { invite_by_admins_only: true });
    expect(await service.refuse(ben, invite, call)).toMatchObject(bad);
    expect(await service.refuse(ben, list)).toMatchObject(bad);
    await service.ask(ada, invite, { invitee_emails: freshAddress() });
    await service.ask(ada, api.realm.update, { invite_by_admins_only: false });
  });

  test('only administrators invite administrators', async () => {
    const call = { invitee_emails: 'x@example.com', invite_as: 2 };
    expect(await service.refuse(ben, invite, call)).toMatchObject(bad);
    expect(await invited(ada, { invite_as: 2 })).toMatchObject({ invited_as: 2 });
    expect(await invited(ben, { invite_as: 3 })).toMatchObject({ invited_as: 3 });
  });

  test('an address that is none: nobody is invited', async () => {
    const call = { invitee_emails: 'good@example.com, bad address' };
    expect(await service.refuse(ben, invite, call)).toMatchObject({
      code: 'INVITATION_FAILED',
      errors: [['bad address', 'Invalid address.', false]],
      sent_invitations: false,
    });
  });

  test('who is here or invited already is named, and the others are invited [invitations.here-invited-named]', async () => {
    const { email } = await invited(ben);
    const nobody = { invitee_emails: `${cleo}, ${email.toUpperCase()}` };
    expect(await service.refuse(ben, invite, nobody)).toMatchObject({
      code: 'INVITATION_FAILED',
      errors: [
        [cleo, 'Already has an account.', true],
        [email.toUpperCase(), 'Already invited.', false],
      ],
      sent_invitations: false,
    });
    const fresh = freshAddress();
    const answer = await service.answer(ben, invite, { invitee_emails: `${cleo}, ${fresh}` });
    expect(answer.body).toMatchObject({
      code: 'INVITATION_FAILED',
      errors: [[cleo, 'Already has an account.', true]],
      sent_invitations: true,
      cause: { name: 'some_not_invited', values: { reasons: ['member'] } },
    });
    expect(await find(fresh)).toMatchObject({ ref: ben });
  });

  test('no address, unknown streams and unknown roles are refused', async () => {
    for (const call of [
      { invitee_emails: ' , \n' },
      { invitee_emails: 'x@example.com', stream_ids: [99] },
      { invitee_emails: 'x@example.com', stream_names: ['nowhere'] },
    ]) {
      expect(await service.refuse(ben, invite, call)).toMatchObject(bad);
    }
    expect(await service.refuse(ben, invite)).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'invitee_emails',
    });
    for (const [name, value] of [
      ['invite_as', 4],
      ['stream_ids', ['x']],
      ['stream_names', [1]],
    ] as const) {
      const call = { invitee_emails: 'x@example.com', [name]: value };
      expect(await service.refuse(ben, invite, call)).toMatchObject({
        code: 'REQUEST_VARIABLE_INVALID',
        var_name: name,
      });
    }
  });

  test('into a private stream only whoever is in it invites', async () => {
    const call = { invitee_emails: 'x@example.com', stream_names: ['leads'] };
    expect(await service.refuse(cleo, invite, call)).toMatchObject(bad);
    await service.join(ben, ['bens'], { invite_only: true });
    const hidden = { invitee_emails: 'x@example.com', stream_names: ['bens'] };
    expect(await service.refuse(ada, invite, hidden)).toMatchObject(bad);
    await invited(ben, { stream_names: ['LEADS'] });
  });
});

describe('revoking', () => {
  test('who invited and administrators may; the link is no longer good [invitations.invited-administrators-link]', async () => {
    for (const who of [ben, ada]) {
      const { id, token, email } = await invited(ben);
      for (const other of [cleo, gus, echoBot]) {
        expect(await service.refuse(other, revoke, { invite_id: id })).toMatchObject(bad);
      }
      const heard = await heardOf(service, () => service.ask(who, revoke, { invite_id: id }));
      expect(heard).toEqual({ [ada]: ['invites_changed'] });
      expect(await find(email)).toBeUndefined();
      expect(await service.refuse(null, accept, { token, ...person })).toMatchObject(bad);
      expect(await service.refuse(who, revoke, { invite_id: id })).toMatchObject(bad);
      await service.ask(ben, invite, { invitee_emails: email });
    }
  });
});

describe('looking at an invitation', () => {
  test('an invitation tells who invites whom, as long as it can be accepted [invitations.invites-whom-long]', async () => {
    const { email, token, id } = await invited(ben, { invite_as: 3 });
    expect(await service.ask(null, look, { token: ` ${token} ` })).toMatchObject({
      realm_name: 'Dev',
      inviter_full_name: 'Ben Member',
      email,
      invited_as: 3,
    });
    expect(await service.refuse(null, look, { token: `${token}x` })).toMatchObject(bad);
    age(id, 11 * DAY);
    expect(await service.refuse(null, look, { token })).toMatchObject(bad);
    age(id, -11 * DAY);
    await service.ask(null, accept, { token, ...person });
    expect(await service.refuse(null, look, { token })).toMatchObject(bad);
  });
});

describe('accepting', () => {
  test('an accepted invitation makes an account in the default streams that everybody is told of [invitations.accepted-account-default]', async () => {
    const { email, token } = await invited(ben);
    let answer: { readonly api_key?: string; readonly email?: string } = {};
    const heard = await heardOf(service, async () => {
      answer = await service.ask(null, accept, { token, ...person });
    });
    expect(answer).toEqual({ api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/), email });
    const { members } = await service.ask(ada, api.users.list);
    const account = members.find((member) => member.email === email);
    expect(account).toMatchObject({ full_name: 'Newly Invited', is_admin: false, is_guest: false });
    const peer = `peer ${String(account?.user_id)} general`;
    expect(heard).toEqual({
      [ada]: [`user ${email}`, peer, 'invites_changed'],
      [ben]: [`user ${email}`, peer],
      [cleo]: [`user ${email}`, peer],
      [gus]: [`user ${email}`],
      [echoBot]: [`user ${email}`, peer],
    });
    expect(await membersOf(1)).toContain(email);
    const username = email.toUpperCase();
    const { password } = person;
    expect(await service.ask(null, api.users.fetchApiKey, { username, password })).toEqual(answer);
    expect(await find(email)).toBeUndefined();
    expect(await service.refuse(null, accept, { token, ...person })).toMatchObject(bad);
  });

  test.each([
    [1, { is_admin: false, is_guest: false }],
    [2, { is_admin: true, is_guest: false }],
    [3, { is_admin: false, is_guest: true }],
  ])('whoever accepts an invitation as %i becomes %o', async (invite_as, expected) => {
    const { email, token } = await invited(ada, { invite_as });
    await service.ask(null, accept, { token, ...person });
    expect(await service.ask(email, api.users.me)).toMatchObject(expected);
    // Guests get no streams that nobody has named.
    expect((await membersOf(1)).includes(email)).toBe(invite_as !== 3);
  });

  test('the named streams are subscribed to, private ones included, archived ones left out', async () => {
    await service.join(ada, ['short-lived']);
    const archived = await idOfStream('short-lived');
    const { email, token } = await invited(ada, {
      invite_as: 3,
      stream_ids: [await idOfStream('leads'), archived],
      stream_names: ['engineering'],
    });
    await service.ask(ada, api.streamAdmin.archive, { stream_id: archived });
    await service.ask(null, accept, { token, ...person });
    const { subscriptions } = await service.ask(email, api.streams.subscriptions);
    expect(subscriptions.map(({ name }) => name)).toEqual(['engineering', 'leads']);
  });

  test('a token that is none, a bad name and a short password are refused [invitations.token-none-bad]', async () => {
    const { id, token } = await invited(ben);
    const [, secret = ''] = token.split('-');
    for (const params of [
      { token: '' },
      { token: 'x' },
      { token: `${String(id)}-` },
      { token: `${String(id + 1)}-${secret}` },
      { token: `${token}x` },
      { token: token.slice(0, -1) },
      { full_name: 'x' },
      { password: 'short' },
    ]) {
      const call = { token, ...person, ...params };
      expect(await service.refuse(null, accept, call)).toMatchObject(bad);
    }
    for (const name of ['token', 'full_name', 'password']) {
      const call = { token, ...person, [name]: undefined };
      expect(await service.refuse(null, accept, call)).toMatchObject({
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: name,
      });
    }
    await service.ask(null, accept, { token: ` ${token} `, ...person });
  });

  test('a link is good for ten days [invitations.link-good-ten]', async () => {
    const { id, token, email } = await invited(ben);
    age(id, 10 * DAY + 60);
    expect(await find(email)).toBeUndefined();
    expect(await service.refuse(null, accept, { token, ...person })).toMatchObject(bad);
    expect(await service.refuse(ben, revoke, { invite_id: id })).toMatchObject(bad);
    age(id, -120);
    await service.ask(null, accept, { token, ...person });
  });

  test('an address that got an account in the meantime is refused', async () => {
    const { email, token } = await invited(ben);
    await service.ask(ada, api.users.create, { email, ...person });
    expect(await service.refuse(null, accept, { token, ...person })).toMatchObject(bad);
  });

  test('two at the same time make one account', async () => {
    const { token } = await invited(ben);
    const answers = await Promise.all(
      [1, 2].map(() => service.answer(null, accept, { token, ...person })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test('it ends with the account of whoever invited, and with what they may give', async () => {
    const inviter = await invited(ada, { invite_as: 2 });
    await service.ask(null, accept, { token: inviter.token, ...person });
    const { user_id } = await service.ask(inviter.email, api.users.me);
    const { token } = await invited(inviter.email, { invite_as: 2 });
    const other = await invited(inviter.email);
    await service.ask(ada, api.userAdmin.update, { user_id, is_admin: false });
    expect(await service.refuse(null, accept, { token, ...person })).toMatchObject(bad);
    await service.ask(ada, api.userAdmin.deactivate, { user_id });
    expect(await find(other.email)).toBeUndefined();
    const call = { token: other.token, ...person };
    expect(await service.refuse(null, accept, call)).toMatchObject(bad);
  });

  test('whoever may no longer invite invites nobody, and brings nobody where they are no longer', async () => {
    const inviter = await invited(ada, { stream_names: ['leads', 'general'] });
    await service.ask(null, accept, { token: inviter.token, ...person });
    const { user_id } = await service.ask(inviter.email, api.users.me);
    const guest = { invite_as: 3, stream_names: ['leads', 'general', 'engineering'] };
    const [first, second] = [await invited(inviter.email, guest), await invited(inviter.email)];
    await service.ask(ada, api.subscriptions.unsubscribe, {
      subscriptions: ['leads'],
      principals: [inviter.email],
    });
    await service.ask(null, accept, { token: first.token, ...person });
    const { subscriptions } = await service.ask(first.email, api.streams.subscriptions);
    expect(subscriptions.map(({ name }) => name).toSorted()).toEqual(['engineering', 'general']);
    const call = { token: second.token, ...person };
    await service.ask(ada, api.realm.update, { invite_by_admins_only: true });
    const refusal = await service.refuse(null, accept, call);
    expect(refusal).toMatchObject({ ...bad, msg: expect.stringContaining('no longer invite') });
    await service.ask(ada, api.realm.update, { invite_by_admins_only: false });
    await service.ask(ada, api.userAdmin.update, { user_id, is_guest: true });
    expect(await service.refuse(null, accept, call)).toMatchObject(refusal);
    await service.ask(ada, api.userAdmin.update, { user_id, is_guest: false });
    await service.ask(null, accept, call);
  });

  test('an invitation cannot be accepted while the organization is deactivated', async () => {
    const { token } = await invited(ben);
    await service.ask(ada, api.closing.deactivate);
    expect(await service.refuse(null, accept, { token, ...person })).toMatchObject({
      code: 'REALM_DEACTIVATED',
    });
    service.change('UPDATE realm SET is_deactivated = 0');
  });
});

describe('a link for many', () => {
  async function made(who: string, more: Params = {}) {
    const { id, invite_link } = await service.ask(who, inviteMany, more);
    return { id, token: invite_link.split('/').at(-1) ?? '' };
  }
  const listed = async (id: number) =>
    (await service.ask(ada, list)).invites.find((each) => each.id === id);
  const join = (token: string, email: string) => ({ token, email, ...person });

  test('a link for many lets several people join, each by an address of their own, and is listed with how many [invitations.link-many-lets]', async () => {
    let link = { id: 0, token: '' };
    const heard = await heardOf(service, async () => {
      link = await made(ben, { max_uses: 3 });
    });
    expect(heard).toEqual({ [ada]: ['invites_changed'] });
    const { id, token } = link;
    expect(await service.ask(null, look, { token })).toEqual({
      realm_name: 'Dev',
      inviter_full_name: 'Ben Member',
      email: '',
      invited_as: 1,
    });
    const email = freshAddress();
    const { api_key } = await service.ask(null, accept, join(token, ` ${email} `));
    expect(api_key).toMatch(/^[A-Za-z0-9]{32}$/);
    await service.ask(null, accept, join(token, freshAddress()));
    expect(await membersOf(1)).toContain(email);
    const invitation = await listed(id);
    expect(invitation).toMatchObject({
      ...{ email: '', ref: ben, invited_as: 1, is_multiuse: true, uses: 2, max_uses: 3 },
      link: `${service.origin}/#join/${token}`,
    });
    expect((invitation?.expires ?? 0) - (invitation?.invited ?? 0)).toBe(7 * DAY);
  });

  test('a link for many ends with the last of its uses, also where two ask for it at once', async () => {
    const { id, token } = await made(ben, { max_uses: 2 });
    await service.ask(null, accept, join(token, freshAddress()));
    const answers = await Promise.all(
      [1, 2].map(() => service.answer(null, accept, join(token, freshAddress()))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await listed(id)).toBeUndefined();
    expect(await service.refuse(null, look, { token })).toMatchObject(bad);
  });

  test('a link for many ends with its days, and when it is revoked [invitations.link-many-ends]', async () => {
    const { id, token } = await made(ben, { valid_days: 30 });
    age(id, 30 * DAY - 60);
    await service.ask(null, accept, join(token, freshAddress()));
    age(id, 60);
    expect(await service.refuse(null, accept, join(token, freshAddress()))).toMatchObject(bad);
    const other = await made(ben);
    expect(await service.refuse(cleo, revoke, { invite_id: other.id })).toMatchObject(bad);
    await service.ask(ben, revoke, { invite_id: other.id });
    expect(await service.refuse(null, look, { token: other.token })).toMatchObject(bad);
  });

  test('a link for many needs an address that is one and that nobody has [invitations.link-many-needs]', async () => {
    const { token } = await made(ben);
    for (const [email, msg] of [
      [undefined, /^email is missing/],
      ['', /^email is missing/],
      ['no address', /mail/],
      [cleo.toUpperCase(), /already has an account/],
    ] as const) {
      const refused = await service.refuse(null, accept, { token, email, ...person });
      expect(refused).toMatchObject({ ...bad, msg: expect.stringMatching(msg) });
    }
    const own = await invited(ben);
    const other = { token: own.token, email: freshAddress(), ...person };
    expect(await service.refuse(null, accept, other)).toMatchObject(bad);
    await service.ask(null, accept, { ...other, email: own.email.toUpperCase() });
  });

  test('a link for many brings guests and members to the streams that it names, and nobody as administrator', async () => {
    const { token } = await made(ada, { invite_as: 3, stream_names: ['engineering'] });
    const email = freshAddress();
    await service.ask(null, accept, join(token, email));
    expect(await service.ask(email, api.users.me)).toMatchObject({ is_guest: true });
    const { subscriptions } = await service.ask(email, api.streams.subscriptions);
    expect(subscriptions.map(({ name }) => name)).toEqual(['engineering']);
    expect(await service.refuse(ada, inviteMany, { invite_as: 2 })).toMatchObject({
      msg: expect.stringContaining('invite_as'),
    });
  });

  test('a link for many is refused with bounds that are none, and to those who may not invite [invitations.link-many-refused]', async () => {
    for (const call of [
      { valid_days: 0 },
      { valid_days: 31 },
      { max_uses: 0 },
      { max_uses: 501 },
      { stream_ids: [99] },
    ]) {
      expect(await service.refuse(ben, inviteMany, call)).toMatchObject(bad);
    }
    for (const who of [gus, echoBot]) {
      expect(await service.refuse(who, inviteMany)).toMatchObject(bad);
    }
  });

  test('a link for many lets nobody in whom its maker may no longer invite', async () => {
    const { token } = await made(ben);
    await service.ask(ada, api.realm.update, { invite_by_admins_only: true });
    expect(await service.refuse(null, accept, join(token, freshAddress()))).toMatchObject(bad);
    await service.ask(ada, api.realm.update, { invite_by_admins_only: false });
  });
});

test('a hundred are invited in a day, revoked ones included', async () => {
  service.change('UPDATE invitation SET sent_at = sent_at - ?', DAY + 60);
  const addresses = Array.from({ length: 100 }, freshAddress);
  const [first = '', ...others] = addresses;
  await service.ask(ben, invite, { invitee_emails: first });
  await service.ask(ben, revoke, { invite_id: (await find(first))?.id });
  const full = { code: 'INVITATION_FAILED', errors: [], sent_invitations: false };
  expect(await service.refuse(ada, invite, { invitee_emails: addresses.join('\n') })).toMatchObject(
    full,
  );
  await service.ask(cleo, invite, { invitee_emails: others.join(',') });
  expect(await service.refuse(ada, invite, { invitee_emails: first })).toMatchObject(full);
  expect(await service.refuse(ada, inviteMany)).toMatchObject(full);
});
