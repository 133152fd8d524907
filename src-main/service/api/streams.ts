import type { streams } from '../../contract/api/streams.ts';
import type { Handlers } from '../../contract/handlers.ts';
import type { StreamOperations } from '../domain/streams.ts';

export const streamHandlers = (domain: StreamOperations): Handlers<typeof streams> => ({
  subscribe: ({ caller }, params) => domain.subscribe(caller, params),
  subscriptions: async ({ caller }, { includeSubscribers }) => ({
    subscriptions: [...(await domain.listSubscriptions(caller, includeSubscribers))],
  }),
  list: async ({ caller }, params) => ({
    streams: [...(await domain.listStreams(caller, params))],
  }),
  topics: async ({ caller }, { streamId }) => ({
    topics: [...(await domain.listTopics(caller, streamId))],
  }),
});
