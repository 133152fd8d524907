/** The second of two changes is carried out after the first was let in and before the first writes: it counts. */
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { ada, ben, cleo, echoBot, gus, idOf, type Params } from '../support/service/api.ts';
import { type Between, startBetween } from '../support/service/between.ts';

type Request = readonly [who: string | null, endpoint: AnyEndpoint, params?: Params];

/** What the requests name: made before both of them. */
interface World extends Between {
  readonly ids: Readonly<Record<'general' | 'engineering' | 'leads', number>>;
}

interface Pair {
  readonly title: string;
  readonly prepare?: (world: World) => Promise<unknown>;
  readonly first: (world: World, prepared: number) => Request;
  readonly second: (world: World, prepared: number) => Request;
  /** What the first one is answered. */
  readonly refusal: { readonly code: string; readonly msg: string };
}

async function startWorld(): Promise<World> {
  const between = await startBetween();
  const { service } = between;
  const idOfStream = async (stream: string): Promise<number> =>
    (await service.ask(ada, api.streams.findId, { stream })).stream_id;
  const ids = {
    general: await idOfStream('general'),
    engineering: await idOfStream('engineering'),
    leads: await idOfStream('leads'),
  };
  return { ...between, ids };
}

const toStream = (to: string, topic = 'topic'): Params => ({
  ...{ type: 'stream', to, topic, content: 'text' },
});
const setRole = (who: string, role: 200 | 400 | 600): Request => [
  ada,
  api.userAdmin.update,
  { user_id: idOf[who], role },
];
const remove = (who: string, stream: string): Request => [
  ada,
  api.subscriptions.unsubscribe,
  { subscriptions: [stream], principals: [who] },
];
const deactivate = (who: string): Request => [
  ada,
  api.userAdmin.deactivate,
  { user_id: idOf[who] },
];
const update = (stream_id: number, changes: Params): Request => [
  ada,
  api.streamAdmin.update,
  { stream_id, ...changes },
];
const bad = (msg: string) => ({ code: 'BAD_REQUEST', msg });
const gone = bad('Invalid message(s)');
const noStream = (name: string) => ({
  code: 'STREAM_DOES_NOT_EXIST',
  msg: `Stream '${name}' does not exist`,
});
const notAdmin = bad('Must be an organization administrator');
const deactivated = { code: 'USER_DEACTIVATED', msg: 'Account is deactivated' };

const GIVEN = 'correct horse battery';
const hired = 'new@example.com';

/** Somebody with a password; answers their id. */
const hire = async ({ service }: World): Promise<number> => {
  const person = { email: hired, password: GIVEN, full_name: 'New Person' };
  return (await service.ask(ada, api.users.create, person)).user_id;
};

const makeAdmin = ({ service }: World, who = ben): Promise<unknown> => {
  const [caller, endpoint, params] = setRole(who, 200);
  return service.ask(caller, endpoint, params);
};
const says =
  (who: string, stream: string) =>
  ({ service }: World): Promise<number> =>
    service.say(who, stream, 'topic');

/** Answers its id. */
const archived =
  (stream: keyof World['ids']) =>
  async ({ service, ids }: World): Promise<number> => {
    await service.ask(ada, api.streamAdmin.archive, { stream_id: ids[stream] });
    return ids[stream];
  };

