/** Joins handlers, event log and timers into one Service. */
import type { api } from '#shared/api/endpoints/index.ts';
import type { OpenEventStream } from './core/ports/event-stream.ts';
import type { FileSource } from './core/ports/files.ts';
import type { DeliveryRecorder } from './core/ports/deliveries.ts';
import type { ApiHandlers, CallerDirectory } from './core/ports/handlers.ts';
import { defaultLimits, type Limits } from '#shared/limits.ts';
import type { Clock } from '#node/clock.ts';
import type { Log, LoggedWarning } from '#node/log.ts';
import { startOrphanSweep } from './features/files/operations/orphaned-files.ts';
import { guardAll } from './core/guard.ts';
import { type HealthParts, readHealth } from './features/organization/operations/health.ts';
import type { FindNextIdentityKey } from './features/organization/handlers/server.ts';
import type { MigrationOperations } from './features/organization/operations/migration.ts';
import {
  type ClashSearch,
  startClashSearch,
} from './features/organization/operations/name-clashes.ts';
import { startHourly } from './features/organization/operations/hourly.ts';
import { type Alerts, createAlerts } from './core/text/alert-words.ts';
import { createFullDiskNotice } from './features/organization/operations/full-disk.ts';
import type { Confusables } from '#shared/text/look-alikes.ts';
import { auditTargetChanges } from './features/organization/operations/webhook-target-notes.ts';
import type {
  DomainContext,
  DomainCredentials,
  FileStore,
  WebClient,
} from './core/ports/environment.ts';
import type { PasswordLinkOperations } from './features/people/operations/password-links.ts';
import { renderingOperations } from './core/text/rendering.ts';
import { pauseOf } from './core/yield-thread.ts';
import { SearchIndexer } from './features/reading/operations/search-indexer.ts';
import { withFreeSpaceFloor } from './features/files/operations/disk-space.ts';
import { withDeferredRemoval } from './features/files/operations/removal.ts';
import { invitationOperations } from './features/people/operations/invitations.ts';
import {
  type HostInvitationOperations,
  hostInvitationOperations,
} from './features/people/operations/local-invitations.ts';
import { createSleepControl, type SleepControl } from './events/sleep.ts';
import { announceServiceStart } from './start-up.ts';
import { createEvents } from './create-events.ts';
import type { EventQueues } from './features/register/handlers/events.ts';
import type { Indexing, Store } from './db/port.ts';
import { integrationList } from './webhooks/integrations/index.ts';
import { createWebhooks } from './create-webhooks.ts';
import type { FeatureContext } from './core/feature-context.ts';
import { createBots } from './features/bots/create-bots.ts';
import { createFiles } from './features/files/create-files.ts';
import { createMessages } from './features/messages/create-messages.ts';
import { createOrganization } from './features/organization/create-organization.ts';
import { createPeople } from './features/people/create-people.ts';
import { createRegister } from './features/register/create-register.ts';
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

/** Removes hourly what nobody needs any more; answers what ends that. */
async function startSweeps(
  parts: ServiceParts,
  works: Readonly<Record<string, () => Promise<void>>>,
): Promise<() => Promise<void>> {
  const stops = Object.entries(works).map(([what, work]) =>
    startHourly(`the sweep of ${what}`, work, parts),
  );
  stops.push(await startOrphanSweep(parts));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

const healthPartsOf = (
  { store, files, version, databaseBytes, warned }: ServiceParts,
  context: DomainContext,
  { registry, waiters }: EventQueues,
  clashes: ClashSearch,
): HealthParts => ({
  store,
  files,
  version,
  databaseBytes,
  async warned() {
    await clashes.finish();
    return warned();
  },
  startedAt: context.nowSeconds(),
  queues: () => registry.size,
  connected: () => waiters.size,
});

type UploadSource = Pick<FileSource, 'findUpload' | 'mostUploadBytes'>;

const filesOf = (
  { findUpload, mostUploadBytes }: UploadSource,
  { findAvatarFile, findAvatarUrl, findIconUrl }: Omit<FileSource, keyof UploadSource>,
): FileSource => ({ findUpload, mostUploadBytes, findAvatarFile, findAvatarUrl, findIconUrl });

const contextOf = (
  { clock, options, store, ...parts }: ServiceParts,
  { registry, waiters }: EventQueues,
): FeatureContext => ({
  store,
  rendering: renderingOperations(store, parts.ownOrigins),
  alerts: openAlerts(store),
  isHeard: (type, userIds) => registry.isHeard(type, userIds),
  nowMs: () => clock.now(),
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
  const { store } = parts;
  const events = await createEvents(parts);
  const context = contextOf(parts, events);
  const indexer = await startIndexer(parts);
  const reading = createReading(context);
  const messaging = createMessages(context, reading.history);
  const { messages } = messaging;
  const people = createPeople(context, parts.loadConfusables);
  const files = createFiles(context, createFullDiskNotice(store, context, messages));

  await announceServiceStart(parts, context);
  const streams = createStreams(context, messages);
  const bots = createBots(context, messages);
  const webhooks = createWebhooks(context, parts, messages, bots);
  const register = createRegister(context, events, bots.queueDefaults);
  const clashes = startClashSearch(parts);
  const health = healthPartsOf(parts, context, events, clashes);
  const organization = createOrganization(context, {
    users: people.users,
    health,
    addresses: parts.addresses,
    findNextIdentityKey: parts.findNextIdentityKey,
  });
  const stopSweeps = await startSweeps(parts, {
    'the audit log': organization.trimAuditLog,
    'the delivery log': bots.deliveryLog.trim,
    uploads: files.trimUploads,
    'requests to join': people.trimJoinRequests,
  });

  return {
    handlers: guardAll({
      ...register.handlers,
      ...organization.handlers,
      ...bots.handlers,
      ...people.handlers,
      ...streams.handlers,
      ...reading.handlers,
      ...messaging.handlers,
      ...files.handlers,
      ...webhooks.handlers,
    }),
    callers: people.users,
    integrations: integrationList,
    openEventStream: register.openEventStream,
    files: filesOf(files.uploads, people.avatars),
    deliveryRecorder: webhooks.inbox,
    migration: organization.migration,
    seedDevelopment: organization.seedDevelopment,
    health: () => readHealth(health),
    ...hostOperations(store, context, people.links),
    ...createSleepControl(parts.clock, events),
    async stop() {
      events.waiters.stop();
      await webhooks.stop();
      await indexer.stop();
      await stopSweeps();
      await clashes.stop();
      await events.registry.stop();
    },
  };
}
