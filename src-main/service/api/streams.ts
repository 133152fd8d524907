import type { streams } from '../../contract/api/streams.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { StreamOperations } from '../domain/streams.ts';
import type { SubscriptionOperations } from '../domain/subscriptions.ts';

export const streamHandlers = (
  domain: StreamOperations & Pick<SubscriptionOperations, 'subscribe'>,
): Handlers<typeof streams> => ({
  subscribe: ({ caller }, params) => domain.subscribe(caller, params),
  subscriptions: async ({ caller }, { includeSubscribers }) => ({
    subscriptions: [...(await domain.listSubscriptions(caller, includeSubscribers))],
  }),
  list: async ({ caller }, params) => ({
    streams: [...(await domain.listStreams(caller, params))],
  }),
  get: async ({ caller }, { streamId }) => ({ stream: await domain.getStream(caller, streamId) }),
  findId: async ({ caller }, { stream }) => ({
    stream_id: await domain.getStreamId(caller, stream),
  }),
  members: async ({ caller }, { streamId }) => ({
    subscribers: [...(await domain.listMembers(caller, streamId))],
  }),
  isSubscribed: async ({ caller }, { userId, streamId }) => ({
    is_subscribed: await domain.isSubscribed(caller, userId, streamId),
  }),
  async emailAddress({ caller }, { streamId }) {
    await domain.getStream(caller, streamId);
    return { email: '' };
  },
  topics: async ({ caller }, { streamId }) => ({
    topics: [...(await domain.listTopics(caller, streamId))],
  }),
});
