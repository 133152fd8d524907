/** Joins what is delivered to bots, and by them, with what their owners see of it. */
import type { createBots } from './features/bots/create-bots.ts';
import type { MessageOperations } from './features/messages/operations/messages.ts';
import type { FeatureContext } from './core/feature-context.ts';
import type { WebClient } from './core/ports/environment.ts';
import { deliveryHandlers, integrationHandlers } from './webhooks/handlers.ts';
import { createInbox } from './webhooks/inbox.ts';
import { createAttempt, createRepeat, webhookHandlers } from './webhooks/incoming.ts';
import { createNotices } from './webhooks/notices.ts';
import { createOutgoing } from './webhooks/outgoing.ts';

/** Begins with what an earlier process left over. */
export function createWebhooks(
  context: FeatureContext,
  web: WebClient,
  messages: MessageOperations,
  { deliveryLog, outgoingDeliveries }: ReturnType<typeof createBots>,
) {
  const { store, clock, log, limits, nowSeconds, version } = context;
  const notices = createNotices(messages, nowSeconds);
  const reportError = (what: string, cause: unknown): void => {
    log.error(what, { cause });
  };
  const inbox = createInbox({ deliveryLog, notices, nowSeconds, reportError });
  const outgoing = createOutgoing({
    deliveries: outgoingDeliveries,
    domain: messages,
    notices,
    deliveryLog,
    nowSeconds,
    web,
    setTimer: clock.setTimer,
    reportError,
    version,
  });
  store.onCommit((events) => {
    if (events.some(({ payload }) => payload['has_deliveries'] === true)) outgoing.wake();
  });
  outgoing.wake();
  const attempt = createAttempt({
    notices,
    deliveryLog,
    inbox,
    nowSeconds,
    mostMessages: limits.deliveryMessages,
    domain: messages,
    secrets: store,
  });
  const repeat = createRepeat(attempt, inbox);
  return {
    handlers: {
      webhooks: webhookHandlers(attempt, inbox),
      integrations: integrationHandlers(deliveryLog),
      deliveries: deliveryHandlers({ deliveryLog, inbox, repeat, wakeOutgoing: outgoing.wake }),
    },
    inbox,
    async stop() {
      await outgoing.stop();
      await inbox.settle();
    },
  };
}
