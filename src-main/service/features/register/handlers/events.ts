import type { events } from '#shared/api/endpoints/events.ts';
import type { ParamsOf } from '#shared/api/endpoint.ts';
import { refusal } from '#shared/api/refusal.ts';
import { eventTypeNames } from '#shared/api/events.ts';
import type { Caller, Handlers, Serialized } from '#service/core/ports/handlers.ts';
import type {
  BotOperations,
  QueueDefaults,
} from '#service/features/bots/operations/queue-defaults.ts';
import { factsFor, initialState } from '../operations/initial-state.ts';
import { canListenToPublicStreams } from '#shared/policies/streams.ts';
import { serializedList } from '#service/events/serialized-list.ts';
import type { Polls } from '#service/events/polls.ts';
import type { Queue, QueueOptions } from '#service/events/queue.ts';
import type { Registry } from '#service/events/queue-registry.ts';
import type { EventStreams } from '#service/events/streams.ts';
import type { Waiters } from '#service/events/waiters.ts';
import type { OpenEventStream } from '#service/core/ports/event-stream.ts';
import { checkQueueNarrow } from '#service/events/scan.ts';

type RegisterParams = ParamsOf<typeof events.register>;

/** Everything by which clients are told what happens. */
export interface EventQueues {
  readonly registry: Registry;
  readonly waiters: Waiters;
  readonly polls: Polls;
  readonly eventStreams: EventStreams;
}

interface EventHandlerParts extends EventQueues {
  readonly bots: BotOperations;
  readonly nowSeconds: () => number;
  /** The key that belongs to a generation of an account's key. */
  readonly apiKeyOf: (userId: number, generation: number) => string;
  readonly uploadBytes: number;
}

function optionsOf(caller: Caller, params: RegisterParams, defaults: QueueDefaults): QueueOptions {
  const allPublicStreams = params.allPublicStreams ?? defaults.allPublicStreams;
  if (allPublicStreams && !canListenToPublicStreams(caller)) {
    throw refusal('not_allowed_to_query');
  }
  checkQueueNarrow(params.narrow);
  return {
    applyMarkdown: params.applyMarkdown,
    clientGravatar: params.clientGravatar,
    withSource: params.withSource,
    includeSubscribers: params.includeSubscribers,
    allPublicStreams,
    // Nothing is kept of what no event is called: a list may be as long as a request.
    eventTypes: params.eventTypes === undefined ? null : knownTypes(params.eventTypes),
    narrow: params.narrow.length > 0 ? params.narrow : defaults.narrow,
  };
}

const knownTypes = (types: readonly string[]): readonly string[] =>
  eventTypeNames.filter((name) => types.includes(name));

type Register = (
  caller: Caller,
  params: RegisterParams,
  facts: ReturnType<typeof factsFor>,
) => ReturnType<Registry['register']>;

const registering =
  ({ registry, bots }: Pick<EventHandlerParts, 'registry' | 'bots'>): Register =>
  async (caller, params, facts) =>
    registry.register({
      userId: caller.userId,
      ownerId: caller.ownerId ?? caller.userId,
      options: optionsOf(caller, params, await bots.getQueueDefaults(caller)),
      lifespanSeconds: params.queueLifespanSecs,
      facts,
    });

/** Ids of queues need no escapes. */
const pollAnswer = ({ id }: Queue, events: readonly string[]): Serialized =>
  serializedList(`{"result":"success","msg":"","queue_id":"${id}","events":`, events);

export function eventHandlers(parts: EventHandlerParts): Handlers<typeof events> {
  const { registry, waiters, polls, eventStreams, nowSeconds, apiKeyOf, uploadBytes } = parts;
  const register = registering(parts);

  async function registerAlone(caller: Caller, params: RegisterParams) {
    const { queue, state } = await register(caller, params, []);
    return { queue_id: queue.id, last_event_id: state.lastEventId, events: [] };
  }

  return {
    async register({ caller, origin }, params) {
      const types = params.fetchEventTypes ?? params.eventTypes ?? null;
      const { clientGravatar, includeSubscribers } = params;
      const facts = factsFor({ types, includeSubscribers });
      const { queue, state } = await register(caller, params, facts);
      const initial = initialState(
        {
          caller,
          types,
          clientGravatar,
          includeSubscribers,
          nowSeconds: nowSeconds(),
          origin,
          apiKeyOf,
          uploadBytes,
        },
        state.facts,
      );
      return {
        ...initial,
        zulip_version: String(initial['zulip_version']),
        queue_id: queue.id,
        last_event_id: state.lastEventId,
      };
    },
    poll({ caller, signal }, params) {
      if (params.queueId === undefined || params.queueId === '') {
        return registerAlone(caller, params);
      }
      const queue = registry.get(params.queueId, caller.userId);
      const { lastEventId, dontBlock } = params;
      return polls.fetch(queue, { lastEventId, dontBlock, signal }, pollAnswer);
    },
    acknowledge({ caller }, { queueId, lastEventId }) {
      eventStreams.acknowledge(registry.get(queueId, caller.userId), lastEventId);
      return Promise.resolve({});
    },
    async deleteQueue({ caller }, { queueId }) {
      const queue = registry.get(queueId, caller.userId);
      await registry.delete(queue);
      waiters.release(queue);
      return {};
    },
  };
}

/** Streams of events, by queues of the caller's own. @param isCurrent  whether a caller may still be told */
export const openEventStream =
  (
    { registry, eventStreams }: Pick<EventHandlerParts, 'registry' | 'eventStreams'>,
    isCurrent: (caller: Caller) => Promise<boolean>,
  ): OpenEventStream =>
  (caller, { queueId, lastEventId }, client) => {
    const queue = registry.get(queueId, caller.userId);
    const isAllowed = (): Promise<boolean> => isCurrent(caller);
    return eventStreams.open(queue, { ...client, lastEventId, isAllowed });
  };
