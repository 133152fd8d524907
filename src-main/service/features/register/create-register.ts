/** Queues of events, and the state from which a client starts. */
import { isCurrent } from '#service/core/callers.ts';
import type { FeatureContext } from '#service/core/feature-context.ts';
import type { BotOperations } from '#service/features/bots/operations/queue-defaults.ts';
import { eventHandlers, type EventQueues, openEventStream } from './handlers/events.ts';

/** @param bots  what queues of bots begin with */
export function createRegister(
  { store, credentials, limits, nowSeconds }: FeatureContext,
  queues: EventQueues,
  bots: BotOperations,
) {
  const apiKeyOf = credentials.apiKeys.derive;
  const { uploadBytes } = limits;
  return {
    handlers: { events: eventHandlers({ ...queues, bots, nowSeconds, apiKeyOf, uploadBytes }) },
    openEventStream: openEventStream(queues, isCurrent(store)),
  };
}
