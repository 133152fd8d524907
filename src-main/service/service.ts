/** Joins handlers, event log and timers into one Service. */
import type { api } from '#shared/api/endpoints/index.ts';
import type { OpenEventStream } from './core/ports/event-stream.ts';
import type { FileSource } from './core/ports/files.ts';
import type { DeliveryRecorder } from './core/ports/deliveries.ts';
import type { ApiHandlers, CallerDirectory } from './core/ports/handlers.ts';
import { defaultLimits, type Limits } from '#shared/limits.ts';
import type { Clock } from '#node/clock.ts';
import type { Log, LoggedWarning } from '#node/log.ts';
import { auditLogHandlers } from './features/organization/handlers/audit-log.ts';
import { startOrphanSweep } from './features/files/operations/orphaned-files.ts';
import { avatarHandlers } from './features/people/handlers/avatars.ts';
import { deviceHandlers } from './features/people/handlers/devices.ts';
import { emojiHandlers } from './features/organization/handlers/emoji.ts';
import { alertWordHandlers } from './features/people/handlers/alert-words.ts';
import { eventHandlers, openEventStream } from './features/register/handlers/events.ts';
import { guardAll } from './core/guard.ts';
import { healthHandlers } from './features/organization/handlers/health.ts';
import { type HealthParts, readHealth } from './features/organization/operations/health.ts';
import { linkifierHandlers } from './features/organization/handlers/linkifiers.ts';
import { passwordLinkHandlers } from './features/people/handlers/password-links.ts';
import { presenceHandlers } from './features/people/handlers/presence.ts';
import { realmHandlers } from './features/organization/handlers/settings.ts';
import { realmIconHandlers } from './features/organization/handlers/icon.ts';
import {
  type FindNextIdentityKey,
  serverHandlers,
} from './features/organization/handlers/server.ts';
import { settingsHandlers } from './features/people/handlers/settings.ts';
import { statusHandlers } from './features/people/handlers/statuses.ts';
import { organizationFileHandlers } from './features/organization/handlers/file-usage.ts';
import { uploadHandlers } from './features/files/handlers/uploads.ts';
import { userAdminHandlers } from './features/people/handlers/user-admin.ts';
import { closingHandlers } from './features/organization/handlers/closing.ts';
import { compatibilityHandlers } from './features/organization/handlers/compatibility.ts';
import { invitationHandlers } from './features/people/handlers/invitations.ts';
import { joinRequestHandlers } from './features/people/handlers/join-requests.ts';
import { profileFieldHandlers } from './features/people/handlers/profile-fields.ts';
import { userGroupHandlers } from './features/people/handlers/user-groups.ts';
import { userHandlers } from './features/people/handlers/users.ts';
import { auditLogOperations } from './features/organization/operations/audit-log.ts';
import {
  type MigrationOperations,
  migrationOperations,
} from './features/organization/operations/migration.ts';
import {
  type ClashSearch,
  startClashSearch,
} from './features/organization/operations/name-clashes.ts';
import { startHourly } from './features/organization/operations/hourly.ts';
import { avatarOperations } from './features/people/operations/avatars.ts';
import { alertWordOperations, type Alerts, createAlerts } from './core/text/alert-words.ts';
import { emojiOperations } from './features/organization/operations/emoji.ts';
import { isCurrent } from './core/callers.ts';
import { deviceOperations } from './features/people/operations/devices.ts';
import type { DeliveryLogOperations } from './features/bots/operations/delivery-log.ts';
import { linkifierOperations } from './features/organization/operations/linkifiers.ts';
import { createFullDiskNotice } from './features/organization/operations/full-disk.ts';
import type { Confusables } from '#shared/text/look-alikes.ts';
import { auditTargetChanges } from './features/organization/operations/webhook-target-notes.ts';
import { restoreGenerationOperations } from './features/organization/operations/restore-generations.ts';
import {
  type OrganizationOperations,
  organizationOperations,
} from './features/organization/operations/organization.ts';
import type {
  DomainContext,
  DomainCredentials,
  FileStore,
  WebClient,
} from './core/ports/environment.ts';
import {
  type PasswordLinkOperations,
  linkOperations,
} from './features/people/operations/password-links.ts';
import { presenceOperations } from './features/people/operations/presence.ts';
import { realmOperations } from './features/organization/operations/settings.ts';
import { realmIconOperations } from './features/organization/operations/icon.ts';
import { renderingOperations } from './core/text/rendering.ts';
import { pauseOf } from './core/yield-thread.ts';
import { SearchIndexer } from './features/reading/operations/search-indexer.ts';
import { settingsOperations } from './features/people/operations/settings.ts';
import { statusOperations } from './features/people/operations/statuses.ts';
import { withFreeSpaceFloor } from './features/files/operations/disk-space.ts';
import { organizationFileOperations } from './features/organization/operations/file-usage.ts';
import { withDeferredRemoval } from './features/files/operations/removal.ts';
import { createUploads } from './features/files/operations/create-uploads.ts';
import type { PieceOperations } from './features/files/operations/upload-pieces.ts';
import { userAdminOperations } from './features/people/operations/user-admin.ts';
import { closingOperations } from './features/organization/operations/closing.ts';
import { invitationOperations } from './features/people/operations/invitations.ts';
import { joinRequestOperations } from './features/people/operations/join-requests.ts';
import {
  type HostInvitationOperations,
  hostInvitationOperations,
} from './features/people/operations/local-invitations.ts';
import { profileOperations } from './features/people/operations/profile.ts';
import { userGroupOperations } from './features/people/operations/user-groups.ts';
import { type UserOperations, userOperations } from './features/people/operations/users.ts';
import { createSleepControl, type SleepControl } from './events/sleep.ts';
import { announceServiceStart } from './start-up.ts';
import { createEvents, type EventParts } from './create-events.ts';
import type { Indexing, Store } from './db/port.ts';
import { integrationList } from './webhooks/integrations/index.ts';
import { createWebhooks } from './create-webhooks.ts';
import type { FeatureContext } from './core/feature-context.ts';
import { createBots } from './features/bots/create-bots.ts';
import { createMessages } from './features/messages/create-messages.ts';
import { createReading } from './features/reading/create-reading.ts';
import { createStreams } from './features/streams/create-streams.ts';

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
  readonly findNextIdentityKey: FindNextIdentityKey;
  /** On disk. */
  readonly databaseBytes: () => Promise<number>;
  /** What the log was told of that somebody has to know, the newest first. */
  readonly warned: () => readonly LoggedWarning[];
  readonly loadConfusables: () => Promise<Confusables>;
}