const messages: readonly Pair[] = [
  {
    title: 'a message that is deleted is not edited',
    prepare: says(ben, 'general'),
    first: (_, id) => [ben, api.lifecycle.edit, { message_id: id, content: 'other' }],
    second: (_, id) => [ada, api.lifecycle.delete, { message_id: id }],
    refusal: gone,
  },
  {
    title: 'a message whose editing is switched off is not edited',
    prepare: says(ben, 'general'),
    first: (_, id) => [ben, api.lifecycle.edit, { message_id: id, content: 'other' }],
    second: () => [ada, api.realm.update, { allow_message_editing: false }],
    refusal: bad('Your organization has turned off message editing'),
  },
  {
    title: 'a message is not deleted by its author when deleting is switched off',
    prepare: async (world) => {
      await world.service.ask(ada, api.realm.update, { allow_message_deleting: true });
      return says(ben, 'general')(world);
    },
    first: (_, id) => [ben, api.lifecycle.delete, { message_id: id }],
    second: () => [ada, api.realm.update, { allow_message_deleting: false }],
    refusal: bad("You don't have permission to delete this message"),
  },
  {
    title: 'messages that leave a topic are not deleted with it',
    prepare: says(ben, 'engineering'),
    first: ({ ids }) => [
      ada,
      api.lifecycle.deleteTopic,
      { stream_id: ids.engineering, topic_name: 'topic' },
    ],
    second: (_, id) => [ben, api.lifecycle.edit, { message_id: id, topic: 'elsewhere' }],
    refusal: bad('There are no messages in this topic'),
  },
  {
    title: 'a message that moves out of sight gets no reaction',
    prepare: says(cleo, 'general'),
    first: (_, id) => [cleo, api.reactions.add, { message_id: id, emoji_name: 'smile' }],
    second: ({ ids }, id) => [ada, api.lifecycle.edit, { message_id: id, stream_id: ids.leads }],
    refusal: gone,
  },
  {
    title: 'who is removed from a private stream does not react there',
    prepare: says(ada, 'leads'),
    first: (_, id) => [ben, api.reactions.add, { message_id: id, emoji_name: 'smile' }],
    second: () => remove(ben, 'leads'),
    refusal: gone,
  },
  {
    title: 'who is removed from a private stream does not move what they wrote there',
    prepare: says(ben, 'leads'),
    first: (_, id) => [ben, api.lifecycle.edit, { message_id: id, topic: 'other' }],
    second: () => remove(ben, 'leads'),
    refusal: gone,
  },
  {
    title: 'an administrator who is none any more does not delete messages of others',
    prepare: async (world) => {
      await makeAdmin(world);
      return says(ada, 'general')(world);
    },
    first: (_, id) => [ben, api.lifecycle.delete, { message_id: id }],
    second: () => setRole(ben, 400),
    refusal: bad("You don't have permission to delete this message"),
  },
];

const sending: readonly Pair[] = [
  {
    title: 'who is removed from a private stream does not write there',
    first: () => [ben, api.messages.send, toStream('leads')],
    second: () => remove(ben, 'leads'),
    refusal: noStream('leads'),
  },
  {
    title: 'who is deactivated does not write',
    first: () => [ben, api.messages.send, toStream('general')],
    second: () => deactivate(ben),
    refusal: deactivated,
  },
  {
    title: 'nobody writes to whom is deactivated',
    first: () => [ben, api.messages.send, { type: 'private', to: [cleo], content: 'text' }],
    second: () => deactivate(cleo),
    refusal: bad(`'${cleo}' is no longer using this organization`),
  },
  {
    title: 'a bot does not write when its owner is deactivated',
    prepare: (world) => makeAdmin(world),
    first: () => [echoBot, api.messages.send, toStream('general')],
    second: () => [ben, api.userAdmin.deactivate, { user_id: idOf[ada] }],
    refusal: deactivated,
  },
  {
    title: 'who gets another key does not write with the old one',
    first: () => [ben, api.messages.send, toStream('general')],
    second: () => [ben, api.userAdmin.regenerateKey],
    refusal: { code: 'INVALID_API_KEY', msg: 'Invalid API key' },
  },
  {
    title: 'nobody writes in an organization that is deactivated',
    first: () => [ben, api.messages.send, toStream('general')],
    second: () => [ada, api.closing.deactivate],
    refusal: { code: 'REALM_DEACTIVATED', msg: 'This organization has been deactivated' },
  },
  {
    title: 'a stream that becomes one for announcements takes no message of a member',
    first: () => [ben, api.messages.send, toStream('engineering')],
    second: ({ ids }) => update(ids.engineering, { is_announcement_only: true }),
    refusal: bad("Only organization administrators can send to the stream 'engineering'"),
  },
];

