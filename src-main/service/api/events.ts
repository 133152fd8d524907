import type { events } from '../../contract/api/events.ts';
import type { ParamsOf } from '../../contract/endpoint.ts';
import { badRequest } from '../../contract/errors.ts';
import { type Caller, type Handlers, Serialized } from '../../contract/handlers.ts';
import type { BotOperations, QueueDefaults } from '../domain/bots.ts';
import { factsFor, initialState } from '../domain/initial-state.ts';
import { canListenToPublicStreams } from '../domain/rules/permissions.ts';
import type { Polls } from '../events/polls.ts';
import type { QueueOptions } from '../events/queue.ts';
import type { Registry } from '../events/registry.ts';
import { checkQueueNarrow } from '../events/scan.ts';

type RegisterParams = ParamsOf<typeof events.register>;

interface Parts {
  readonly registry: Registry;
  readonly polls: Polls;
  readonly bots: BotOperations;
  readonly nowSeconds: () => number;
  /** The key that belongs to a generation of an account's key. */
  readonly apiKeyOf: (userId: number, generation: number) => string;
}

function optionsOf(caller: Caller, params: RegisterParams, defaults: QueueDefaults): QueueOptions {
  const allPublicStreams = params.allPublicStreams ?? defaults.allPublicStreams;
  if (allPublicStreams && !canListenToPublicStreams(caller)) {
    throw badRequest('User not authorized for this query');
  }
  checkQueueNarrow(params.narrow);
  return {
    applyMarkdown: params.applyMarkdown,
    clientGravatar: params.clientGravatar,
    withSource: params.withSource,
    includeSubscribers: params.includeSubscribers,
    allPublicStreams,
    eventTypes: params.eventTypes ?? null,
    narrow: params.narrow.length > 0 ? params.narrow : defaults.narrow,
  };
}

const encoder = new TextEncoder();
const encoded = new WeakMap<readonly string[], Uint8Array>();

/** The end of an answer. Queues that are told the same share the list, and so its bytes. */
function bytesOf(events: readonly string[]): Uint8Array {
  const known = encoded.get(events);
  if (known !== undefined) return known;
  const bytes = encoder.encode(`[${events.join(',')}]}`);
  encoded.set(events, bytes);
  return bytes;
}

export function eventHandlers(parts: Parts): Handlers<typeof events> {
  const { registry, polls, bots, nowSeconds, apiKeyOf } = parts;
  const register = async (
    caller: Caller,
    params: RegisterParams,
    facts: ReturnType<typeof factsFor>,
  ): ReturnType<Registry['register']> =>
    registry.register({
      userId: caller.userId,
      options: optionsOf(caller, params, await bots.getQueueDefaults(caller)),
      lifespanSeconds: params.queueLifespanSecs,
      facts,
    });

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
    async poll({ caller, signal }, params) {
      if (params.queueId === undefined || params.queueId === '') {
        const { queue, state } = await register(caller, params, []);
        return { queue_id: queue.id, last_event_id: state.lastEventId, events: [] };
      }
      const queue = registry.get(params.queueId, caller.userId);
      const { lastEventId, dontBlock } = params;
      const found = await polls.fetch(queue, { lastEventId, dontBlock, signal });
      return new Serialized(
        `{"result":"success","msg":"","queue_id":${JSON.stringify(queue.id)},"events":`,
        bytesOf(found),
      );
    },
    async deleteQueue({ caller }, { queueId }) {
      const queue = registry.get(queueId, caller.userId);
      await registry.delete(queue);
      polls.release(queue);
      return {};
    },
  };
}
