import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { ResultOf } from '#shared/api/endpoint.ts';
import { type AuditType, auditTypes } from '#shared/api/models/audit.ts';
import { requestTargetChange } from '#hosting/commands/command-socket.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  hookBot,
  type How,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { decideJoinRequest } from '#test/support/service/join-requests.ts';
import { endStolen } from '#service/db/sqlite/restored.ts';
import { signedRestoreGeneration } from '#test/support/service/epochs.ts';
import { png, upload } from '#test/support/images.ts';

type Entry = ResultOf<typeof api.auditLog.list>['entries'][number];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const password = 'a long password';
const agent = { 'user-agent': 'Tester/1.0' };
const how: How = { headers: agent };
let count = 0;
const fresh = (what: string): string => `${what}-${String(++count)}`;

interface Someone {
  readonly id: number;
  readonly email: string;
}

async function person(): Promise<Someone> {
  const email = `${fresh('person')}@example.com`;
  const account = { email, password, full_name: fresh('Person') };
  return { email, id: (await service.ask(ada, api.users.create, account, how)).user_id };
}

async function bot(owner: string): Promise<number> {
  const params = { full_name: fresh('Bot'), short_name: fresh('bot') };
  return (await service.ask(owner, api.bots.create, params, how)).user_id;
}

async function stream(more: object = {}): Promise<{ name: string; id: number }> {
  const name = fresh('stream');
  const params = { subscriptions: [{ name }], ...more };
  await service.ask(ben, api.streams.subscribe, params, how);
  return { name, id: (await service.ask(ben, api.streams.findId, { stream: name })).stream_id };
}

async function group(): Promise<{ name: string; id: number }> {
  const name = fresh('group');
  const params = { name, description: '', members: [benId] };
  await service.ask(ben, api.userGroups.create, params, how);
  const { user_groups: groups } = await service.ask(ben, api.userGroups.list);
  return { name, id: groups.find((each) => each.name === name)?.id ?? 0 };
}

async function linkifier(): Promise<{ pattern: string; id: number }> {
  const pattern = `${fresh('case')}-(?P<id>[0-9]+)`;
  const params = { pattern, url_format_string: 'https://example.com/%(id)s' };
  return { pattern, id: (await service.ask(ada, api.linkifiers.add, params, how)).id };
}

async function emoji(): Promise<string> {
  const name = fresh('emoji');
  await service.ask(ben, api.emoji.add, { name }, { ...how, body: upload(png) });
  return name;
}

async function profileField(): Promise<{ name: string; id: number }> {
  const name = fresh('field');
  const { id } = await service.ask(ada, api.profileFields.add, { name, field_type: 1 }, how);
  return { name, id };
}

async function invitation(): Promise<{ id: number; email: string; token: string }> {
  const email = `${fresh('invited')}@example.com`;
  await service.ask(ben, api.invitations.invite, { invitee_emails: email }, how);
  const { invites } = await service.ask(ada, api.invitations.list);
  const made = invites.find((each) => each.email === email);
  return { id: made?.id ?? 0, email, token: made?.link.split('/').at(-1) ?? '' };
}

const decided = (decision: 'accept' | 'decline') =>
  decideJoinRequest(service, decision, how).then((details) => ({ actor_id: adaId, details }));

const keyed = (email: string, key: string): How => ({
  headers: {
    ...agent,
    authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
  },
});

const own = async ({ email }: Someone): Promise<How> => {
  const params = { username: email, password };
  const { api_key } = await service.ask(null, api.users.fetchApiKey, params, how);
  return keyed(email, api_key);
};

type Expected = Partial<Omit<Entry, 'id' | 'time' | 'type'>> & {
  /** Where another service did it. */
  readonly entries?: readonly Entry[];
};

/** By a command at the computer itself. */
const fromHere = { address: '', client: 'hearth command' };
const adaId = 1;
const benId = 2;
const cleoId = 3;