const streams: readonly Pair[] = [
  {
    title: 'a stream that becomes private is not joined from outside',
    first: () => [cleo, api.streams.subscribe, { subscriptions: [{ name: 'engineering' }] }],
    second: ({ ids }) => update(ids.engineering, { is_private: true }),
    refusal: { code: 'NONE', msg: 'Unable to access stream (engineering).' },
  },
  {
    title: 'nobody is subscribed to a stream by whom has left it',
    first: () => [
      ben,
      api.streams.subscribe,
      { subscriptions: [{ name: 'leads' }], principals: [cleo] },
    ],
    second: () => remove(ben, 'leads'),
    refusal: { code: 'NONE', msg: 'Unable to access stream (leads).' },
  },
  {
    title: 'nobody is subscribed who is deactivated',
    first: () => [
      ben,
      api.streams.subscribe,
      { subscriptions: [{ name: 'engineering' }], principals: [cleo] },
    ],
    second: () => deactivate(cleo),
    refusal: {
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: `User not authorized to execute queries on behalf of '${cleo}'`,
    },
  },
  {
    title: 'who becomes a guest creates no stream',
    first: () => [ben, api.streams.subscribe, { subscriptions: [{ name: 'new' }] }],
    second: () => setRole(ben, 600),
    refusal: bad('You are not allowed to create streams'),
  },
  {
    title: 'an archived stream is not left',
    first: () => [ben, api.subscriptions.unsubscribe, { subscriptions: ['engineering'] }],
    second: ({ ids }) => [ada, api.streamAdmin.archive, { stream_id: ids.engineering }],
    refusal: noStream('engineering'),
  },
  {
    title: 'an administrator who is none any more archives no stream',
    prepare: (world) => makeAdmin(world),
    first: ({ ids }) => [ben, api.streamAdmin.archive, { stream_id: ids.engineering }],
    second: () => setRole(ben, 400),
    refusal: notAdmin,
  },
  {
    title: 'a stream that is archived is not changed',
    first: ({ ids }) => update(ids.engineering, { description: 'other' }),
    second: ({ ids }) => [ada, api.streamAdmin.archive, { stream_id: ids.engineering }],
    refusal: bad('Invalid stream id'),
  },
  {
    title: 'a stream does not come back by a name that was taken',
    prepare: archived('engineering'),
    first: (_, id) => update(id, { is_archived: false }),
    second: () => [ben, api.streams.subscribe, { subscriptions: [{ name: 'Engineering' }] }],
    refusal: bad("Stream name 'Engineering' is already taken: give it another one with new_name"),
  },
  {
    title: 'a stream that has come back does not come back again',
    prepare: archived('leads'),
    first: (_, id) => update(id, { is_archived: false, new_name: 'other' }),
    second: (_, id) => update(id, { is_archived: false }),
    refusal: bad('This stream is not archived'),
  },
  {
    title: 'an administrator who is none any more brings no stream back',
    prepare: async (world) => {
      await makeAdmin(world);
      return archived('engineering')(world);
    },
    first: (_, id) => [ben, api.streamAdmin.update, { stream_id: id, is_archived: false }],
    second: () => setRole(ben, 400),
    refusal: notAdmin,
  },
  {
    title: 'topics of a stream that was left are not muted',
    first: () => [ben, api.subscriptions.muteTopic, { stream: 'leads', topic: 'topic', op: 'add' }],
    second: () => remove(ben, 'leads'),
    refusal: bad("Invalid stream name 'leads'"),
  },
];

