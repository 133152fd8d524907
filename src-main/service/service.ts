/** Joins handlers, event log and timers into one Service. */
import type { api } from '../contract/api/index.ts';
import type { OpenEventStream } from './ports/event-stream.ts';
import type { FileSource } from './ports/files.ts';
import type { DeliveryWitness } from './ports/deliveries.ts';
import type { ApiHandlers, CallerDirectory } from './ports/handlers.ts';
import { defaultLimits, type Limits } from './ports/limits.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log, Warned } from '../platform/log.ts';
import { auditLogHandlers } from './api/organization/audit-log.ts';
import { startOrphanSweep } from './domain/files/orphans.ts';
import { avatarHandlers } from './api/people/avatars.ts';
import { deviceHandlers } from './api/people/devices.ts';
import { emojiHandlers } from './api/organization/emoji.ts';
import { botHandlers, botStorageHandlers } from './api/bots/bots.ts';
import { alertWordHandlers } from './api/people/alert-words.ts';
import { eventHandlers, openEventStream } from './api/events.ts';
import { guardAll } from './api/guard.ts';
import { healthHandlers } from './api/organization/health.ts';
import { type HealthParts, readHealth } from './domain/organization/health.ts';
import { linkifierHandlers } from './api/organization/linkifiers.ts';
import { lifecycleHandlers } from './api/messages/message-changes.ts';
import { messageHandlers } from './api/messages/messages.ts';
import { passwordLinkHandlers } from './api/people/password-links.ts';
import { pointerHandlers } from './api/reading/pointer.ts';
import { presenceHandlers } from './api/people/presence.ts';
import { reactionHandlers } from './api/messages/reactions.ts';
import { realmHandlers } from './api/organization/realm.ts';
import { realmIconHandlers } from './api/organization/realm-icon.ts';
import { readStateHandlers } from './api/reading/read-state.ts';
import { searchHandlers } from './api/reading/search.ts';
import { type FindSuccessorKey, serverHandlers } from './api/organization/server.ts';
import { settingsHandlers } from './api/people/settings.ts';
import { statusHandlers } from './api/people/statuses.ts';
import { streamAdminHandlers } from './api/streams/stream-admin.ts';
import { streamHandlers } from './api/streams/streams.ts';
import { subscriptionHandlers } from './api/streams/subscriptions.ts';
import { typingHandlers } from './api/messages/typing.ts';
import { officeFileHandlers } from './api/organization/office-files.ts';
import { uploadHandlers } from './api/files/uploads.ts';
import { userAdminHandlers } from './api/people/user-admin.ts';
import { closingHandlers } from './api/organization/closing.ts';
import { compatibilityHandlers } from './api/organization/compatibility.ts';
import { invitationHandlers } from './api/people/invitations.ts';
import { joinRequestHandlers } from './api/people/join-requests.ts';
import { profileFieldHandlers } from './api/people/profile-fields.ts';
import { submessageHandlers } from './api/messages/submessages.ts';
import { userGroupHandlers } from './api/people/user-groups.ts';
import { userHandlers } from './api/people/users.ts';
import { auditLogOperations } from './domain/organization/audit-log.ts';
import { type MoveOperations, moveOperations } from './domain/organization/moves.ts';
import { startHourly } from './domain/organization/hourly.ts';
import { avatarOperations } from './domain/people/avatars.ts';
import { alertWordOperations, type Alerts, createAlerts } from './domain/text/alert-words.ts';
import { botAdminOperations } from './domain/bots/bot-admin.ts';
import { botStorageOperations } from './domain/bots/bot-storage.ts';
import { botOperations } from './domain/bots/queue-defaults.ts';
import { emojiOperations } from './domain/organization/emoji.ts';
import { isCurrent } from './domain/callers.ts';
import { deviceOperations } from './domain/people/devices.ts';
import type { KeptDeliveryOperations } from './domain/bots/kept-deliveries.ts';
import { deleteOperations } from './domain/messages/deletion.ts';
import { editOperations } from './domain/messages/edit-and-move.ts';
import { type HistoryOperations, historyOperations } from './domain/reading/message-pages.ts';
import { messageHistoryOperations } from './domain/messages/edit-history.ts';
import { linkifierOperations } from './domain/organization/linkifiers.ts';
import { matchOperations } from './domain/reading/matches.ts';
import { type MessageOperations, messageOperations } from './domain/messages/messages.ts';
import { createFullDiskNotice } from './domain/organization/full-disk.ts';
import type { Confusables } from '../contract/skeleton.ts';
import { targetNotes } from './domain/organization/target-notes.ts';
import { epochOperations } from './domain/organization/epochs.ts';
import {
  type OrganizationOperations,
  organizationOperations,
} from './domain/organization/organization.ts';
import type { DomainContext, DomainCredentials, FileStore, WebClient } from './domain/ports.ts';
import { pointerOperations } from './domain/reading/pointer.ts';
import { type PasswordLinkOperations, linkOperations } from './domain/people/password-links.ts';
import { presenceOperations } from './domain/people/presence.ts';
import { reactionOperations } from './domain/messages/reactions.ts';
import { realmOperations } from './domain/organization/realm.ts';
import { realmIconOperations } from './domain/organization/realm-icon.ts';
import { proving } from './domain/rules/messages/proofs.ts';
import { recoveryOperations } from './domain/messages/recovery.ts';
import { recoveryHandlers } from './api/messages/recovery.ts';
import { readStateOperations } from './domain/reading/read-state.ts';
import { type RenderingOperations, renderingOperations } from './domain/text/rendering.ts';
import { searchOperations } from './domain/reading/search.ts';
import { pauseOf } from './domain/turn.ts';
import { SearchIndexer } from './domain/reading/search-indexer.ts';
import { settingsOperations } from './domain/people/settings.ts';
import { statusOperations } from './domain/people/statuses.ts';
import { archiveOperations } from './domain/streams/archiving.ts';
import { streamAdminOperations } from './domain/streams/stream-admin.ts';
import { streamOperations } from './domain/streams/streams.ts';
import { subscriptionSettingOperations } from './domain/streams/subscription-settings.ts';
import { subscriptionOperations } from './domain/streams/subscriptions.ts';
import { typingOperations } from './domain/messages/typing.ts';
import { aboveFloor } from './domain/files/room.ts';
import { officeFileOperations } from './domain/organization/office-files.ts';
import { removedOrLater } from './domain/files/removal.ts';
import { uploadOperations } from './domain/files/uploads.ts';
import { userAdminOperations } from './domain/people/user-admin.ts';
import { closingOperations } from './domain/organization/closing.ts';
import { invitationOperations } from './domain/people/invitations.ts';
import { joinRequestOperations } from './domain/people/join-requests.ts';
import {
  type InvitationHereOperations,
  invitationHereOperations,
} from './domain/people/invitations-here.ts';
import { profileOperations } from './domain/people/profile.ts';
import { submessageOperations } from './domain/messages/submessages.ts';
import { userGroupOperations } from './domain/people/user-groups.ts';
import { type UserOperations, userOperations } from './domain/people/users.ts';
import { createSleep, type Sleep } from './events/asleep.ts';
import type { Registry } from './events/queue-registry.ts';
import { tellOfStart } from './starting.ts';
import { createEvents, type EventParts } from './telling.ts';
import type { Indexing, Store } from './store/port.ts';
import { integrationList } from './webhooks/integrations/index.ts';
import { openWebhooks, startOutgoing, webhookTables } from './delivering.ts';