/** For every type an act, and what its newest entry says then. */
const acts: Readonly<Record<AuditType, () => Promise<Expected>>> = {
  async sign_in() {
    const { id, email } = await person();
    const params = { username: email, password, name: 'My laptop' };
    const { device_id } = await service.ask(null, api.devices.signIn, params, how);
    return { actor_id: id, user_id: id, details: { device_id, device: 'My laptop' } };
  },
  async sign_in_failed() {
    const { id, email } = await person();
    const params = { username: email, password: 'a wrong password' };
    await service.answer(null, api.users.fetchApiKey, params, how);
    return { actor_id: null, user_id: id, details: { reason: 'incorrect_creds' } };
  },
  async device_ended() {
    const { id, email } = await person();
    const params = { username: email, password, name: 'Phone' };
    const { device_id } = await service.ask(null, api.devices.signIn, params, how);
    await service.ask(ada, api.devices.endOf, { user_id: id, device_id }, how);
    return { actor_id: adaId, user_id: id, details: { device_id, device: 'Phone' } };
  },
  async key_renewed() {
    const id = await bot(ben);
    await service.ask(ada, api.bots.regenerateKey, { bot_id: id }, how);
    return { actor_id: adaId, user_id: id };
  },
  async keys_renewed() {
    const { id } = await person();
    await service.ask(ada, api.devices.renewKeys, { user_id: id }, how);
    return { actor_id: adaId, user_id: id };
  },
  async password_changed() {
    const someone = await person();
    const change = { old_password: password, new_password: 'another long one' };
    await service.ask(null, api.settings.update, change, await own(someone));
    return { actor_id: someone.id, user_id: someone.id };
  },
  async password_link_created() {
    const { id } = await person();
    await service.ask(ada, api.passwordLinks.make, { user_id: id }, how);
    return { actor_id: adaId, user_id: id };
  },
  async email_changed() {
    const someone = await person();
    const email = `${fresh('moved')}@example.com`;
    const change = { email, old_password: password };
    await service.ask(null, api.settings.update, change, await own(someone));
    const details = { old: someone.email, new: email };
    return { actor_id: someone.id, user_id: someone.id, details };
  },
  async name_changed() {
    const { id } = await person();
    const [old, now] = [`Person-${String(count)}`, fresh('Renamed')];
    await service.ask(ada, api.userAdmin.update, { user_id: id, full_name: now }, how);
    return { actor_id: adaId, user_id: id, details: { old, new: now } };
  },
  async role_changed() {
    const { id } = await person();
    await service.ask(ada, api.userAdmin.update, { user_id: id, is_admin: true }, how);
    return { actor_id: adaId, user_id: id, details: { old: 'member', new: 'admin' } };
  },
  async user_created() {
    const { id, email } = await person();
    const name = `Person-${String(count)}`;
    return { actor_id: adaId, user_id: id, details: { name, email } };
  },
  async user_deactivated() {
    const { id } = await person();
    await service.ask(ada, api.userAdmin.deactivate, { user_id: id }, how);
    return { actor_id: adaId, user_id: id };
  },
  async user_reactivated() {
    const { id } = await person();
    await service.ask(ada, api.userAdmin.deactivate, { user_id: id }, how);
    await service.ask(ada, api.userAdmin.reactivate, { user_id: id }, how);
    return { actor_id: adaId, user_id: id };
  },
  async bot_created() {
    const id = await bot(ben);
    return {
      actor_id: benId,
      user_id: id,
      details: { name: expect.any(String) as string, email: expect.any(String) as string },
    };
  },
  async bot_owner_changed() {
    const id = await bot(ben);
    await service.ask(ada, api.bots.update, { bot_id: id, bot_owner_id: idOf[cleo] }, how);
    return { actor_id: adaId, user_id: id, details: { old: benId, new: idOf[cleo] ?? 0 } };
  },
  async invitation_created() {
    const { id, email } = await invitation();
    return { actor_id: benId, details: { invitation_id: id, email, role: 'member' } };
  },
  async invitation_revoked() {
    const { id, email } = await invitation();
    await service.ask(ada, api.invitations.revoke, { invite_id: id }, how);
    return { actor_id: adaId, details: { invitation_id: id, email, role: 'member' } };
  },
  async invitation_accepted() {
    const { id, email, token } = await invitation();
    const account = { token, password, full_name: 'Somebody new' };
    await service.ask(null, api.invitations.accept, account, how);
    const { members } = await service.ask(ada, api.users.list);
    const userId = members.find((member) => member.email === email)?.user_id ?? 0;
    const details = { invitation_id: id, email, role: 'member' } as const;
    return { actor_id: userId, user_id: userId, details };
  },
  join_request_accepted: () => decided('accept'),
  join_request_declined: () => decided('decline'),
  async stream_created() {
    const { id, name } = await stream({ invite_only: true });
    return { actor_id: benId, stream_id: id, details: { name, new: 'private' } };
  },
  async stream_archived() {
    const { id, name } = await stream();
    await service.ask(ada, api.streamAdmin.archive, { stream_id: id }, how);
    return { actor_id: adaId, stream_id: id, details: { name } };
  },
  async stream_restored() {
    const { id, name } = await stream();
    await service.ask(ada, api.streamAdmin.archive, { stream_id: id }, how);
    const now = fresh('back');
    const change = { stream_id: id, is_archived: false, new_name: now };
    await service.ask(ada, api.streamAdmin.update, change, how);
    return { actor_id: adaId, stream_id: id, details: { name, new: now } };
  },
  async stream_privacy_changed() {
    const { id, name } = await stream();
    await service.ask(ada, api.streamAdmin.update, { stream_id: id, is_private: true }, how);
    return { actor_id: adaId, stream_id: id, details: { name, old: 'public', new: 'private' } };
  },
  async stream_renamed() {
    const { id, name } = await stream();
    const now = fresh('renamed');
    await service.ask(ada, api.streamAdmin.update, { stream_id: id, new_name: now }, how);
    return { actor_id: adaId, stream_id: id, details: { name, old: name, new: now } };
  },
  async stream_posting_changed() {
    const { id, name } = await stream();
    const change = { stream_id: id, is_announcement_only: true };
    await service.ask(ada, api.streamAdmin.update, change, how);
    const details = { name, old: 'everybody', new: 'administrators' };
    return { actor_id: adaId, stream_id: id, details };
  },
  async stream_history_changed() {
    const { id, name } = await stream({ invite_only: true });
    const change = { stream_id: id, history_public_to_subscribers: true };
    await service.ask(ada, api.streamAdmin.update, change, how);
    return { actor_id: adaId, stream_id: id, details: { name, old: 'since joining', new: 'open' } };
  },
  async stream_default_changed() {
    const { id, name } = await stream();
    await service.ask(ada, api.streamAdmin.addDefault, { stream_id: id }, how);
    return { actor_id: adaId, stream_id: id, details: { name, old: false, new: true } };
  },
  async stream_members_added() {
    const { id, name } = await stream({ invite_only: true });
    const params = { subscriptions: [{ name }], principals: [cleo, ben] };
    await service.ask(ben, api.streams.subscribe, params, how);
    const details = { name, user_ids: [cleoId] };
    return { actor_id: benId, user_id: cleoId, stream_id: id, details };
  },
  async stream_members_removed() {
    const { id, name } = await stream();
    const params = { subscriptions: [name], principals: [ben] };
    await service.ask(ada, api.subscriptions.unsubscribe, params, how);
    return { actor_id: adaId, user_id: benId, stream_id: id, details: { name, user_ids: [benId] } };
  },
  async group_created() {
    const { name } = await group();
    return { actor_id: benId, details: { name } };
  },
  async group_renamed() {
    const { id, name } = await group();
    const now = fresh('renamed');
    await service.ask(ben, api.userGroups.update, { user_group_id: id, name: now }, how);
    return { actor_id: benId, details: { name, old: name, new: now } };
  },
  async group_members_added() {
    const { name } = await group();
    return { actor_id: benId, user_id: benId, details: { name, user_ids: [benId] } };
  },
  async group_members_removed() {
    const { id, name } = await group();
    const others = [adaId, cleoId];
    const { changeMembers } = api.userGroups;
    await service.ask(ben, changeMembers, { user_group_id: id, add: others }, how);
    await service.ask(ben, changeMembers, { user_group_id: id, delete: others }, how);
    return { actor_id: benId, details: { name, user_ids: others } };
  },
  async group_removed() {
    const { id, name } = await group();
    await service.ask(ada, api.userGroups.remove, { user_group_id: id }, how);
    return { actor_id: adaId, details: { name } };
  },
  async linkifier_added() {
    const { pattern } = await linkifier();
    return { actor_id: adaId, details: { name: pattern, new: 'https://example.com/%(id)s' } };
  },
  async linkifier_removed() {
    const { id, pattern } = await linkifier();
    await service.ask(ada, api.linkifiers.remove, { filter_id: id }, how);
    return { actor_id: adaId, details: { name: pattern, old: 'https://example.com/%(id)s' } };
  },
  async emoji_added() {
    return { actor_id: benId, details: { name: await emoji() } };
  },
  async emoji_removed() {
    const name = await emoji();
    await service.ask(ada, api.emoji.deactivate, { name }, how);
    return { actor_id: adaId, user_id: benId, details: { name } };
  },
  async profile_field_added() {
    const { name } = await profileField();
    return { actor_id: adaId, details: { name } };
  },
  async profile_field_changed() {
    const { id, name } = await profileField();
    const now = fresh('renamed');
    await service.ask(ada, api.profileFields.update, { field_id: id, name: now }, how);
    return { actor_id: adaId, details: { name, new: now } };
  },
  async profile_field_removed() {
    const { id, name } = await profileField();
    await service.ask(ada, api.profileFields.remove, { field_id: id }, how);
    return { actor_id: adaId, details: { name } };
  },
  async setting_changed() {
    const days = 500 + ++count;
    await service.ask(ada, api.realm.update, { audit_log_retention_days: 500 }, how);
    await service.ask(ada, api.realm.update, { audit_log_retention_days: days }, how);
    const details = { name: 'audit_log_retention_days', old: 500, new: days };
    return { actor_id: adaId, details };
  },
  async messages_deleted() {
    const message = await service.say(ben, 'general', 'lunch', 'what nobody may read again');
    await service.ask(ada, api.lifecycle.delete, { message_id: message }, how);
    const general = await service.ask(ben, api.streams.findId, { stream: 'general' });
    const details = { message_ids: [message] };
    return { actor_id: adaId, user_id: benId, stream_id: general.stream_id, details };
  },
  async messages_recovered() {
    const message = { sender_id: benId, timestamp: 1, stream_id: 1, topic: 'a', content: 'forged' };
    const messages = [{ id: 5, ...message, proof: '0.forged' }];
    await service.ask(ben, api.recovery.offer, { messages }, how);
    return { actor_id: benId, details: { messages: 0, forged: 1 } };
  },
  async file_deleted() {
    const body = new FormData();
    body.set('file', new Blob(['four']), 'a.txt');
    await service.ask(ben, api.uploads.upload, {}, { body });
    const { attachments } = await service.ask(ben, api.uploads.list);
    const file = { attachment_id: attachments.at(-1)?.id };
    await service.ask(ada, api.uploads.remove, file, how);
    return { actor_id: adaId, user_id: benId, details: { bytes: 4 } };
  },
  async organization_created() {
    const other = await startTestService({ isDevelopment: false });
    const email = 'first@example.com';
    const realm = { realm_name: 'Larch', full_name: 'First', email, password };
    const { api_key } = await other.ask(null, api.server.createOrganization, realm, how);
    const { entries } = await other.ask(null, api.auditLog.list, {}, keyed(email, api_key));
    await other.stop();
    return { actor_id: 1, details: { name: 'Larch' }, entries };
  },
  async organization_deactivated() {
    const someone = await admin();
    await service.ask(ada, api.closing.deactivate, {}, how);
    await reopen(someone);
    return { actor_id: adaId };
  },
  async organization_reactivated() {
    const someone = await admin();
    await service.ask(ada, api.closing.deactivate, {}, how);
    await reopen(someone);
    return { actor_id: someone.id };
  },
  async organization_succeeded() {
    const other = await startTestService();
    const epoch = await signedRestoreGeneration(other, 1);
    await other.ask(null, api.server.meetEpoch, epoch, how);
    // Nobody can read the log there any more.
    const rows = other.dump()['audit_entry'] as (Omit<Entry, 'time' | 'details'> & {
      at: number;
      details: string;
    })[];
    await other.stop();
    const entries = rows.map(({ at, details, ...row }) => ({
      ...{ ...row, time: at },
      details: JSON.parse(details) as Entry['details'],
    }));
    return { actor_id: null, entries: entries.slice(-1) };
  },
  async organization_stolen() {
    const other = await startTestService();
    await other.halt();
    const nextRestoreGeneration = () => ({
      n: 2,
      id: 'ab'.repeat(16),
      parent: '',
      signature: null,
    });
    await endStolen(
      other.file,
      { nextRestoreGeneration, now: Math.floor(Date.now() / 1000) },
      async () => undefined,
    );
    await other.start();
    const key = await other.ask(null, api.users.devFetchApiKey, { username: ada });
    const { entries } = await other.ask(null, api.auditLog.list, {}, keyed(ada, key.api_key));
    await other.stop();
    const said = entries.filter(({ type }) => type === 'organization_stolen');
    // Nobody in particular says so, at the computer itself.
    expect(said).toMatchObject([{ address: '', client: 'Hearth' }]);
    const where = { address: '127.0.0.1', client: 'Tester' };
    return { actor_id: null, entries: said.map((entry) => ({ ...entry, ...where })) };
  },
  async webhook_target_allowed() {
    const name = `printer${String(++count)}.lan:80`;
    await requestTargetChange(service.dataDir, { allow: [name], remove: [] });
    return { actor_id: null, details: { name }, ...fromHere };
  },
  async webhook_target_removed() {
    const { details = {} } = await acts.webhook_target_allowed();
    await requestTargetChange(service.dataDir, { allow: [], remove: [String(details.name)] });
    return { actor_id: null, details, ...fromHere };
  },
  async log_exported() {
    await service.ask(ada, api.auditLog.export, {}, how);
    return { actor_id: adaId };
  },
};

