/** Builds a running service from options: the one place where concrete parts are chosen. */
import { join } from 'node:path';
import type { RestoreGeneration } from '#shared/api/restore-generation.ts';
import type { Limits } from '#shared/limits.ts';
import manifest from '#package.json' with { type: 'json' };
import { createIndexing } from './indexing.ts';
import { systemClock } from '#node/clock.ts';
import { commandName, shellWord } from '#node/own-command.ts';
import { claimForDevelopment, databaseIn, prepareDataDir } from '#node/files/data-folder.ts';
import { createFileStore } from '#node/files/file-store.ts';
import { type Log, withRecentWarnings, stderrLog } from '#node/log.ts';
import type { ServeOptions } from './options/serve-options.ts';
import { startSnapshotWriter } from '#backup/account-snapshot-writer.ts';
import { isLoopback, localOrigins } from '#node/network/own-addresses.ts';
import { entryFile } from '#node/files/app-files.ts';
import { reachableOrigins, trackListeners } from './reachable-addresses.ts';
import {
  restoreGenerationBytes,
  isSignedBy,
  type ServerIdentity,
} from '#node/tls/server-identity.ts';
import { openMonitoring } from '#backup/monitoring.ts';
import { findNextIdentityKey } from '#backup/next-identity-key.ts';
import {
  openWebhookTargets,
  type TargetChange,
  type WebhookTargets,
} from '#node/network/webhook-targets.ts';
import { createWebClient } from '#node/network/web-client.ts';
import { gravatarHash } from '#service/security/gravatar.ts';
import { type ApiKeys, createApiKeys } from '#service/security/api-keys.ts';
import type { DomainCredentials } from '#service/core/ports/environment.ts';
import { createPasswords } from '#service/security/passwords.ts';
import type { ServerCertificate } from '#service/security/served-certificate.ts';
import { createSetupCode } from '#service/security/setup-code.ts';
import { createApp } from '#service/http/app.ts';
import { withSettling } from '#service/http/sleep.ts';
import type { Monitoring } from '#service/http/monitoring.ts';
import type { MigrationSource } from '#service/http/migration.ts';
import type { IdentityProof } from '#service/http/server-identity.ts';
import { type FailedListener, type HttpServer, listen } from '#service/http/server.ts';
import { loadConfusables } from '#node/confusables.ts';
import { createService, type Service, type ServiceParts } from '#service/service.ts';
import { signedNextHost } from '#service/features/organization/operations/migration.ts';
import type { Store } from '#service/db/port.ts';
import { databaseSize } from '#service/db/sqlite/size.ts';
import { createCommandHandlers } from './commands/handle-commands.ts';
import { serveCommands } from './commands/command-socket.ts';
import { createMigrationSource } from '#backup/migration/source.ts';
import { createRedirectNotifier } from '#backup/migration/redirect-notifier.ts';
import { listenError } from './listen-error.ts';
import { openCertificate } from './open-certificate.ts';
import { openDatabase, readIdentity, readSecret, sealKeychainKeys } from './open-data.ts';
import { writeServingFile } from './start-notes.ts';
import { type StoppableParts, stopOnce } from './stop-service.ts';

/** How others get to it: from this computer alone where nothing is said. */
type NetworkOptions =
  'trustedProxies' | 'publicUrl' | 'isPlainAllowed' | 'certificate' | 'metricsTokenFile';

export interface ComposeOptions
  extends
    Omit<ServeOptions, 'limits' | NetworkOptions>,
    Partial<Pick<ServeOptions, NetworkOptions>> {
  /** Those that are not given are the usual ones. */
  readonly limits?: Partial<Limits>;
  /** Given by the desktop, which keeps it in the keychain; null for the file in the data directory. */
  readonly secret: Uint8Array | null;
  /** The same of the office's key. */
  readonly identity: ServerIdentity | null;
  /** The built renderer; null where there is none. */
  readonly rendererDir: string | null;
  /** How long what another program writes into the database may stay unseen. */
  readonly foreignWritesMs?: number;
}

export interface RunningService {
  readonly origin: string;
  /** By which its people's computers know the office (`node/tls/server-identity.ts`). */
  readonly fingerprint: string;
  /** As it was given, and its administrators read the warnings. */
  readonly log: Log;
  /** Origins by which others reach it now, those that mean something to everybody first; none where nobody can. */
  readonly addresses: () => readonly string[];
  /**
   * Listens at these addresses of this computer too, and at no others but what it was told at the start. Answers those that
   * cannot be had.
   */
  readonly listenOn: (addresses: readonly string[]) => Promise<readonly FailedListener[]>;
  /** Addresses of those who are connected by way of these. */
  readonly remoteClients: () => readonly string[];
  /** What the organization is called; null where there is none, or none any more. */
  readonly organizationName: () => Promise<string | null>;
  /** Origins at which the computer answers that it has moved to, none where that has not said so yet; null where it has not moved. */
  readonly movedTo: () => Promise<readonly string[] | null>;
  /** With which an organization can be created from elsewhere; null where there is one already. */
  readonly setupCode: string | null;
  /** It was closed when it started: to everybody but administrators at this computer, since it was restored. */
  readonly isClosed: boolean;
  /**
   * A link with which somebody chooses a new password.
   * @param client  the program that asks for it, as the audit log names it
   * @throws BAD_REQUEST when no active person has the address
   */
  readonly makePasswordLink: (email: string, client: string) => Promise<string>;
  /** Changes what outgoing bots reach inside this network, and answers all of it. @throws an Error of one sentence */
  readonly changeTargets: (change: TargetChange, client: string) => Promise<readonly string[]>;
  /**
   * The computer goes to sleep: everything is refused, and whoever waits is told why. Settles when all have their answers, or
   * soon. False ends that.
   */
  readonly setAsleep: (isAsleep: boolean) => Promise<void>;
  /** Lets requests under way finish, answers those that wait, closes the database. */
  readonly stop: () => Promise<void>;
}