export interface ServiceOptions {
  readonly isDevelopment: boolean;
  readonly queueIdleSeconds: number;
  readonly heartbeatSeconds: number;
  readonly longpollSeconds: number;
  readonly limits?: Partial<Limits>;
}

export interface ServiceParts {
  readonly store: Store;
  readonly indexing: Indexing;
  readonly credentials: DomainCredentials;
  readonly setupCode: DomainContext['setupCode'];
  readonly files: FileStore;
  readonly web: WebClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly options: ServiceOptions;
  /** The product's own version. */
  readonly version: string;
  /** Origins at which others reach it now, the best first. */
  readonly addresses: () => readonly string[];
  /** These, and those at which its own computer reaches it. */
  readonly ownOrigins: () => readonly string[];
  readonly findSuccessorKey: FindSuccessorKey;
  /** On disk. */
  readonly databaseBytes: () => Promise<number>;
  /** What the log was told of that somebody has to know, the newest first. */
  readonly warned: () => readonly Warned[];
  readonly loadConfusables: () => Promise<Confusables>;
}

export interface Service extends Sleep {
  readonly handlers: ApiHandlers<typeof api>;
  readonly callers: CallerDirectory;
  readonly files: FileSource;
  readonly integrations: typeof integrationList;
  readonly deliveryWitness: DeliveryWitness;
  readonly moves: MoveOperations;
  /** How it is, as administrators see it. */
  readonly health: () => ReturnType<typeof readHealth>;
  /** Only into an empty store, otherwise it does nothing. */
  readonly seedDevelopment: () => Promise<void>;
  /**
   * A link with which somebody chooses a new password, for whoever sits at this computer.
   * @param origin  what it begins with
   * @throws BAD_REQUEST when no active person has the address
   */
  readonly openEventStream: OpenEventStream;
  readonly makePasswordLink: PasswordLinkOperations['makePasswordLinkHere'];
  readonly inviteHere: InvitationHereOperations['inviteHere'];
  /** Somebody at this computer let outgoing bots reach something inside its network, or no longer. */
  readonly noteTargetHere: (target: string, isAllowed: boolean, client: string) => Promise<void>;
  /** Answers every waiting poll, stops the timers and saves the queues' cursors. */
  readonly stop: () => Promise<void>;
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
    reactions: reactionHandlers(reactionOperations(store, context)),
    emoji: emojiHandlers(emojiOperations(store, context)),
    typing: typingHandlers(typing),
    presence: presenceHandlers(presence),
    pointer: pointerHandlers(pointerOperations(store)),
    statuses: statusHandlers(statusOperations(store)),
  };
}

