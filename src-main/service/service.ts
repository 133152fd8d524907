/** Joins handlers, event log and timers into one Service. */
import type { api } from '../contract/api/index.ts';
import type { FileSource } from '../contract/files.ts';
import type { ApiHandlers, CallerDirectory } from '../contract/handlers.ts';
import { defaultLimits, type Limits } from '../contract/limits.ts';
import type { LoggedEvent } from '../contract/log.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { avatarHandlers } from './api/avatars.ts';
import { emojiHandlers } from './api/emoji.ts';
import { botHandlers, botStorageHandlers } from './api/bots.ts';
import { alertWordHandlers } from './api/alert-words.ts';
import { eventHandlers } from './api/events.ts';
import { guardAll } from './api/guard.ts';
import { linkifierHandlers } from './api/linkifiers.ts';
import { lifecycleHandlers } from './api/lifecycle.ts';
import { messageHandlers } from './api/messages.ts';
import { pointerHandlers } from './api/pointer.ts';
import { presenceHandlers } from './api/presence.ts';
import { reactionHandlers } from './api/reactions.ts';
import { realmHandlers } from './api/realm.ts';
import { readStateHandlers } from './api/read-state.ts';
import { searchHandlers } from './api/search.ts';
import { serverHandlers } from './api/server.ts';
import { settingsHandlers } from './api/settings.ts';
import { statusHandlers } from './api/statuses.ts';
import { streamAdminHandlers } from './api/stream-admin.ts';
import { streamHandlers } from './api/streams.ts';
import { subscriptionHandlers } from './api/subscriptions.ts';
import { typingHandlers } from './api/typing.ts';
import { uploadHandlers } from './api/uploads.ts';
import { userAdminHandlers } from './api/user-admin.ts';
import { closingHandlers } from './api/closing.ts';
import { compatibilityHandlers } from './api/compatibility.ts';
import { invitationHandlers } from './api/invitations.ts';
import { profileFieldHandlers } from './api/profile-fields.ts';
import { submessageHandlers } from './api/submessages.ts';
import { userGroupHandlers } from './api/user-groups.ts';
import { userHandlers } from './api/users.ts';
import { avatarOperations } from './domain/avatars.ts';
import { alertWordOperations, type Alerts, createAlerts } from './domain/alert-words.ts';
import { botAdminOperations } from './domain/bot-admin.ts';
import { botStorageOperations } from './domain/bot-storage.ts';
import { botOperations } from './domain/bots.ts';
import { emojiOperations } from './domain/emoji.ts';
import { deliveryOperations } from './domain/deliveries.ts';
import { deleteOperations } from './domain/deletion.ts';
import { editOperations } from './domain/editing.ts';
import { type HistoryOperations, historyOperations, peopleOf } from './domain/history.ts';
import { findVisibleMessage } from './domain/message-access.ts';
import { messageHistoryOperations } from './domain/message-edits.ts';
import { linkifierOperations } from './domain/linkifiers.ts';
import { matchOperations } from './domain/matches.ts';
import { type MessageOperations, messageOperations } from './domain/messages.ts';
import { organizationOperations } from './domain/organization.ts';
import type { DomainContext, DomainCredentials, FileStore, WebClient } from './domain/ports.ts';
import { pointerOperations } from './domain/pointer.ts';
import { presenceOperations } from './domain/presence.ts';
import { reactionOperations } from './domain/reactions.ts';
import { realmOperations } from './domain/realm.ts';
import { readStateOperations } from './domain/read-state.ts';
import { type RenderingOperations, renderingOperations } from './domain/rendering.ts';
import { searchOperations } from './domain/search.ts';
import { SearchIndexer } from './domain/search-indexer.ts';
import { settingsOperations } from './domain/settings.ts';
import { statusOperations } from './domain/statuses.ts';
import { streamAdminOperations } from './domain/stream-admin.ts';
import { streamOperations } from './domain/streams.ts';
import { subscriptionSettingOperations } from './domain/subscription-settings.ts';
import { subscriptionOperations } from './domain/subscriptions.ts';
import { typingOperations } from './domain/typing.ts';
import { uploadOperations } from './domain/uploads.ts';
import { userAdminOperations } from './domain/user-admin.ts';
import { closingOperations } from './domain/closing.ts';
import { invitationOperations } from './domain/invitations.ts';
import { profileOperations } from './domain/profile.ts';
import { submessageOperations } from './domain/submessages.ts';
import { userGroupOperations } from './domain/user-groups.ts';
import { type UserOperations, userOperations } from './domain/users.ts';
import { createFill } from './events/fill.ts';
import { createListeners } from './events/listeners.ts';
import { createLogTail } from './events/log-tail.ts';
import { createPayloads, type MessageSources } from './events/payloads.ts';
import { Polls } from './events/polls.ts';
import { Registry } from './events/registry.ts';
import { createScanner } from './events/scan.ts';
import type { Store } from './store/port.ts';
import { isKnownIntegration, webhookHandlers } from './webhooks/incoming.ts';
import { createNotices, type Notices } from './webhooks/notices.ts';
import { createOutgoing, type Outgoing } from './webhooks/outgoing.ts';

