/** People as commands on the computer of the service manage them, by the socket of its data folder. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { requestPeople } from '#hosting/commands/command-socket.ts';
import type { PeopleAnswer, PeopleRequest } from '#hosting/commands/people-requests.ts';
import {
  ada,
  ben,
  eventsOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function manage(asked: PeopleRequest): Promise<PeopleAnswer> {
  const answer = await requestPeople(service.dataDir, asked);
  if (answer === undefined) throw new Error('nobody serves');
  return answer;
}

const newcomer = (name: string, more: object = {}) => ({
  email: `${name.toLowerCase()}@example.com`,
  fullName: name,
  role: 'member' as const,
  streams: null,
  ...more,
});
const add = (...people: readonly ReturnType<typeof newcomer>[]) =>
  manage({ kind: 'add', skipsKnown: false, isOnlyChecked: false, people: [...people] });

const hostEntries = async () =>
  (await service.ask(ada, api.auditLog.list)).entries.filter(
    ({ client }) => client === 'hearth command',
  );

/** What somebody heard, each with its kind. */
const kindsOf = (events: readonly object[] = []): readonly string[] =>
  events.map((event) => {
    const { type, op } = event as { readonly type: string; readonly op?: string };
    return `${type} ${op ?? ''}`;
  });

test('people who are added are told to everybody, subscribed and audited', async () => {
  const { streams } = await service.ask(ada, api.streams.list);
  const guest = newcomer('Hana', { role: 'guest', streams: [streams[0]?.name ?? ''] });
  let added: PeopleAnswer['people'] = [];
  const heard = await eventsOf(service, async () => {
    const answer = await add(newcomer('Ivo'), guest, newcomer('Jun', { role: 'guest' }));
    added = answer.people;
  });
  expect(added).toMatchObject([
    { email: 'ivo@example.com', role: 'member', isActive: true, isBot: false },
    { email: 'hana@example.com', role: 'guest' },
    { email: 'jun@example.com', role: 'guest' },
  ]);
  const told = kindsOf(heard.get(ben));
  expect(told.filter((each) => each === 'realm_user add')).toHaveLength(3);
  const joined = (heard.get(ben) ?? []).flatMap((event) =>
    event.type === 'subscription' && event.op === 'peer_add' ? [event.user_id] : [],
  );
  expect(joined).toContain(added[1]?.id);
  expect(joined).not.toContain(added[2]?.id);
  const types = (await hostEntries()).map(({ type }) => type);
  expect(types.filter((type) => type === 'user_created')).toHaveLength(3);
  expect(types.filter((type) => type === 'password_link_created')).toHaveLength(3);
});

test('a link to a first password is good for ten days [local-people.first-password-days]', async () => {
  const { people } = await add(newcomer('Pia'), newcomer('Quinn'));
  const [pia, quinn] = people.map(({ id, link = '' }) => ({
    id,
    chosen: { token: link.split('#password/')[1] ?? '', new_password: 'battery staple' },
  }));
  const age = (id: number, days: number): void =>
    service.change(
      'UPDATE password_link SET made_at = made_at - ? * 86400 WHERE account_id = ?',
      ...[days, id],
    );
  age(pia!.id, 9);
  expect(await service.ask(null, api.passwordLinks.use, pia!.chosen)).toEqual({
    email: 'pia@example.com',
  });
  age(quinn!.id, 10);
  const late = await service.refuse(null, api.passwordLinks.use, quinn!.chosen);
  expect(late).toMatchObject({ code: 'LINK_NOT_VALID' });
});

test('nobody comes where one of them cannot, and each who cannot is told by place', async () => {
  const before = service.rows('account').length;
  const people = [
    newcomer('Kim'),
    newcomer('Ada', { email: ada }),
    newcomer('Kim'),
    newcomer('L'),
    newcomer('Max', { streams: ['nowhere'] }),
  ];
  const { unusable, people: added } = await add(...people);
  expect(added).toEqual([]);
  expect(unusable).toEqual([
    { index: 1, field: 'email', reason: `The e-mail address '${ada}' is already in use` },
    {
      ...{ index: 2, field: 'email', sameAs: 0 },
      reason: "The e-mail address 'kim@example.com' comes twice",
    },
    { index: 3, field: 'fullName', reason: 'Full name must have 2 to 100 characters' },
    { index: 4, field: 'streams', reason: "Invalid stream name 'nowhere'" },
  ]);
  expect(service.rows('account')).toHaveLength(before);
  const both = people.slice(0, 2);
  const checked = await manage({
    kind: 'add',
    skipsKnown: true,
    isOnlyChecked: true,
    people: both,
  });
  expect(checked).toEqual({ people: [], unusable: [], known: [] });
  expect(service.rows('account')).toHaveLength(before);
  const known = await manage({ kind: 'add', skipsKnown: true, isOnlyChecked: false, people: both });
  expect(known).toMatchObject({ known: [ada], people: [{ email: 'kim@example.com' }] });
});

test('roles and rights to come in are changed for all who are named, or for nobody', async () => {
  await add(newcomer('Nia'), newcomer('Omar'));
  const emails = ['Nia@example.com', 'omar@example.com'];
  const heard = await eventsOf(service, async () => {
    const { people } = await manage({ kind: 'role', emails, role: 'admin' });
    expect(people.map(({ role }) => role)).toEqual(['admin', 'admin']);
    await manage({ kind: 'role', emails, role: 'guest' });
    await manage({ kind: 'deactivate', emails });
    const again = manage({ kind: 'deactivate', emails: [ben, ...emails] });
    await expect(again).rejects.toThrow('Nia@example.com: User is already deactivated');
    const { people: back } = await manage({ kind: 'reactivate', emails });
    expect(back.map(({ isActive }) => isActive)).toEqual([true, true]);
  });
  const told = kindsOf(heard.get(ada));
  for (const each of ['realm_user update', 'realm_user remove', 'realm_user add']) {
    expect(told).toContain(each);
  }
  const { people } = await manage({ kind: 'list' });
  expect(people.find(({ email }) => email === ben)).toMatchObject({ isActive: true });
  const types = new Set((await hostEntries()).map(({ type }) => type));
  for (const each of ['role_changed', 'user_deactivated', 'user_reactivated'] as const) {
    expect(types).toContain(each);
  }
  const nobody = manage({ kind: 'deactivate', emails: ['nobody@example.com'] });
  await expect(nobody).rejects.toThrow('nobody@example.com: No account has this e-mail address');
});

test('somebody who administers the organization stays, however many are named at once', async () => {
  const { people } = await manage({ kind: 'list' });
  const admins = people.filter(({ role, isActive }) => role === 'admin' && isActive);
  const emails = admins.map(({ email }) => email);
  const last = emails.at(-1) ?? '';
  await expect(manage({ kind: 'deactivate', emails })).rejects.toThrow(
    `${last}: Cannot deactivate the only organization administrator`,
  );
  await expect(manage({ kind: 'role', emails, role: 'member' })).rejects.toThrow(`${last}: `);
  expect((await manage({ kind: 'list' })).people).toEqual(people);
});

test('ten thousand people come at once', async () => {
  const people = Array.from({ length: 10_000 }, (_, at) => newcomer(`Person ${String(at)}`)).map(
    (each, at) => ({ ...each, email: `p${String(at)}@example.com` }),
  );
  const { people: added } = await add(...people);
  expect(added).toHaveLength(10_000);
});