async function admin(): Promise<Someone> {
  const someone = await person();
  await service.ask(ada, api.userAdmin.update, { user_id: someone.id, is_admin: true }, how);
  return someone;
}

const reopen = ({ email }: Someone) =>
  service.ask(null, api.closing.reactivate, { username: email, password }, how);

const list = (params: object = {}) => service.ask(ada, api.auditLog.list, { ...params });

describe('every kind of entry', () => {
  test.each(auditTypes)('%s is written by what it tells of [audit-log.written]', async (type) => {
    const [last] = (await list({ limit: 1 })).entries;
    const from = Math.floor(Date.now() / 1000);
    const { entries, ...expected } = await acts[type]();
    const newer = (await list({ types: [type] })).entries.filter(({ id }) => id > (last?.id ?? 0));
    const [entry] = entries ?? newer;
    expect(entry).toEqual({
      id: expect.any(Number),
      type,
      time: expect.any(Number),
      address: '127.0.0.1',
      client: 'Tester',
      user_id: null,
      stream_id: null,
      count: 1,
      details: {},
      ...expected,
    });
    expect(Math.abs((entry?.time ?? 0) - from)).toBeLessThan(60);
  });

  test('the audit log keeps no password, no key, no token and no text of a message [audit-log.no-secrets]', async () => {
    const someone = await person();
    const { token } = await invitation();
    await acts.messages_deleted();
    const { headers } = await own(someone);
    const key = Buffer.from(headers?.['authorization']?.slice(6) ?? '', 'base64').toString();
    await service.answer(null, api.users.fetchApiKey, { username: 'my secret', password }, how);
    const text = JSON.stringify(service.dump()['audit_entry']) + JSON.stringify(await list());
    const secrets = [password, token, key.split(':')[1] ?? '', 'nobody may read', 'my secret'];
    for (const secret of secrets) {
      expect(secret).not.toBe('');
      expect(text).not.toContain(secret);
    }
  });
});