type StreamTables =
  'streams' | 'subscriptions' | 'streamAdmin' | 'realm' | 'realmIcon' | 'linkifiers';

/** Streams, who is in them, and what administrators set for the organization. */
function streamTables(
  store: Store,
  context: DomainContext,
  messages: Pick<MessageOperations, 'sendMessage'>,
): Pick<Service['handlers'], StreamTables> {
  const subscriptions = subscriptionOperations(store, context, messages);
  const streams = { ...streamOperations(store, context), ...subscriptions };
  const settings = { ...subscriptions, ...subscriptionSettingOperations(store, context) };
  const admin = { ...streamAdminOperations(store, context), ...archiveOperations(store, context) };
  return {
    streams: streamHandlers(streams),
    subscriptions: subscriptionHandlers(settings),
    streamAdmin: streamAdminHandlers(admin),
    realm: realmHandlers(realmOperations(store, context)),
    realmIcon: realmIconHandlers(realmIconOperations(store, context)),
    linkifiers: linkifierHandlers(linkifierOperations(store, context)),
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

type AccountTables = 'userAdmin' | 'devices' | 'passwordLinks' | 'settings' | 'bots' | 'botStorage';

/** Accounts and bots as they are managed, and what an account sets for itself. */
const accountTables = (
  store: Store,
  context: DomainContext,
  { sendMessage }: Pick<MessageOperations, 'sendMessage'>,
  { users, links }: { readonly users: UserOperations; readonly links: PasswordLinkOperations },
): Pick<Service['handlers'], AccountTables> => ({
  passwordLinks: passwordLinkHandlers(links),
  devices: deviceHandlers(deviceOperations(store, context, users)),
  userAdmin: userAdminHandlers(userAdminOperations(store, context)),
  settings: settingsHandlers(settingsOperations(store, context)),
  bots: botHandlers(botAdminOperations(store, context, sendMessage)),
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
  userGroups: userGroupHandlers(userGroupOperations(store, context)),
  profileFields: profileFieldHandlers(profileOperations(store, context)),
  submessages: submessageHandlers(submessageOperations(store, context)),
  invitations: invitationHandlers(invitationOperations(store, context)),
  closing: closingHandlers(closingOperations(store, context)),
  compatibility: compatibilityHandlers(users),
});

/** What becomes of messages after they were sent. */
const lifecycleTables = (
  store: Store,
  context: DomainContext,
  domain: {
    readonly rendering: RenderingOperations;
    readonly alerts: Alerts;
    readonly history: HistoryOperations;
  },
): Pick<Service['handlers'], 'lifecycle' | 'recovery'> => ({
  lifecycle: lifecycleHandlers({
    ...domain.history,
    ...messageHistoryOperations(store),
    ...editOperations(store, context, domain),
    ...deleteOperations(store, context),
  }),
  recovery: recoveryHandlers(recoveryOperations(store, context, domain)),
});

/** The search index follows every commit. */
async function startIndexer(parts: ServiceParts): Promise<SearchIndexer> {
  const indexer = new SearchIndexer(parts);
  parts.store.onCommit((events) => {
    indexer.note(events);
  });
  parts.store.onIndexDamage(() => indexer.mend());
  if (parts.indexing.copyLog !== undefined) parts.store.onLongLog(() => indexer.copyLog());
  await indexer.start();
  return indexer;
}

/** What removes that which nobody needs any more, and what answers for the audit log and for requests to join, which end by themselves. */
async function startSweeps(
  parts: ServiceParts,
  context: DomainContext,
  kept: Pick<KeptDeliveryOperations, 'trim'>,
) {
  const audit = auditLogOperations(parts.store, context);
  const joining = joinRequestOperations(parts.store, context, parts.loadConfusables);
  const stops = [
    startHourly('the sweep of the audit log', audit.trim, parts),
    startHourly('the sweep of kept deliveries', kept.trim, parts),
    startHourly('the sweep of requests to join', joining.trimJoinRequests, parts),
    await startOrphanSweep(parts),
  ];
  return {
    handlers: { auditLog: auditLogHandlers(audit), joinRequests: joinRequestHandlers(joining) },
    stop: () => Promise.all(stops.map((stop) => stop())),
  };
}

const healthPartsOf = (
  { store, files, version, databaseBytes, warned }: ServiceParts,
  context: DomainContext,
  { registry, room }: EventParts,
): HealthParts => ({
  ...{ store, files, version, databaseBytes, warned },
  startedAt: context.nowSeconds(),
  queues: () => registry.size,
  connected: () => room.size,
});

/** What the service says of itself, to everybody and to administrators. */
const ownTables = (
  { store, addresses, findSuccessorKey }: ServiceParts,
  context: DomainContext,
  organization: OrganizationOperations,
  health: HealthParts,
): Pick<Service['handlers'], 'server' | 'health' | 'officeFiles'> => {
  return {
    server: serverHandlers(
      { ...organization, ...epochOperations(store, context) },
      addresses,
      findSuccessorKey,
    ),
    health: healthHandlers(health),
    officeFiles: officeFileHandlers(officeFileOperations(store, context.limits)),
  };
};

type UploadSource = Pick<FileSource, 'findUpload' | 'mostUploadBytes'>;

const filesOf = (
  { findUpload, mostUploadBytes }: UploadSource,
  { findAvatarFile, findAvatarUrl, findIconUrl }: Omit<FileSource, keyof UploadSource>,
): FileSource => ({ findUpload, mostUploadBytes, findAvatarFile, findAvatarUrl, findIconUrl });

const contextOf = (
  { clock, options, ...parts }: ServiceParts,
  { room }: EventParts,
): DomainContext => ({
  limits: { ...defaultLimits, ...options.limits },
  credentials: parts.credentials,
  setupCode: parts.setupCode,
  releasePolls: (userId) => {
    room.releaseAccount(userId);
  },
  files: aboveFloor(removedOrLater(parts.files, parts.log)),
  nowSeconds: () => Math.floor(clock.now() / 1000),
  isDevelopment: options.isDevelopment,
  version: parts.version,
});

const limitsOf = ({ options }: ServiceParts): Limits => ({ ...defaultLimits, ...options.limits });

/** For whoever sits at the computer of the service. */
const operationsHere = (
  store: Store,
  context: DomainContext,
  { makePasswordLinkHere }: PasswordLinkOperations,
): Pick<Service, 'makePasswordLink' | 'inviteHere' | 'noteTargetHere'> => ({
  noteTargetHere: targetNotes(store, context),
  makePasswordLink: makePasswordLinkHere,
  ...invitationHereOperations(store, invitationOperations(store, context)),
});

export async function createService(parts: ServiceParts): Promise<Service> {
  const { store, credentials } = parts;
  const telling = await createEvents(parts);
  const context = contextOf(parts, telling);
  const indexer = await startIndexer(parts);
  const searching = searchOperations(store, pauseOf(parts.clock));
  const rendering = renderingOperations(store, parts.ownOrigins);
  const alerts = openAlerts(store);
  const messages = messageOperations(store, context, rendering, alerts);
  const history = historyOperations(store, searching, proving(credentials.apiKeys.messageProof));
  const users = userOperations(store, context);
  const links = linkOperations(store, context);
  const organization = organizationOperations(store, context);
  const avatars = avatarOperations(store, context);
  const noteFullDisk = createFullDiskNotice(store, context, messages);
  const uploads = uploadOperations(store, context, limitsOf(parts), noteFullDisk);

  await tellOfStart(parts, context);
  const webhooks = openWebhooks(parts, context, messages);
  const outgoing = startOutgoing(parts, messages, webhooks);
  const health = healthPartsOf(parts, context, telling);
  const sweeps = await startSweeps(parts, context, webhooks.kept);

  return {
    handlers: guardAll({
      ...readingHandlers(store),
      search: searchHandlers(matchOperations(store, searching)),
      ...activityHandlers(parts, context, telling.registry),
      avatars: avatarHandlers(avatars),
      ...lifecycleTables(store, context, { rendering, alerts, history }),
      messages: messageHandlers({ ...messages, ...history }),
      events: eventHandlers({
        ...telling,
        bots: botOperations(store),
        nowSeconds: context.nowSeconds,
        apiKeyOf: credentials.apiKeys.derive,
        uploadBytes: limitsOf(parts).uploadBytes,
      }),
      ...streamTables(store, context, messages),
      users: userHandlers(users),
      ...ownTables(parts, context, organization, health),
      ...sweeps.handlers,
      uploads: uploadHandlers(uploads),
      ...accountTables(store, context, messages, { users, links }),
      ...communityTables(store, context, users),
      ...webhookTables(store, messages, { ...webhooks, wakeOutgoing: outgoing.wake }),
    }),
    callers: users,
    integrations: integrationList,
    openEventStream: openEventStream(telling, isCurrent(store)),
    files: filesOf(uploads, avatars),
    deliveryWitness: webhooks.inbox,
    moves: moveOperations(store, context),
    seedDevelopment: organization.seedDevelopment,
    health: () => readHealth(health),
    ...operationsHere(store, context, links),
    ...createSleep(parts.clock, telling),
    async stop() {
      telling.room.stop();
      await outgoing.stop();
      await webhooks.inbox.settle();
      await indexer.stop();
      await sweeps.stop();
      await telling.registry.stop();
    },
  };
}
