import type { streams } from '#shared/api/endpoints/streams/streams.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { StreamOperations } from '../operations/streams.ts';
import type { SubscriptionOperations } from '../operations/subscriptions.ts';

export const streamHandlers = (
  domain: StreamOperations & Pick<SubscriptionOperations, 'subscribe'>,
): Handlers<typeof streams> => ({
  subscribe: (call, params) => domain.subscribe(call, params),
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
