/** Joins handlers, event log and timers into one Service. */
import { api } from '../contract/api/index.ts';
import type { ApiHandlers, CallerDirectory } from '../contract/handlers.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { eventHandlers } from './api/events.ts';
import { guarded } from './api/guard.ts';
import { messageHandlers } from './api/messages.ts';
import { serverHandlers } from './api/server.ts';
import { streamHandlers } from './api/streams.ts';
import { userHandlers } from './api/users.ts';
import { botOperations } from './domain/bots.ts';
import { historyOperations, peopleOf } from './domain/history.ts';
import { messageOperations } from './domain/messages.ts';
import { organizationOperations } from './domain/organization.ts';
import type { DomainContext, DomainCredentials, FileStore } from './domain/ports.ts';
import { renderingOperations } from './domain/rendering.ts';
import { streamOperations } from './domain/streams.ts';
import { userOperations } from './domain/users.ts';
import { createListeners } from './events/listeners.ts';
import { createLogTail } from './events/log-tail.ts';
import { createPayloads } from './events/payloads.ts';
import { Polls } from './events/polls.ts';
import { Registry } from './events/registry.ts';
import { createScanner } from './events/scan.ts';
import type { Store } from './store/port.ts';
import { isKnownIntegration, webhookHandlers } from './webhooks/incoming.ts';
import { createNotices } from './webhooks/notices.ts';

export interface ServiceOptions {
  readonly isDevelopment: boolean;
  readonly queueIdleSeconds: number;
  readonly heartbeatSeconds: number;
  readonly longpollSeconds: number;
}

export interface ServiceParts {
  readonly store: Store;
  readonly credentials: DomainCredentials;
  readonly files: FileStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly options: ServiceOptions;
  /** The product's own version. */
  readonly version: string;
}

export interface Service {
  readonly handlers: ApiHandlers<typeof api>;
  readonly callers: CallerDirectory;
  readonly isKnownIntegration: (name: string) => boolean;
  /** Only into an empty store, otherwise it does nothing. */
  readonly seedDevelopment: () => Promise<void>;
  /** Answers every waiting poll, stops the timers and saves the queues' cursors. */
  readonly stop: () => Promise<void>;
}

interface EventParts {
  readonly registry: Registry;
  readonly polls: Polls;
}

async function createEvents({ store, clock, log, options }: ServiceParts): Promise<EventParts> {
  const rows = await store.listQueues();
  // From here to `onCommit` nothing waits: what is committed in between would be in no tail.
  const tail = createLogTail(store);
  const listeners = createListeners(store);
  // A cache of people would go stale; a message's people are looked up once for all queues anyway.
  const payloads = createPayloads(store, (row) => peopleOf(store)(row));
  const scanner = createScanner({ store, tail, listeners, payloads });
  const registry = new Registry({
    store,
    rows,
    clock,
    log,
    idleSeconds: options.queueIdleSeconds,
  });
  const polls = new Polls({
    store,
    registry,
    scanner,
    payloads,
    clock,
    random: Math.random,
    heartbeatSeconds: options.heartbeatSeconds,
    longpollSeconds: options.longpollSeconds,
  });
  store.onCommit((events) => {
    tail.append(events);
    for (const event of events) listeners.forget(event);
    polls.wake(events);
  });
  return { registry, polls };
}

export async function createService(parts: ServiceParts): Promise<Service> {
  const { store, credentials, files, clock, log, options, version } = parts;
  const nowSeconds = (): number => Math.floor(clock.now() / 1000);
  const { isDevelopment } = options;
  const context: DomainContext = { credentials, files, nowSeconds, isDevelopment, version };

  const { registry, polls } = await createEvents(parts);
  const rendering = renderingOperations(store);
  const messages = messageOperations(store, context, rendering);
  const users = userOperations(store, context);
  const organization = organizationOperations(store, context);

  const { apiKeys } = credentials;
  const renewed = await store.refreshKeyHashes((id, generation) =>
    apiKeys.hash(apiKeys.derive(id, generation)),
  );
  if (renewed > 0)
    log.warn('the secret is a new one: every API key has changed', { accounts: renewed });
  await store.appendEvent({
    type: 'restart',
    audience: { kind: 'realm' },
    payload: { server_generation: nowSeconds(), immediate: true },
  });

  return {
    handlers: {
      messages: messageHandlers({ ...messages, ...historyOperations(store) }),
      events: eventHandlers({ registry, polls, bots: botOperations(store), nowSeconds }),
      streams: streamHandlers(streamOperations(store, context, messages)),
      users: guarded(api.users, userHandlers(users)),
      server: serverHandlers(organization),
      webhooks: webhookHandlers(messages, createNotices(messages, nowSeconds)),
    },
    callers: users,
    isKnownIntegration,
    seedDevelopment: organization.seedDevelopment,
    async stop() {
      polls.stop();
      await registry.stop();
    },
  };
}