const people: readonly Pair[] = [
  {
    title: 'an administrator who is none any more invites no administrator',
    prepare: (world) => makeAdmin(world),
    first: () => [ben, api.invitations.invite, { invitee_emails: 'new@example.com', invite_as: 2 }],
    second: () => setRole(ben, 400),
    refusal: bad('Only organization administrators can invite administrators'),
  },
  {
    title: 'nobody is invited to a private stream by whom has left it',
    first: ({ ids }) => [
      ben,
      api.invitations.invite,
      { invitee_emails: 'new@example.com', stream_ids: [ids.leads] },
    ],
    second: () => remove(ben, 'leads'),
    refusal: bad('Invalid stream id'),
  },
  {
    title: 'an administrator who is none any more deactivates nobody',
    prepare: (world) => makeAdmin(world),
    first: () => [ben, api.userAdmin.deactivate, { user_id: idOf[gus] }],
    second: () => setRole(ben, 400),
    refusal: notAdmin,
  },
  {
    title: 'two administrators cannot both step down',
    prepare: (world) => makeAdmin(world),
    first: () => setRole(ada, 400),
    second: () => [ada, api.userAdmin.update, { user_id: idOf[ben], role: 400 }],
    refusal: {
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      msg: 'Cannot take the role of the only organization administrator',
    },
  },
  {
    title: 'who becomes a guest makes no bot',
    first: () => [ben, api.bots.create, { full_name: 'Bot', short_name: 'new' }],
    second: () => setRole(ben, 600),
    refusal: bad('Not allowed for guest users and bots'),
  },
  {
    title: 'a password that is another one by now signs nobody in',
    prepare: hire,
    first: () => [null, api.devices.signIn, { username: hired, password: GIVEN }],
    second: () => [
      hired,
      api.settings.update,
      { old_password: GIVEN, new_password: 'another one' },
    ],
    refusal: {
      code: 'AUTHENTICATION_FAILED',
      msg: 'Your username or password is incorrect.',
    },
  },
  {
    title: 'who is deactivated is not given a key',
    prepare: hire,
    first: () => [null, api.users.fetchApiKey, { username: hired, password: GIVEN }],
    second: (_, id) => [ada, api.userAdmin.deactivate, { user_id: id }],
    refusal: { code: 'AUTHENTICATION_FAILED', msg: 'Your account has been disabled.' },
  },
  {
    title: 'a password does not change with a key that ended',
    prepare: hire,
    first: () => [hired, api.settings.update, { old_password: GIVEN, new_password: 'first one' }],
    second: () => [hired, api.settings.update, { old_password: GIVEN, new_password: 'second one' }],
    refusal: { code: 'INVALID_API_KEY', msg: 'Invalid API key' },
  },
  {
    title: 'a device that is ended does not end another one',
    prepare: async ({ service }) => {
      const device = { username: ben, name: 'other' };
      return (await service.ask(null, api.devices.signIn, device)).device_id;
    },
    first: (_, id) => [ben, api.devices.end, { device_id: id }],
    second: () => [ada, api.devices.renewKeys, { user_id: idOf[ben] }],
    refusal: { code: 'INVALID_API_KEY', msg: 'Invalid API key' },
  },
  {
    title: 'a bot is not given away by an administrator who is none any more',
    prepare: (world) => makeAdmin(world),
    first: () => [ben, api.bots.update, { bot_id: idOf[echoBot], bot_owner_id: idOf[ben] }],
    second: () => setRole(ben, 400),
    refusal: bad('Insufficient permission'),
  },
  {
    title: 'whoever is removed from a group does not change it',
    prepare: async ({ service }) => {
      const group = { name: 'group', description: '', members: [idOf[ben]] };
      await service.ask(ada, api.userGroups.create, group);
      const { user_groups: groups } = await service.ask(ada, api.userGroups.list);
      return groups.find(({ name }) => name === 'group')?.id;
    },
    first: (_, id) => [ben, api.userGroups.update, { user_group_id: id, name: 'other' }],
    second: (_, id) => [
      ada,
      api.userGroups.changeMembers,
      { user_group_id: id, delete: [idOf[ben]] },
    ],
    refusal: bad('Only group members and organization administrators can change this group'),
  },
  {
    title: 'a name does not change any more when that is switched off',
    first: () => [ben, api.settings.update, { full_name: 'Other' }],
    second: () => [ada, api.realm.update, { name_changes_disabled: true }],
    refusal: bad('Name changes are disabled in this organization'),
  },
];

describe.each([
  ['messages', messages],
  ['sending', sending],
  ['streams', streams],
  ['people', people],
])('%s', (_, pairs) => {
  test.each(pairs)('$title', async ({ prepare, first, second, refusal }) => {
    const world = await startWorld();
    const { service, run } = world;
    const prepared = Number(await prepare?.(world));
    const [caller, endpoint, params] = first(world, prepared);
    const [other, after, otherParams] = second(world, prepared);
    for (const who of [caller, other]) if (who !== null) await service.keyOf(who);
    let settled: unknown;
    const { status, body } = await run(
      () => service.answer(caller, endpoint, params),
      async () => {
        await service.ask(other, after, otherParams);
        settled = service.dump();
      },
    );
    expect(body).toMatchObject(refusal.code === 'NONE' ? { msg: refusal.msg } : refusal);
    expect(status).not.toBe(200);
    expect(service.dump()).toEqual(settled);
  });
});