describe('what is not worth an entry, or is not done', () => {
  async function added(work: () => Promise<unknown>): Promise<string[]> {
    const [last] = (await list({ limit: 1 })).entries;
    await work();
    const { entries } = await list();
    return entries.filter(({ id }) => id > (last?.id ?? 0)).map(({ type }) => type);
  }

  test('own messages, refused changes and changes to the same leave no entry [audit-log.messages-refused-changes]', async () => {
    await service.ask(ada, api.realm.update, { allow_message_deleting: true });
    const work = async (): Promise<void> => {
      const message = await service.say(ben, 'general', 'own');
      await service.ask(ben, api.lifecycle.delete, { message_id: message });
      await service.refuse(ben, api.userAdmin.deactivate, { user_id: idOf[cleo] });
      await service.ask(ada, api.realm.update, { allow_message_deleting: true });
      await service.ask(ada, api.userAdmin.update, { user_id: benId, is_admin: false });
      await service.ask(ada, api.userAdmin.update, { user_id: benId, full_name: 'Ben Member' });
    };
    expect(await added(work)).toEqual([]);
  });

  test('coming and going by oneself, and being added to a public stream, leave no entry [audit-log.coming-going-oneself]', async () => {
    const { name } = await stream();
    await service.ask(cleo, api.users.me);
    const work = async (): Promise<void> => {
      const params = { subscriptions: [{ name }] };
      await service.ask(ben, api.streams.subscribe, { ...params, principals: [ada] });
      await service.ask(cleo, api.streams.subscribe, params);
      await service.ask(cleo, api.subscriptions.unsubscribe, { subscriptions: [name] });
    };
    expect(await added(work)).toEqual([]);
  });

  test('an account takes its bots along, each with an entry [audit-log.account-bots-along]', async () => {
    const someone = await person();
    const headers = await own(someone);
    const params = { full_name: fresh('Bot'), short_name: fresh('bot') };
    await service.ask(null, api.bots.create, params, headers);
    const work = () => service.ask(ada, api.userAdmin.deactivate, { user_id: someone.id });
    expect(await added(work)).toEqual(['user_deactivated', 'user_deactivated']);
  });

  test('a whole topic is one entry for each author [audit-log.whole-topic-entry]', async () => {
    for (const who of [ben, ben, cleo, ada]) await service.say(who, 'general', 'gone');
    const { stream_id } = await service.ask(ben, api.streams.findId, { stream: 'general' });
    const work = () =>
      service.ask(ada, api.lifecycle.deleteTopic, { stream_id, topic_name: 'gone' });
    expect(await added(work)).toEqual(['messages_deleted', 'messages_deleted']);
    const [ofCleo, ofBen] = (await list({ types: ['messages_deleted'] })).entries;
    expect([ofBen?.user_id, ofBen?.details.message_ids?.length]).toEqual([benId, 2]);
    expect([ofCleo?.user_id, ofCleo?.details.message_ids?.length]).toEqual([idOf[cleo], 1]);
  });
});

