/**
 * For every operation a call that succeeds for whoever may make it. Where kinds of account alone do not decide, the
 * scenario asks the rule that does. A new endpoint does not compile until it is here.
 */
import { api } from '../../../src-main/contract/api/index.ts';
import {
  type Actor,
  canCreateStreams,
  canDeactivateEmoji,
  canListenToPublicStreams,
  canManageBot,
  canReadHistory,
  mayDeleteMessage,
  mayEditContent,
} from '../../../src-main/service/domain/rules/permissions.ts';
import { realmDefaults } from '../../../src-main/service/domain/rules/defaults.ts';
import { ada, ben, cleo, idOf } from '../api.ts';
import { png, upload } from '../images.ts';
import { communityScenarios } from './community.ts';
import { made, plain, type Scenario, type Scenarios } from './scenario.ts';
import { callers, emailOf, type Kind } from './world.ts';

export type { Scenario } from './scenario.ts';

const userIdOf = (kind: Kind): number => idOf[emailOf(kind) ?? ''] ?? 0;
const own = { isOwn: true, ageSeconds: 0, hasNoTopic: false };
const othersMessage = { isOwn: false, ageSeconds: 0, hasNoTopic: false };

const messages: Scenarios['messages'] = {
  send: made((world) =>
    Promise.resolve({
      type: 'stream',
      to: 'general',
      topic: 'lunch',
      content: world.fresh('from '),
    }),
  ),
  page: plain({ anchor: 'newest', num_before: 1, num_after: 0 }),
};

const lifecycle: Scenarios['lifecycle'] = {
  get: made(async (world) => ({ message_id: await world.message() })),
  history: made(async (world) => ({ message_id: await world.message() })),
  // Somebody else's message: only its author may change the text.
  edit: made(
    async (world) => ({ message_id: await world.message(cleo), content: world.fresh('new ') }),
    () => mayEditContent(othersMessage, realmDefaults) === 'yes',
  ),
  delete: made(
    async (world, kind) => ({ message_id: await world.message(world.actAs(kind)) }),
    (actor) => mayDeleteMessage(actor, own, realmDefaults) === 'yes',
  ),
  render: plain({ content: '**soup**' }),
  deleteTopic: made(async (world) => {
    const topic_name = world.fresh('topic ');
    await world.service.say(ben, 'general', topic_name);
    return { stream_id: 1, topic_name };
  }),
};

const readState: Scenarios['readState'] = {
  markAllAsRead: plain(),
  markStreamAsRead: plain({ stream_id: 1 }),
  markTopicAsRead: plain({ stream_id: 1, topic_name: 'lunch' }),
  changeFlags: made(async (world) => ({
    messages: [await world.message()],
    op: 'add',
    flag: 'starred',
  })),
};

const reactions: Scenarios['reactions'] = {
  add: made(async (world) => ({ message_id: await world.message(), emoji_name: 'tada' })),
  remove: made(async (world, kind) => {
    const params = { message_id: await world.message(), emoji_name: 'tada' };
    await world.service.ask(world.actAs(kind), api.reactions.add, params);
    return params;
  }),
};

const emoji: Scenarios['emoji'] = {
  list: plain(),
  add: {
    prepare: (world) => ({ params: { name: world.fresh('emoji') }, body: upload(png) }),
  },
  deactivate: made(
    async (world) => {
      const name = world.fresh('emoji');
      await world.service.ask(cleo, api.emoji.add, { name }, { body: upload(png) });
      return { name };
    },
    (actor) => canDeactivateEmoji(actor, idOf[cleo] ?? 0),
  ),
};

const events: Scenarios['events'] = {
  register: {
    prepare: () => ({ params: { all_public_streams: true, fetch_event_types: ['realm_user'] } }),
    rule: (actor) => canListenToPublicStreams(actor),
  },
  poll: made(async (world, kind) => {
    const queue = await world.service.register(world.actAs(kind));
    return { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true };
  }),
  deleteQueue: made(async (world, kind) => {
    const queue = await world.service.register(world.actAs(kind));
    return { queue_id: queue.id };
  }),
};