function isOwnGeneration({ publicKey }: ServerIdentity, epoch: RestoreGeneration): boolean {
  if (epoch.signature === null) return false;
  const signature = Buffer.from(epoch.signature, 'base64');
  return isSignedBy(publicKey, 'epoch', restoreGenerationBytes(epoch), signature);
}

const credentialsOf = (apiKeys: ApiKeys, { identity }: CoreParts): DomainCredentials => ({
  apiKeys,
  gravatarHash,
  passwords: createPasswords(),
  isOwnGeneration: (epoch) => isOwnGeneration(identity, epoch),
});

interface CoreParts {
  readonly store: Store;
  readonly secret: Uint8Array;
  readonly identity: ServerIdentity;
  readonly targets: WebhookTargets;
  readonly log: Log;
  readonly noted: Pick<ServiceParts, 'databaseBytes' | 'warned'> &
    Pick<Monitoring, 'warningCounts'>;
}

/** With what the office proves that it is one. */
const proofParts = (
  { identity, store }: CoreParts,
  { leafFingerprint }: ServerCertificate,
): IdentityProof => ({
  key: identity,
  leafFingerprint,
  restoreGeneration: async () => (await store.findRestoreGeneration())?.n ?? 0,
});

/** Whoever has to know where it is reached is told now, and after every change. */
async function withNotification(
  { listenOn }: Pick<HttpServer, 'listenOn'>,
  tell: () => Promise<void>,
): Promise<HttpServer['listenOn']> {
  await tell();
  return async (wanted) => {
    const closed = await listenOn(wanted);
    await tell();
    return closed;
  };
}

async function openOrganizationName(store: Store): Promise<string | null> {
  const realm = await store.findRealm();
  const isOpen = realm?.is_deactivated === 0 && signedNextHost(realm) === undefined;
  return isOpen ? realm.name : null;
}

/** What it is to others beside its API: how it leaves for another computer, and what those are told who watch it. */
async function openMigrationAndMonitoring(
  { dataDir, metricsTokenFile = null }: ComposeOptions,
  parts: CoreParts,
  { migration, health }: Service,
): Promise<{ readonly migrationSource: MigrationSource; readonly monitoring: Monitoring }> {
  const { store, noted } = parts;
  const migrationSource = await createMigrationSource({
    ...parts,
    dataDir,
    migration,
    version: manifest.version,
    now: () => new Date(systemClock.now()),
  });
  // One that nobody has created yet is served to whoever creates it.
  const isServing = async (): Promise<boolean> =>
    (await store.findRealm()) === undefined || (await openOrganizationName(store)) !== null;
  const { warningCounts } = noted;
  const monitoring = await openMonitoring({
    dataDir,
    metricsTokenFile,
    isServing,
    health,
    warningCounts,
  });
  return { migrationSource, monitoring };
}

/** Whether it is closed. Whoever starts it may have lost the number that the restore printed. */
async function warnIfClosed(
  { store, log }: CoreParts,
  { dataDir }: ComposeOptions,
): Promise<boolean> {
  const number = (await store.findRealm())?.opens_with ?? null;
  if (number === null) return false;
  const message = 'closed to others since it was restored: changes since the backup may be missing';
  log.warn(message, { command: `${commandName} open ${number} --data-dir ${shellWord(dataDir)}` });
  return true;
}

/** What whoever sits at this computer can ask for. */
async function openCommands(
  { dataDir, publicUrl = null, certificate = null }: ComposeOptions,
  { identity: { fingerprint }, log, targets }: CoreParts,
  service: Service,
  here: Pick<RunningService, 'origin' | 'addresses'> & {
    readonly reachable: () => readonly string[];
  },
): Promise<
  Pick<RunningService, 'makePasswordLink' | 'changeTargets'> & Pick<StoppableParts, 'endCommands'>
> {
  const { origin, addresses, reachable } = here;
  const changeTargets: RunningService['changeTargets'] = (change, client) =>
    targets.change(change, (text, isAllowed) =>
      service.noteTargetFromHost(text, isAllowed, client),
    );
  const sharedOrigin = (): string => addresses()[0] ?? origin;
  const makePasswordLink: RunningService['makePasswordLink'] = (email, client) =>
    service.makePasswordLink(email, { origin: sharedOrigin(), client });
  const commands = createCommandHandlers({
    service,
    fingerprint,
    sharedOrigin,
    addresses: reachable,
    publicUrl,
    isOwnCertificate: certificate === null,
    makePasswordLink,
    changeTargets,
  });
  const endCommands = await serveCommands(dataDir, commands, log);
  return { makePasswordLink, changeTargets, endCommands };
}