export interface ServiceOptions {
  readonly isDevelopment: boolean;
  readonly queueIdleSeconds: number;
  readonly heartbeatSeconds: number;
  readonly longpollSeconds: number;
  readonly limits?: Partial<Limits>;
}

export interface ServiceParts {
  readonly store: Store;
  readonly credentials: DomainCredentials;
  readonly files: FileStore;
  readonly web: WebClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly options: ServiceOptions;
  /** The product's own version. */
  readonly version: string;
}

export interface Service {
  readonly handlers: ApiHandlers<typeof api>;
  readonly callers: CallerDirectory;
  readonly files: FileSource;
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

const messageSources = (store: Store): MessageSources => ({
  peopleOf: async (row) => peopleOf(store)(row),
  async findVisible(userId, messageId) {
    const user = await store.findUser(userId);
    if (user === undefined) return undefined;
    return findVisibleMessage(
      store,
      { userId, role: user.role, botType: user.bot_type },
      messageId,
    );
  },
});

async function createEvents(parts: ServiceParts): Promise<EventParts> {
  const { store, credentials, clock, log, options } = parts;
  const limits = { ...defaultLimits, ...options.limits };
  const rows = await store.listQueues();
  // From here to `onCommit` nothing waits: what is committed in between would be in no tail.
  const tail = createLogTail(store, limits.memoryBytes);
  const listeners = createListeners(store);
  // A cache of people would go stale; a message's people are looked up once for all queues anyway.
  const fill = createFill(store, credentials.apiKeys.derive);
  const payloads = createPayloads(store, messageSources(store), limits.memoryBytes, fill);
  const scanner = createScanner({ store, tail, listeners, payloads });
  const registry = new Registry({
    store,
    rows,
    clock,
    log,
    idleSeconds: options.queueIdleSeconds,
    limits,
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
    maxWaiting: limits.waitingRequests,
  });
  store.onCommit((committed) => {
    for (const event of committed) payloads.remember(event);
    const events = committed.map(({ attached: _, ...event }) => event);
    endQueues(events, { registry, polls });
    tail.append(events);
    registry.noteEvents(events);
    for (const event of events) {
      listeners.forget(event);
      payloads.forget(event);
    }
    polls.wake(events);
  });
  return { registry, polls };
}

/** The queues of a deactivated account end with it. */
function endQueues(events: readonly LoggedEvent[], { registry, polls }: EventParts): void {
  for (const { type, payload } of events) {
    if (type !== 'realm_user' || payload['op'] !== 'remove') continue;
    const { user_id: userId } = payload['person'] as { readonly user_id: number };
    for (const queue of registry.forgetAccount(userId)) polls.release(queue);
  }
}

type ActivityTables = 'reactions' | 'emoji' | 'typing' | 'presence' | 'pointer' | 'statuses';

/** What people do beside sending messages. */
function activityHandlers(
  { store, clock }: ServiceParts,
  context: DomainContext,
  registry: Registry,
): Pick<Service['handlers'], ActivityTables> {
  const typing = typingOperations(store, (type, userIds) => registry.isHeard(type, userIds));
  const presence = presenceOperations(store, () => clock.now());
  return {
    reactions: reactionHandlers(reactionOperations(store)),
    emoji: emojiHandlers(emojiOperations(store, context)),
    typing: typingHandlers(typing),
    presence: presenceHandlers(presence),
    pointer: pointerHandlers(pointerOperations(store)),
    statuses: statusHandlers(statusOperations(store)),
  };
}

type StreamTables = 'streams' | 'subscriptions' | 'streamAdmin' | 'realm' | 'linkifiers';

/** Streams, who is in them, and what administrators set for the organization. */
function streamTables(
  store: Store,
  context: DomainContext,
  messages: Pick<MessageOperations, 'sendMessage'>,
): Pick<Service['handlers'], StreamTables> {
  const subscriptions = subscriptionOperations(store, context, messages);
  const streams = { ...streamOperations(store, context), ...subscriptions };
  const settings = { ...subscriptions, ...subscriptionSettingOperations(store) };
  const admin = streamAdminOperations(store, context);
  return {
    streams: streamHandlers(streams),
    subscriptions: subscriptionHandlers(settings),
    streamAdmin: streamAdminHandlers(admin),
    realm: realmHandlers(realmOperations(store)),
    linkifiers: linkifierHandlers(linkifierOperations(store)),
  };
}

/** Alert words as they are now: every commit is looked at. */
function openAlerts(store: Store): Alerts {
  const alerts = createAlerts(store);
  store.onCommit((events) => {
    for (const event of events) alerts.forget(event);
  });
  return alerts;
}

const readingHandlers = (store: Store): Pick<Service['handlers'], 'readState' | 'alertWords'> => ({
  readState: readStateHandlers(readStateOperations(store)),
  alertWords: alertWordHandlers(alertWordOperations(store)),
});

type AccountTables = 'userAdmin' | 'settings' | 'bots' | 'botStorage';

/** Accounts and bots as they are managed, and what an account sets for itself. */
const accountTables = (
  store: Store,
  context: DomainContext,
): Pick<Service['handlers'], AccountTables> => ({
  userAdmin: userAdminHandlers(userAdminOperations(store, context)),
  settings: settingsHandlers(settingsOperations(store, context)),
  bots: botHandlers(botAdminOperations(store, context)),
  botStorage: botStorageHandlers(botStorageOperations(store)),
});

type CommunityTables =
  'userGroups' | 'profileFields' | 'submessages' | 'invitations' | 'closing' | 'compatibility';

/** Groups and profiles of people, how they come in, and the end of it all. */
const communityTables = (
  store: Store,
  context: DomainContext,
  users: UserOperations,
): Pick<Service['handlers'], CommunityTables> => ({
  userGroups: userGroupHandlers(userGroupOperations(store)),
  profileFields: profileFieldHandlers(profileOperations(store)),
  submessages: submessageHandlers(submessageOperations(store)),
  invitations: invitationHandlers(invitationOperations(store, context)),
  closing: closingHandlers(closingOperations(store, context)),
  compatibility: compatibilityHandlers(users),
});

/** What becomes of messages after they were sent. */
const lifecycleTable = (
  store: Store,
  context: DomainContext,
  domain: {
    readonly rendering: RenderingOperations;
    readonly alerts: Alerts;
    readonly history: HistoryOperations;
  },
): Service['handlers']['lifecycle'] =>
  lifecycleHandlers({
    ...domain.history,
    ...messageHistoryOperations(store),
    ...editOperations(store, context, domain),
    ...deleteOperations(store, context),
  });

/** Begins with what an earlier process left over. */
function startOutgoing(
  { store, web, clock, log, version }: ServiceParts,
  domain: Pick<MessageOperations, 'sendMessage'>,
  notices: Notices,
): Outgoing {
  const outgoing = createOutgoing({
    deliveries: deliveryOperations(store),
    domain,
    notices,
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

/** The search index follows every commit. */
function startIndexer({ store, clock, log }: ServiceParts): SearchIndexer {
  const indexer = new SearchIndexer({ store, clock, log });
  store.onCommit((events) => {
    indexer.note(events);
  });
  indexer.start();
  return indexer;
}

/** Brings stored keys in line with the secret, and tells every queue that the service is a new one. */
async function announceStart(
  { store, credentials, log }: ServiceParts,
  nowSeconds: () => number,
): Promise<void> {
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
}

export async function createService(parts: ServiceParts): Promise<Service> {
  const { store, credentials, files, clock, options, version } = parts;
  const nowSeconds = (): number => Math.floor(clock.now() / 1000);
  const { isDevelopment } = options;
  const context: DomainContext = { credentials, files, nowSeconds, isDevelopment, version };

  const { registry, polls } = await createEvents(parts);
  const indexer = startIndexer(parts);
  const searching = searchOperations(store, () => indexer.catchUp());
  const rendering = renderingOperations(store);
  const alerts = openAlerts(store);
  const messages = messageOperations(store, context, rendering, alerts);
  const history = historyOperations(store, searching);
  const users = userOperations(store, context);
  const organization = organizationOperations(store, context);
  const limits = { ...defaultLimits, ...options.limits };
  const avatars = avatarOperations(store, context);
  const uploads = uploadOperations(store, context, { maxBytes: limits.uploadBytes });

  await announceStart(parts, nowSeconds);

  const notices = createNotices(messages, nowSeconds);
  const outgoing = startOutgoing(parts, messages, notices);

  return {
    handlers: guardAll({
      ...readingHandlers(store),
      search: searchHandlers(matchOperations(store, searching)),
      ...activityHandlers(parts, context, registry),
      avatars: avatarHandlers(avatars),
      lifecycle: lifecycleTable(store, context, { rendering, alerts, history }),
      messages: messageHandlers({ ...messages, ...history }),
      events: eventHandlers({
        registry,
        polls,
        bots: botOperations(store),
        nowSeconds,
        apiKeyOf: credentials.apiKeys.derive,
      }),
      ...streamTables(store, context, messages),
      users: userHandlers(users),
      server: serverHandlers(organization),
      uploads: uploadHandlers(uploads),
      ...accountTables(store, context),
      ...communityTables(store, context, users),
      webhooks: webhookHandlers(messages, notices),
    }),
    callers: users,
    files: {
      findUpload: uploads.findUpload,
      findAvatarFile: avatars.findAvatarFile,
      findAvatarUrl: avatars.findAvatarUrl,
    },
    isKnownIntegration,
    seedDevelopment: organization.seedDevelopment,
    async stop() {
      polls.stop();
      await outgoing.stop();
      await indexer.stop();
      await registry.stop();
    },
  };
}