const streams: Scenarios['streams'] = {
  subscribe: {
    prepare: (world) => ({ params: { subscriptions: [{ name: world.fresh('created ') }] } }),
    rule: (actor) => canCreateStreams(actor, realmDefaults),
  },
  subscriptions: plain(),
  list: plain(),
  get: plain({ stream_id: 1 }),
  findId: plain({ stream: 'general' }),
  members: plain({ stream_id: 1 }),
  isSubscribed: plain({ user_id: 1, stream_id: 1 }),
  emailAddress: plain({ stream_id: 1 }),
  topics: {
    // A public stream that nobody but administrators is subscribed to.
    ...made(async (world) => ({ stream_id: (await world.stream()).id })),
    rule: (actor, kind) =>
      canReadHistory(
        actor,
        { isPrivate: false, isAnnouncementOnly: false, isHistoryPublic: true },
        kind === 'admin',
      ),
  },
};

const subscriptions: Scenarios['subscriptions'] = {
  unsubscribe: made(
    async (world) => {
      const { name } = await world.stream({ principals: [ada, cleo] });
      return { subscriptions: [name], principals: [cleo] };
    },
    (actor) => actor.role === 'admin',
  ),
  change: plain({ delete: ['general'], add: [{ name: 'general' }] }),
  setProperties: plain({
    subscription_data: [{ stream_id: 1, property: 'pin_to_top', value: true }],
  }),
  muteTopic: made((world) =>
    Promise.resolve({ stream: 'general', topic: world.fresh('loud '), op: 'add' }),
  ),
};

const streamAdmin: Scenarios['streamAdmin'] = {
  update: made(async (world) => ({
    stream_id: (await world.stream()).id,
    description: world.fresh('about '),
  })),
  archive: made(async (world) => ({ stream_id: (await world.stream()).id })),
  addDefault: made(async (world) => ({ stream_id: (await world.stream()).id })),
  removeDefault: made(async (world) => {
    const { id } = await world.stream();
    await world.service.ask(ada, api.streamAdmin.addDefault, { stream_id: id });
    return { stream_id: id };
  }),
};

const users: Scenarios['users'] = {
  me: plain(),
  list: plain(),
  create: made((world) =>
    Promise.resolve({
      email: `${world.fresh('created')}@example.com`,
      password: 'a long password',
      full_name: 'Somebody New',
    }),
  ),
  fetchApiKey: made(async (world) => {
    const email = `${world.fresh('signs')}@example.com`;
    const password = 'a long password';
    await world.service.ask(ada, api.users.create, { email, password, full_name: 'Signs In' });
    return { username: email, password };
  }),
  devFetchApiKey: plain({ username: cleo }),
};

const userAdmin: Scenarios['userAdmin'] = {
  get: plain({ user_id: 1 }),
  update: made(async (world) => ({
    user_id: await world.person(),
    full_name: world.fresh('Renamed '),
  })),
  deactivate: made(async (world) => ({ user_id: await world.person() })),
  reactivate: made(async (world) => {
    const user_id = await world.person();
    await world.service.ask(ada, api.userAdmin.deactivate, { user_id });
    return { user_id };
  }),
  regenerateKey: plain(),
};

const managed: Scenario['rule'] = (actor) => canManageBot(actor, idOf[cleo] ?? 0);

const bots: Scenarios['bots'] = {
  create: made((world) =>
    Promise.resolve({ full_name: world.fresh('Bot '), short_name: world.fresh('bot') }),
  ),
  list: plain(),
  update: made(
    async (world) => ({ bot_id: await world.bot(cleo), full_name: world.fresh('Robot ') }),
    managed,
  ),
  regenerateKey: made(async (world) => ({ bot_id: await world.bot(cleo) }), managed),
  deactivate: made(async (world) => ({ bot_id: await world.bot(cleo) }), managed),
};

const queryOnly = { prepare: () => ({ params: {} }) };

const rest: Omit<
  Scenarios,
  | 'messages'
  | 'lifecycle'
  | 'readState'
  | 'reactions'
  | 'emoji'
  | 'events'
  | 'streams'
  | 'subscriptions'
  | 'streamAdmin'
  | 'users'
  | 'userAdmin'
  | 'bots'
  | keyof typeof communityScenarios