export interface Service extends SleepControl {
  readonly handlers: ApiHandlers<typeof api>;
  readonly callers: CallerDirectory;
  readonly files: FileSource;
  readonly integrations: typeof integrationList;
  readonly deliveryRecorder: DeliveryRecorder;
  readonly migration: MigrationOperations;
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
  readonly makePasswordLink: PasswordLinkOperations['makePasswordLinkFromHost'];
  readonly inviteFromHost: HostInvitationOperations['inviteFromHost'];
  /** Somebody at this computer let outgoing bots reach something inside its network, or no longer. */
  readonly noteTargetFromHost: (
    target: string,
    isAllowed: boolean,
    client: string,
  ) => Promise<void>;
  /** Answers every waiting poll, stops the timers and saves the queues' cursors. */
  readonly stop: () => Promise<void>;
}

/** Alert words as they are now: every commit is looked at. */
function openAlerts(store: Store): Alerts {
  const alerts = createAlerts(store);
  store.onCommit((events) => {
    for (const event of events) alerts.forget(event);
  });
  return alerts;
}

type AccountTables = 'userAdmin' | 'devices' | 'passwordLinks' | 'settings';

/** Accounts as they are managed, and what an account sets for itself. */
const accountTables = (
  store: Store,
  context: DomainContext,
  { users, links }: { readonly users: UserOperations; readonly links: PasswordLinkOperations },
): Pick<Service['handlers'], AccountTables> => ({
  passwordLinks: passwordLinkHandlers(links),
  devices: deviceHandlers(deviceOperations(store, context, users)),
  userAdmin: userAdminHandlers(userAdminOperations(store, context)),
  settings: settingsHandlers(settingsOperations(store, context)),
});

type CommunityTables = 'userGroups' | 'profileFields' | 'invitations' | 'closing' | 'compatibility';

