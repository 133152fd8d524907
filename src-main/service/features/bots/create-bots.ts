/** Bots as they are managed, what they keep, and how they register queues. */
import type { FeatureContext } from '#service/core/feature-context.ts';
import type { MessageOperations } from '#service/features/messages/operations/messages.ts';
import { botHandlers, botStorageHandlers } from './handlers/bots.ts';
import { botAdminOperations } from './operations/bot-admin.ts';
import { botStorageOperations } from './operations/bot-storage.ts';
import { deliveryLogOperations } from './operations/delivery-log.ts';
import { deliveryOperations } from './operations/outgoing-deliveries.ts';
import { botOperations } from './operations/queue-defaults.ts';

/** @param messages  by which people are told what was done with their bots */
export function createBots(
  context: FeatureContext,
  { sendMessage }: Pick<MessageOperations, 'sendMessage'>,
) {
  const { store } = context;
  const deliveryLog = deliveryLogOperations(store, context);
  return {
    handlers: {
      bots: botHandlers(botAdminOperations(store, context, sendMessage)),
      botStorage: botStorageHandlers(botStorageOperations(store)),
    },
    queueDefaults: botOperations(store),
    deliveryLog,
    outgoingDeliveries: deliveryOperations(store),
    sweeps: { 'the delivery log': deliveryLog.trim },
  };
}