> = {
  avatars: {
    set: { prepare: () => ({ params: {}, body: upload(png) }) },
    remove: queryOnly,
  },
  typing: { notify: plain({ op: 'start', to: [cleo] }) },
  presence: {
    report: plain({ status: 'active' }),
    ofUser: made(async (world) => {
      await world.service.ask(cleo, api.presence.report, { status: 'active' });
      return { user: cleo };
    }),
    list: queryOnly,
  },
  pointer: {
    get: queryOnly,
    put: made(async (world) => ({ pointer: await world.message() })),
    post: made(async (world) => ({ pointer: await world.message() })),
  },
  statuses: { set: plain({ status_text: 'here' }) },
  search: { matchesNarrow: plain({ msg_ids: [1], narrow: [['search', 'soup']] }) },
  alertWords: {
    list: queryOnly,
    add: plain({ alert_words: ['soup'] }),
    put: plain({ alert_words: ['soup'] }),
    remove: plain({ alert_words: ['soup'] }),
  },
  settings: {
    update: made((world) => Promise.resolve({ full_name: world.fresh('Called ') })),
    notifications: plain({ enable_sounds: false }),
    display: plain({ night_mode: true }),
  },
  botStorage: {
    put: plain({ storage: { count: '1' } }),
    get: made(async (world, kind) => {
      await world.service.ask(world.actAs(kind), api.botStorage.put, { storage: { kept: '1' } });
      return { keys: ['kept'] };
    }),
    remove: made(async (world, kind) => {
      await world.service.ask(world.actAs(kind), api.botStorage.put, { storage: { gone: '1' } });
      return { keys: ['gone'] };
    }),
  },
  server: {
    settings: queryOnly,
    createOrganization: {
      ...plain({
        realm_name: 'Second',
        full_name: 'Somebody',
        email: 'a@example.com',
        password: 'a long password',
      }),
      // There is one already, whoever asks.
      rule: () => false,
    },
  },
  uploads: {
    upload: { prepare: () => ({ params: {}, body: upload(png) }) },
    list: queryOnly,
    remove: {
      prepare: async (world, kind) => {
        const who = world.actAs(kind);
        await world.service.ask(who, api.uploads.upload, {}, { body: upload(png) });
        const { attachments } = await world.service.ask(who, api.uploads.list);
        return { params: { attachment_id: attachments.at(-1)?.id } };
      },
    },
  },
  webhooks: {
    receive: {
      prepare: () => ({
        params: { integration: 'helloworld', stream: 'general' },
        body: JSON.stringify({ featured_title: 'Soup', featured_url: 'https://example.com/' }),
      }),
    },
  },
  realm: {
    update: made((world) => Promise.resolve({ description: world.fresh('about ') })),
  },
  linkifiers: {
    filters: queryOnly,
    list: queryOnly,
    add: made((world) =>
      Promise.resolve({
        pattern: `${world.fresh('T')}-(?P<id>[0-9]+)`,
        url_format_string: 'https://example.com/%(id)s',
      }),
    ),
    remove: made(async (world) => {
      const { id } = await world.service.ask(ada, api.linkifiers.add, {
        pattern: `${world.fresh('R')}-(?P<id>[0-9]+)`,
        url_format_string: 'https://example.com/%(id)s',
      });
      return { filter_id: id };
    }),
  },
};

const scenarios: Scenarios = {
  messages,
  lifecycle,
  readState,
  reactions,
  emoji,
  events,
  streams,
  subscriptions,
  streamAdmin,
  users,
  userAdmin,
  bots,
  ...communityScenarios,
  ...rest,
};

/** The scenario of an operation, by the names of its table and of itself. */
export const scenarioOf = (name: string): Scenario | undefined => {
  const [table = '', operation = ''] = name.split('.');
  const untyped = scenarios as unknown as Readonly<
    Record<string, Readonly<Record<string, Scenario>> | undefined>
  >;
  return untyped[table]?.[operation];
};

/** The account of a kind as rules look at it. */
export const actorOf = (kind: Kind): (Actor & { readonly userId: number }) | null => {
  const actor = callers[kind];
  return actor === null ? null : { ...actor, userId: userIdOf(kind) };
};