/** Groups and profiles of people, how they come in, and the end of it all. */
const communityTables = (
  store: Store,
  context: DomainContext,
  users: UserOperations,
): Pick<Service['handlers'], CommunityTables> => ({
  userGroups: userGroupHandlers(userGroupOperations(store, context)),
  profileFields: profileFieldHandlers(profileOperations(store, context)),
  invitations: invitationHandlers(invitationOperations(store, context)),
  closing: closingHandlers(closingOperations(store, context)),
  compatibility: compatibilityHandlers(users),
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
  kept: {
    readonly deliveries: Pick<DeliveryLogOperations, 'trim'>;
    readonly uploads: Pick<PieceOperations, 'trim'>;
  },
) {
  const audit = auditLogOperations(parts.store, context);
  const joining = joinRequestOperations(parts.store, context, parts.loadConfusables);
  const stops = [
    startHourly('the sweep of the audit log', audit.trim, parts),
    startHourly('the sweep of the delivery log', kept.deliveries.trim, parts),
    startHourly('the sweep of uploads', kept.uploads.trim, parts),
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
  { registry, waiters }: EventParts,
  clashes: ClashSearch,
): HealthParts => ({
  ...{ store, files, version, databaseBytes },
  async warned() {
    await clashes.finish();
    return warned();
  },
  startedAt: context.nowSeconds(),
  queues: () => registry.size,
  connected: () => waiters.size,
});

/** What the service says of itself, to everybody and to administrators. */
const ownTables = (
  { store, addresses, findNextIdentityKey }: ServiceParts,
  context: DomainContext,
  organization: OrganizationOperations,
  health: HealthParts,
): Pick<Service['handlers'], 'server' | 'health' | 'officeFiles'> => {
  return {
    server: serverHandlers(
      { ...organization, ...restoreGenerationOperations(store, context) },
      addresses,
      findNextIdentityKey,
    ),
    health: healthHandlers(health),
    officeFiles: organizationFileHandlers(organizationFileOperations(store, context.limits)),
  };
};

type UploadSource = Pick<FileSource, 'findUpload' | 'mostUploadBytes'>;

const filesOf = (
  { findUpload, mostUploadBytes }: UploadSource,
  { findAvatarFile, findAvatarUrl, findIconUrl }: Omit<FileSource, keyof UploadSource>,
): FileSource => ({ findUpload, mostUploadBytes, findAvatarFile, findAvatarUrl, findIconUrl });

const contextOf = (
  { clock, options, store, ...parts }: ServiceParts,
  { registry, waiters }: EventParts,
): FeatureContext => ({
  store,
  rendering: renderingOperations(store, parts.ownOrigins),
  alerts: openAlerts(store),
  isHeard: (type, userIds) => registry.isHeard(type, userIds),
  pause: pauseOf(clock),
  limits: { ...defaultLimits, ...options.limits },
  credentials: parts.credentials,
  setupCode: parts.setupCode,
  releasePolls: (userId) => {
    waiters.releaseAccount(userId);
  },
  files: withFreeSpaceFloor(withDeferredRemoval(parts.files, parts.log)),
  nowSeconds: () => Math.floor(clock.now() / 1000),
  isDevelopment: options.isDevelopment,
  version: parts.version,
});

const limitsOf = ({ options }: ServiceParts): Limits => ({ ...defaultLimits, ...options.limits });

/** For whoever sits at the computer of the service. */
const hostOperations = (
  store: Store,
  context: DomainContext,
  { makePasswordLinkFromHost }: PasswordLinkOperations,
): Pick<Service, 'makePasswordLink' | 'inviteFromHost' | 'noteTargetFromHost'> => ({
  noteTargetFromHost: auditTargetChanges(store, context),
  makePasswordLink: makePasswordLinkFromHost,
  ...hostInvitationOperations(store, invitationOperations(store, context)),
});

export async function createService(parts: ServiceParts): Promise<Service> {
  const { store, credentials } = parts;
  const events = await createEvents(parts);
  const context = contextOf(parts, events);
  const indexer = await startIndexer(parts);
  const reading = createReading(context);
  const messaging = createMessages(context, reading.history);
  const { messages } = messaging;
  const users = userOperations(store, context);
  const links = linkOperations(store, context);
  const organization = organizationOperations(store, context);
  const avatars = avatarOperations(store, context);
  const noteFullDisk = createFullDiskNotice(store, context, messages);
  const uploads = createUploads(store, context, noteFullDisk);

  await announceServiceStart(parts, context);
  const streams = createStreams(context, messages);
  const bots = createBots(context, messages);
  const webhooks = createWebhooks(context, parts, messages, bots);
  const clashes = startClashSearch(parts);
  const health = healthPartsOf(parts, context, events, clashes);
  const sweeps = await startSweeps(parts, context, {
    deliveries: bots.deliveryLog,
    uploads: uploads.pieces,
  });

  return {
    handlers: guardAll({
      ...reading.handlers,
      ...messaging.handlers,
      alertWords: alertWordHandlers(alertWordOperations(store)),
      emoji: emojiHandlers(emojiOperations(store, context)),
      presence: presenceHandlers(presenceOperations(store, () => parts.clock.now())),
      statuses: statusHandlers(statusOperations(store)),
      avatars: avatarHandlers(avatars),
      events: eventHandlers({
        ...events,
        bots: bots.queueDefaults,
        nowSeconds: context.nowSeconds,
        apiKeyOf: credentials.apiKeys.derive,
        uploadBytes: limitsOf(parts).uploadBytes,
      }),
      ...streams.handlers,
      realm: realmHandlers(realmOperations(store, context)),
      realmIcon: realmIconHandlers(realmIconOperations(store, context)),
      linkifiers: linkifierHandlers(linkifierOperations(store, context)),
      users: userHandlers(users),
      ...ownTables(parts, context, organization, health),
      ...sweeps.handlers,
      uploads: uploadHandlers(uploads.whole, uploads.pieces),
      ...bots.handlers,
      ...accountTables(store, context, { users, links }),
      ...communityTables(store, context, users),
      ...webhooks.handlers,
    }),
    callers: users,
    integrations: integrationList,
    openEventStream: openEventStream(events, isCurrent(store)),
    files: filesOf(uploads.whole, avatars),
    deliveryRecorder: webhooks.inbox,
    migration: migrationOperations(store, context),
    seedDevelopment: organization.seedDevelopment,
    health: () => readHealth(health),
    ...hostOperations(store, context, links),
    ...createSleepControl(parts.clock, events),
    async stop() {
      events.waiters.stop();
      await webhooks.stop();
      await indexer.stop();
      await sweeps.stop();
      await clashes.stop();
      await events.registry.stop();
    },
  };
}