type Started = Omit<RunningService, 'isClosed'>;

async function run(options: ComposeOptions, parts: CoreParts): Promise<Started> {
  const { store, identity, targets, log, noted } = parts;
  const { dataDir, host, publicUrl = null } = options;
  const requiresTls = options.isPlainAllowed !== true;
  /** Nowhere before it listens. */
  let reachable: RunningService['addresses'] = () => [];
  let local: readonly string[] = [];
  const clock = systemClock;
  const apiKeys = createApiKeys(parts.secret);
  const setupCode = createSetupCode(apiKeys.isEqual);
  const service = await createService({
    store,
    indexing: createIndexing(entryFile('indexing-worker'), databaseIn(dataDir)),
    credentials: credentialsOf(apiKeys, parts),
    setupCode,
    files: createFileStore(join(dataDir, 'files')),
    web: createWebClient({ ...options, inside: targets }),
    clock,
    log,
    options,
    version: manifest.version,
    addresses: () => reachable(),
    ownOrigins: () => [...reachable(), ...local],
    findNextIdentityKey: () => findNextIdentityKey(dataDir),
    databaseBytes: noted.databaseBytes,
    warned: noted.warned,
    loadConfusables,
  });
  let certificate: ServerCertificate | undefined;
  try {
    if (options.isDevelopment) await service.seedDevelopment();
    const { migrationSource, monitoring } = await openMigrationAndMonitoring(
      options,
      parts,
      service,
    );
    certificate = await openCertificate(options, parts);
    const app = createApp({
      ...service,
      apiKeys,
      clock,
      log,
      version: manifest.version,
      rendererDir: options.rendererDir,
      spoolDir: dataDir,
      limits: options.limits ?? {},
      host,
      publicUrl,
      trustedProxies: options.trustedProxies ?? [],
      requiresTls,
      requiresOwnName: options.isDevelopment,
      identityProof: proofParts(parts, certificate),
      migrationSource,
      monitoring,
    });
    const isClaimed = (await store.findRealm()) !== undefined;
    const isSecure = !isLoopback(host) && requiresTls;
    const server = await listen(app, { ...options, tls: certificate, isSecure });
    const { origin, remoteClients } = server;
    targets.noteOrigins([origin, publicUrl]);
    const snapshotWriter = startSnapshotWriter({ ...parts, clock, dataDir });
    const doors = trackListeners(server);
    const addresses = (): readonly string[] => reachableOrigins({ ...options, publicUrl }, origin);
    reachable = () => [...addresses(), ...doors.addresses()];
    local = localOrigins(origin);
    const redirectNotifier = createRedirectNotifier(dataDir, log);
    const listenOn = await withNotification(doors, async () => {
      await writeServingFile({ ...options, log }, { origin, addresses: reachable() });
      redirectNotifier.notify(reachable());
    });
    const here = { origin, addresses, reachable: () => reachable() };
    const commands = await openCommands(options, parts, service, here);
    const { setAsleep } = withSettling(service, server);
    return {
      origin,
      fingerprint: identity.fingerprint,
      log,
      addresses,
      listenOn,
      remoteClients,
      organizationName: () => openOrganizationName(store),
      movedTo: async () => signedNextHost(await store.findRealm())?.addresses ?? null,
      setupCode: isClaimed ? null : setupCode.code,
      makePasswordLink: commands.makePasswordLink,
      changeTargets: commands.changeTargets,
      setAsleep,
      stop: stopOnce({
        server,
        service,
        store,
        certificate,
        snapshotWriter,
        redirectNotifier,
        endCommands: commands.endCommands,
      }),
    };
  } catch (error) {
    certificate?.stop();
    await service.stop();
    throw listenError(error, options);
  }
}

/** @throws StartError for what the person who starts it can do something about */
export async function compose(options: ComposeOptions): Promise<RunningService> {
  await prepareDataDir(options.dataDir);
  if (options.isDevelopment) await claimForDevelopment(options.dataDir);
  // Opened first: it holds the lock of the directory, so that nobody else is making a secret.
  const store = await openDatabase(options);
  try {
    const secret = options.secret ?? (await readSecret(options.dataDir));
    const identity = await readIdentity(options.dataDir, options.identity);
    if (options.secret !== null) await sealKeychainKeys(options.dataDir, secret, identity);
    const { log, ...remembered } = withRecentWarnings(stderrLog, () => systemClock.now());
    const databaseBytes = () => databaseSize(databaseIn(options.dataDir));
    const noted = { databaseBytes, ...remembered };
    const targets = await openWebhookTargets(options.dataDir);
    const parts = { store, secret, identity, targets, log, noted };
    const isClosed = await warnIfClosed(parts, options);
    return { ...(await run(options, parts)), isClosed };
  } catch (error) {
    await store.close();
    throw error;
  }
}
