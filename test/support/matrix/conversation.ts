/** Scenarios of messages, and of what becomes of them. */
import { api } from '#shared/api/endpoints/index.ts';
import { ada } from '../service/api.ts';
import type { model } from './model.ts';
import {
  asCaller,
  emoji,
  made,
  onMessage,
  plain,
  react,
  type Scenario,
  type ScenariosOf,
  spendingStream,
  type Use,
} from './scenario.ts';

type Scenarios = ScenariosOf<typeof model>;

/** Something that nobody but its sender has read, where everybody is. */
export const news = ({ world }: Use): Promise<number> =>
  world.service.say(world.emailOf('bystander'), 'general', 'lunch', world.fresh('news '));

interface Page {
  readonly messages: readonly { readonly id: number }[];
}

const finds: Scenario['finds'] = (body, { anchor }) =>
  (body as unknown as Page).messages.some(({ id }) => id === anchor);

const page = { num_before: 0, num_after: 0 };
const messages: Scenarios['messages'] = {
  send: {
    'to a stream': made(async ({ world, thing }) => ({
      ...{ type: 'stream', to: (await world.stage(thing.place)).name, topic: 'mine' },
      content: world.fresh('from '),
    })),
    'in private': made(({ world }) => ({
      ...{ type: 'private', to: [world.emailOf('bystander')], content: world.fresh('from ') },
    })),
  },
  page: {
    alone: made(
      async (use) => {
        const anchor = await use.world.message(use.thing, false);
        return { ...page, anchor, narrow: [['id', anchor]], reach: 'readable' };
      },
      { finds },
    ),
    'of a stream': made(
      async ({ world, thing }) => {
        const { id, filled } = await world.stage(thing.place);
        return {
          ...page,
          anchor: filled.held.ids[0],
          narrow: [{ operator: 'stream', operand: id }],
        };
      },
      { finds },
    ),
  },
  render: plain({ content: '**soup**' }),
};

const target = async ({ world, isSpent }: Use): Promise<number> => {
  const name = isSpent ? world.fresh('target ') : 'general';
  if (isSpent) await world.service.join(ada, [name]);
  return (await world.service.ask(ada, api.streams.findId, { stream: name })).stream_id;
};

const lifecycle: Scenarios['lifecycle'] = {
  get: onMessage(),
  history: onMessage(),
  edit: {
    content: onMessage(({ world }) => ({ content: world.fresh('new ') })),
    topic: onMessage(({ world }) => ({ topic: world.fresh('topic ') })),
    stream: made(
      async (use) => ({
        message_id: await use.world.message(use.thing, use.isSpent),
        stream_id: await target(use),
      }),
      { unknown: onMessage().unknown ?? {} },
    ),
  },
  delete: onMessage(),
  deleteTopic: spendingStream(() => ({ topic_name: 'plans' })),
};

const readState: Scenarios['readState'] = {
  markAllAsRead: made(async (use) => {
    await news(use);
    return {};
  }),
  markStreamAsRead: spendingStream(),
  // Who reacted in a stream holds what they reacted to: elsewhere nobody did.
  markTopicAsRead: made(async ({ world, thing }) => ({
    stream_id: (await world.build(thing.place)).id,
    topic_name: 'plans',
  })),
  changeFlags: made(async ({ world, thing, isSpent }) => ({
    messages: [await world.message(thing, isSpent)],
    ...{ op: 'add', flag: 'starred' },
  })),
};

const pointer = made(async (use) => ({ pointer: await news(use) }));

export const conversationScenarios = {
  messages,
  lifecycle,
  recovery: { lacking: plain({ known: [[1, 0]] }), offer: plain({ messages: [] }) },
  readState,
  reactions: {
    add: onMessage(() => emoji),
    remove: { ...onMessage(), prepare: async (use) => ({ params: await react(use) }) },
  },
  submessages: { add: onMessage(() => ({ msg_type: 'widget', content: '{}' })) },
  search: {
    matchesNarrow: made(
      async ({ world, thing }) => ({
        msg_ids: [await world.message(thing, false)],
        narrow: [['search', 'soup']],
      }),
      { finds: ({ messages: found }) => Object.keys(found as object).length > 0 },
    ),
  },
  pointer: { get: plain(), put: pointer, post: pointer },
  typing: { notify: made(({ world }) => ({ op: 'start', to: [world.emailOf('bystander')] })) },
  events: {
    register: {
      plainly: plain({ fetch_event_types: [] }),
      'for all public streams': plain({ all_public_streams: true, fetch_event_types: [] }),
    },
    poll: {
      'own queue': made(async (use) => {
        const queue = await use.world.service.register(asCaller(use));
        return { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true };
      }),
      "another's": made(async ({ world }) => {
        const queue = await world.service.register(world.emailOf('bystander'));
        return { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true };
      }),
    },
    acknowledge: {
      'own queue': made(async (use) => {
        const queue = await use.world.service.register(asCaller(use));
        return { queue_id: queue.id, last_event_id: queue.lastEventId };
      }),
      "another's": made(async ({ world }) => {
        const queue = await world.service.register(world.emailOf('bystander'));
        return { queue_id: queue.id, last_event_id: queue.lastEventId };
      }),
    },
    deleteQueue: {
      'own queue': made(async (use) => ({
        queue_id: (await use.world.service.register(asCaller(use))).id,
      })),
      "another's": made(async ({ world }) => ({
        queue_id: (await world.service.register(world.emailOf('bystander'))).id,
      })),
    },
  },
} satisfies Partial<Scenarios>;