describe('failures to sign in', () => {
  test('failed sign-ins of one account and address are counted in one entry within the minute [audit-log.failed-sign-ins]', async () => {
    const { id, email } = await person();
    for (let times = 0; times < 5; times += 1) {
      const params = { username: email, password: 'wrong' };
      await service.answer(null, api.devices.signIn, params, how);
    }
    const { entries } = await list({ types: ['sign_in_failed'], user_id: id });
    expect(entries.map((entry) => entry.count)).toEqual([5]);
  });

  test('a wrong own password given with a key is a failure to sign in, too [audit-log.wrong-password-given]', async () => {
    const someone = await person();
    const change = { old_password: 'wrong', new_password: 'another long one' };
    await service.answer(null, api.settings.update, change, await own(someone));
    const [entry] = (await list({ types: ['sign_in_failed'], user_id: someone.id })).entries;
    expect(entry).toMatchObject({ actor_id: someone.id, details: { reason: 'old_password' } });
  });
});

describe('who may read and export', () => {
  test.each([ben, gus, echoBot])('%s may not [audit-log.reading-refused]', async (who) => {
    for (const endpoint of [api.auditLog.list, api.auditLog.export]) {
      expect(await service.refuse(who, endpoint)).toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  test('an incoming webhook bot may not read the audit log, nor may a caller without an account', async () => {
    for (const who of [hookBot, null]) {
      expect(await service.refuse(who, api.auditLog.list)).toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });
});

test('no call changes an entry, and no statement can [audit-log.no-call-changes]', async () => {
  const before = service.dump()['audit_entry'] ?? [];
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    expect((await service.send(ada, `${method} /audit_log`)).status).toBe(405);
    expect((await service.send(ada, `${method} /audit_log/1`)).status).toBe(404);
  }
  expect(service.dump()['audit_entry']).toEqual(before);
  for (const column of ['at', 'type', 'actor_id', 'user_id', 'details']) {
    const sql = `UPDATE audit_entry SET ${column} = NULL`;
    expect(() => service.change(sql)).toThrow('stays as it is');
  }
});

test('the time to keep is from 30 to 3650 days [audit-log.time-keep-30]', async () => {
  const update = (days: number) => ({ audit_log_retention_days: days });
  for (const days of [29, 3651, 0]) {
    const refusal = await service.refuse(ada, api.realm.update, update(days));
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
  }
  for (const days of [30, 3650, 400]) {
    expect(await service.ask(ada, api.realm.update, update(days))).toEqual(update(days));
  }
});

test.each([0, 501])('a page of %i entries is refused [audit-log.bad-limit]', async (limit) => {
  expect(await service.refuse(ada, api.auditLog.list, { limit })).toMatchObject({
    code: 'BAD_REQUEST',
  });
});

describe('the export', () => {
  test('the export has a line for each entry of the list, and makes formulas harmless [audit-log.export-line-entry]', async () => {
    const { id, email } = await person();
    const evil = { 'user-agent': '=HYPERLINK("http://evil.example")' };
    for (const name of ['=1+1', '+1', '-1', '@sum', 'say "hi"']) {
      const params = { username: email, password, name };
      await service.ask(null, api.devices.signIn, params, { headers: evil });
    }
    const { entries } = await list({ user_id: id });
    const { csv, next_before } = await service.ask(ada, api.auditLog.export, { user_id: id });
    expect(next_before).toBeNull();
    const lines = csv.split('\r\n');
    expect(lines).toHaveLength(entries.length + 2);
    expect(lines[0]).toBe(
      '"id","time","type","actor_id","actor","address","client","user_id","user","stream_id","count","details"',
    );
    const cells = [...csv.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell = '']) => cell);
    expect(cells).toHaveLength(12 * (entries.length + 1));
    expect(cells.filter((cell) => cell.startsWith(`'=HYPERLINK`)).length).toBeGreaterThan(0);
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    expect(lines[1]).toContain(`"${String(entries[0]?.id)}"`);
    expect(lines[1]).toContain(`"${email}"`);
  });
});
