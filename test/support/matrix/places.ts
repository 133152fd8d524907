/** Scenarios of streams and of who is in them. */
import { api } from '#shared/api/endpoints/index.ts';
import { ada, type Params } from '../service/api.ts';
import type { model } from './model.ts';
import {
  made,
  onStream,
  type Scenario,
  type ScenariosOf,
  spendingStream,
  stageOf,
} from './scenario.ts';

type Scenarios = ScenariosOf<typeof model>;

interface Listed {
  readonly streams?: readonly { readonly name: string }[];
  readonly subscriptions?: readonly { readonly name: string }[];
}

/** Asks for a list, and looks for the stream of the thing in it. */
const listing = (key: keyof Listed, more: Params = {}): Scenario => ({
  prepare: async ({ world, thing }) => ({
    params: { ...more, looked_for: (await world.stage(thing.place)).name },
  }),
  finds: (body, { looked_for }) =>
    (body as Listed)[key]?.some(({ name }) => name === looked_for) ?? false,
});

const joining = (
  principals: (emailOf: (name: 'bystander') => string) => Params = () => ({}),
): Scenario =>
  made(async (use) => ({
    subscriptions: [{ name: (await stageOf(use)).name }],
    ...principals((name) => use.world.emailOf(name)),
  }));

const streams: Scenarios['streams'] = {
  subscribe: {
    creating: made(({ world }) => ({ subscriptions: [{ name: world.fresh('created ') }] })),
    oneself: joining(),
    another: joining((emailOf) => ({ principals: [emailOf('bystander')] })),
  },
  subscriptions: listing('subscriptions'),
  list: {
    plainly: listing('streams'),
    'with archived ones': listing('streams', { include_archived: true }),
  },
  get: onStream(),
  findId: made(async ({ world, thing }) => ({ stream: (await world.stage(thing.place)).name })),
  members: onStream(),
  isSubscribed: onStream(() => ({ user_id: 1 })),
  emailAddress: onStream(),
  topics: { ...onStream(), finds: ({ topics }) => (topics as readonly unknown[]).length > 0 },
};

const subscriptions: Scenarios['subscriptions'] = {
  unsubscribe: {
    oneself: made(async (use) => ({ subscriptions: [(await stageOf(use)).name] })),
    another: made(async (use) => ({
      subscriptions: [(await stageOf(use)).name],
      principals: [use.world.emailOf('resident')],
    })),
  },
  change: made(async (use) => ({ delete: [(await stageOf(use)).name] })),
  setProperties: made(async (use) => ({
    subscription_data: [
      { stream_id: (await stageOf(use)).id, property: 'pin_to_top', value: true },
    ],
  })),
  muteTopic: onStream(({ world }) => ({ topic: world.fresh('loud '), op: 'add' })),
};

const defaults = async (world: Parameters<Scenario['prepare']>[0]['world']): Promise<Params> => {
  const { id } = await world.build('public');
  await world.service.ask(ada, api.streamAdmin.addDefault, { stream_id: id });
  return { stream_id: id };
};

const streamAdmin: Scenarios['streamAdmin'] = {
  update: {
    description: onStream(({ world }) => ({ description: world.fresh('about ') })),
    'to private': spendingStream(() => ({ is_private: true })),
    'to public': spendingStream(() => ({ is_private: false })),
    'to archived': spendingStream(() => ({ is_archived: true })),
    'to no longer archived': spendingStream(() => ({ is_archived: false })),
  },
  archive: spendingStream(),
  addDefault: spendingStream(),
  removeDefault: made(async ({ world, isSpent }) => (isSpent ? defaults(world) : { stream_id: 1 })),
};

export const placeScenarios = { streams, subscriptions, streamAdmin } satisfies Partial<Scenarios>;
