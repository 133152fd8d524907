/** Joins what is delivered to bots, and by them, with what their owners see of it. */
import type { api } from '#shared/api/endpoints/index.ts';
import type { Clock } from '#node/clock.ts';
import type { Log } from '#node/log.ts';
import type { MessageOperations } from './features/messages/operations/messages.ts';
import type { DomainContext, WebClient } from './core/ports/environment.ts';
import type { ApiHandlers } from './core/ports/handlers.ts';
import { deliveryOperations } from './features/bots/operations/outgoing-deliveries.ts';
import {
  type DeliveryLogOperations,
  deliveryLogOperations,
} from './features/bots/operations/delivery-log.ts';
import type { Store } from './db/port.ts';
import { deliveryHandlers, integrationHandlers } from './webhooks/handlers.ts';
import { createInbox, type Inbox } from './webhooks/inbox.ts';
import { createAttempt, createRepeat, webhookHandlers } from './webhooks/incoming.ts';
import { createNotices, type Notices } from './webhooks/notices.ts';
import { createOutgoing, type Outgoing } from './webhooks/outgoing.ts';

interface WebhookNeeds {
  readonly store: Store;
  readonly web: WebClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
}

interface WebhookParts {
  readonly notices: Notices;
  readonly deliveryLog: DeliveryLogOperations;
  readonly inbox: Inbox;
  readonly nowSeconds: () => number;
  readonly mostMessages: number;
}

export function createWebhooks(
  { store, log }: Pick<WebhookNeeds, 'store' | 'log'>,
  context: DomainContext,
  messages: MessageOperations,
): WebhookParts {
  const { nowSeconds } = context;
  const notices = createNotices(messages, nowSeconds);
  const deliveryLog = deliveryLogOperations(store, context);
  const reportError = (what: string, cause: unknown): void => {
    log.error(what, { cause });
  };
  return {
    notices,
    deliveryLog,
    inbox: createInbox({ deliveryLog, notices, nowSeconds, reportError }),
    nowSeconds,
    mostMessages: context.limits.deliveryMessages,
  };
}

/** What services deliver to bots, and what the owners of bots see of it. */
export function webhookTables(
  secrets: Store,
  domain: MessageOperations,
  parts: WebhookParts & { readonly wakeOutgoing: () => void },
): Pick<ApiHandlers<typeof api>, 'webhooks' | 'integrations' | 'deliveries'> {
  const attempt = createAttempt({ ...parts, domain, secrets });
  const repeat = createRepeat(attempt, parts.inbox);
  return {
    webhooks: webhookHandlers(attempt, parts.inbox),
    integrations: integrationHandlers(parts.deliveryLog),
    deliveries: deliveryHandlers({ ...parts, repeat }),
  };
}

/** Begins with what an earlier process left over. */
export function startOutgoing(
  { store, web, clock, log, version }: WebhookNeeds,
  domain: Pick<MessageOperations, 'sendMessage'>,
  { notices, deliveryLog, nowSeconds }: WebhookParts,
): Outgoing {
  const outgoing = createOutgoing({
    deliveries: deliveryOperations(store),
    domain,
    notices,
    deliveryLog,
    nowSeconds,
    web,
    setTimer: clock.setTimer,
    reportError: (what, cause) => {
      log.error(what, { cause });
    },
    version,
  });
  store.onCommit((events) => {
    if (events.some(({ payload }) => payload['has_deliveries'] === true)) outgoing.wake();
  });
  outgoing.wake();
  return outgoing;
}
