/** Joins handlers, event log and timers into one Service. */
import type { api } from '#shared/api/endpoints/index.ts';
import type { OpenEventStream } from './core/ports/event-stream.ts';
import type { FileSource } from './core/ports/files.ts';
import type { DeliveryRecorder } from './core/ports/deliveries.ts';
import type { ApiHandlers, CallerDirectory } from './core/ports/handlers.ts';
import { defaultLimits, type Limits } from '#shared/limits.ts';
import type { Clock } from '#node/clock.ts';
import type { Log, LoggedWarning } from '#node/log.ts';
import { guardAll } from './core/guard.ts';
import type { readHealth } from './features/organization/operations/health.ts';
import type { FindNextIdentityKey } from './features/organization/handlers/server.ts';
import type { MigrationOperations } from './features/organization/operations/migration.ts';
import { createAlerts } from './core/text/alert-words.ts';
import type { Confusables } from '#shared/text/look-alikes.ts';
import type {
  DomainContext,
  DomainCredentials,
  FileStore,
  WebClient,
} from './core/ports/environment.ts';
import type { PasswordLinkOperations } from './features/people/operations/password-links.ts';
import { renderingOperations } from './core/text/rendering.ts';
import { pauseOf } from './core/yield-thread.ts';
import { withFreeSpaceFloor } from './features/files/operations/disk-space.ts';
import { withDeferredRemoval } from './features/files/operations/removal.ts';
import type { HostInvitationOperations } from './features/people/operations/local-invitations.ts';
import type { LocalPeopleOperations } from './features/people/operations/local-people.ts';
import { createSleepControl, type SleepControl } from './events/sleep.ts';
import { announceServiceStart, startSweeps } from './start-up.ts';
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
  readonly openEventStream: OpenEventStream;
  /**
   * A link with which somebody chooses a new password, for whoever sits at this computer.
   * @param origin  what it begins with
   * @throws BAD_REQUEST when no active person has the address
   */
  readonly makePasswordLink: PasswordLinkOperations['makePasswordLinkFromHost'];
  readonly inviteFromHost: HostInvitationOperations['inviteFromHost'];
  readonly localPeople: LocalPeopleOperations;
  /** Somebody at this computer let outgoing bots reach something inside its network, or no longer. */
  readonly noteTargetFromHost: (
    target: string,
    isAllowed: boolean,
    client: string,
  ) => Promise<void>;
  /** Answers every waiting poll, stops the timers and saves the queues' cursors. */
  readonly stop: () => Promise<void>;
}

function createContext(
  { store, clock, log, credentials, setupCode, files, options, version, ownOrigins }: ServiceParts,
  { registry, waiters }: EventQueues,
): FeatureContext {
  return {
    store,
    clock,
    log,
    credentials,
    setupCode,
    version,
    isDevelopment: options.isDevelopment,
    limits: { ...defaultLimits, ...options.limits },
    nowSeconds: () => Math.floor(clock.now() / 1000),
    pause: pauseOf(clock),
    files: withFreeSpaceFloor(withDeferredRemoval(files, log)),
    rendering: renderingOperations(store, ownOrigins),
    alerts: createAlerts(store),
    isHeard: (type, userIds) => registry.isHeard(type, userIds),
    releasePolls: (userId) => {
      waiters.releaseAccount(userId);
    },
  };
}

export async function createService(parts: ServiceParts): Promise<Service> {
  const events = await createEvents(parts);
  const context = createContext(parts, events);
  const reading = await createReading(context, parts.indexing);
  const messages = createMessages(context, reading.history);
  const people = createPeople(context, parts.loadConfusables);
  const files = createFiles(context, messages.operations);
  await announceServiceStart(parts, context);
  const streams = createStreams(context, messages.operations);
  const bots = createBots(context, messages.operations);
  const webhooks = createWebhooks(context, parts.web, messages.operations, bots);
  const register = createRegister(context, events, bots.queueDefaults);
  const organization = createOrganization(context, parts, people.users, events);
  const stopSweeps = await startSweeps(
    { ...organization.sweeps, ...bots.sweeps, ...people.sweeps, ...files.sweeps },
    parts,
  );
  const sleep = createSleepControl(parts.clock, events);

  return {
    handlers: guardAll({
      ...register.handlers,
      ...organization.handlers,
      ...bots.handlers,
      ...people.handlers,
      ...streams.handlers,
      ...reading.handlers,
      ...messages.handlers,
      ...files.handlers,
      ...webhooks.handlers,
    }),
    callers: people.users,
    files: { ...files.uploads, ...people.avatars },
    integrations: integrationList,
    openEventStream: register.openEventStream,
    deliveryRecorder: webhooks.inbox,
    migration: organization.migration,
    health: organization.health,
    seedDevelopment: organization.seedDevelopment,
    makePasswordLink: people.makePasswordLink,
    inviteFromHost: people.inviteFromHost,
    localPeople: people.local,
    noteTargetFromHost: organization.noteTargetFromHost,
    setAsleep: sleep.setAsleep,
    refusal: sleep.refusal,
    async stop() {
      events.waiters.stop();
      await webhooks.stop();
      await reading.stop();
      await stopSweeps();
      await organization.stop();
      await events.registry.stop();
    },
  };
}
