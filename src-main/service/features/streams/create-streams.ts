/** Streams, who is in them, and what administrators do with them. */
import type { FeatureContext } from '#service/core/feature-context.ts';
import type { MessageOperations } from '#service/features/messages/operations/messages.ts';
import { streamAdminHandlers } from './handlers/stream-admin.ts';
import { streamHandlers } from './handlers/streams.ts';
import { subscriptionHandlers } from './handlers/subscriptions.ts';
import { archiveOperations } from './operations/archiving.ts';
import { streamAdminOperations } from './operations/stream-admin.ts';
import { streamOperations } from './operations/streams.ts';
import { subscriptionSettingOperations } from './operations/subscription-settings.ts';
import { subscriptionOperations } from './operations/subscriptions.ts';

/** @param messages  by which people are told that they were subscribed */
export function createStreams(
  context: FeatureContext,
  messages: Pick<MessageOperations, 'sendMessage'>,
) {
  const { store } = context;
  const streams = streamOperations(store, context);
  const subscriptions = subscriptionOperations(store, context, messages);
  const settings = subscriptionSettingOperations(store, context);
  const admin = streamAdminOperations(store, context);
  const archiving = archiveOperations(store, context);
  return {
    handlers: {
      streams: streamHandlers({ ...streams, ...subscriptions }),
      subscriptions: subscriptionHandlers({ ...subscriptions, ...settings }),
      streamAdmin: streamAdminHandlers({ ...admin, ...archiving }),
    },
  };
}
