/** Builds a running service from options: the one place where concrete parts are chosen. */
import { join } from 'node:path';
import type { Epoch } from '#shared/api/restore-generation.ts';
import type { Limits } from '#shared/limits.ts';
import manifest from '#package.json' with { type: 'json' };
import { createIndexing } from './indexing.ts';
import { systemClock } from '#node/clock.ts';
import { commandName, shellWord } from '#node/own-command.ts';
import { claimForDevelopment, databaseIn, prepareDataDir } from '#node/files/data-folder.ts';
import { createFileStore } from '#node/files/file-store.ts';
import { type Log, remembering, stderrLog } from '#node/log.ts';
import { isLoopback, type ServeOptions } from './options.ts';
import { keepStandings, type StandingKeeper } from '#backup/account-snapshot-writer.ts';
import { localOrigins } from '#node/network/own-addresses.ts';
import { entryFile } from '#node/files/app-files.ts';
import { namesFor, reachableAt, trackDoors } from './reachable-addresses.ts';
import { epochBytes, isSignedBy, type OfficeKey, SECRET_FILE } from '#node/tls/server-identity.ts';
import { openMonitoring } from '#backup/monitoring.ts';
import { findSuccessorKey } from '#backup/next-identity-key.ts';
import {
  openWebhookTargets,
  type TargetChange,
  type WebhookTargets,
} from '#node/network/webhook-targets.ts';
import { createWebClient } from '#node/network/web-client.ts';
import { StartError, type StartErrorCode } from '#node/start-error.ts';
import { gravatarHash } from '#service/security/gravatar.ts';
import { type ApiKeys, createApiKeys } from '#service/security/api-keys.ts';
import type { DomainCredentials } from '#service/core/ports/environment.ts';
import { createPasswords } from '#service/security/passwords.ts';
import { DamagedSecretError, loadSecret } from '#service/security/secret-file.ts';
import { loadOfficeKey, OfficeKeyError } from '#service/security/identity-key-file.ts';
import { makeAuthority } from '#service/security/certificates.ts';
import {
  CertificateError,
  createShownCertificate,
  type ShownCertificate,
} from '#service/security/served-certificate.ts';
import { createSetupCode } from '#service/security/setup-code.ts';
import { createApp } from '#service/http/app.ts';
import { sleepingBy } from '#service/http/sleep.ts';
import type { Monitoring } from '#service/http/monitoring.ts';
import type { Departure } from '#service/http/migration.ts';
import type { Office } from '#service/http/server-identity.ts';
import { type ClosedDoor, type HttpServer, listen } from '#service/http/server.ts';
import { loadConfusables } from '#node/confusables.ts';
import { createService, type Service, type ServiceParts } from '#service/service.ts';
import { signedSuccessor } from '#service/features/organization/operations/migration.ts';
import { type Indexing, type Store, StoreOpenError } from '#service/db/port.ts';
import { openStore } from '#service/db/sqlite/open.ts';
import { databaseSize } from '#service/db/sqlite/size.ts';
import { codeOf } from '#node/error-code.ts';
import { officeCommands } from './commands/handle-commands.ts';
import { takeCommands } from './commands/command-socket.ts';
import { createDeparture } from '#backup/migration/source.ts';
import { createHerald, type Herald } from '#backup/migration/redirect-notifier.ts';
import { noteAuthority, notePlace } from './start-notes.ts';

/** How others get to it: from this computer alone where nothing is said. */
type Reach = 'trustedProxies' | 'publicUrl' | 'isPlainAllowed' | 'certificate' | 'metricsTokenFile';

export interface ComposeOptions
  extends Omit<ServeOptions, 'limits' | Reach>, Partial<Pick<ServeOptions, Reach>> {
  /** Those that are not given are the usual ones. */
  readonly limits?: Partial<Limits>;
  /** Given by the desktop, which keeps it in the keychain; null for the file in the data directory. */
  readonly secret: Uint8Array | null;
  /** The same of the office's key. */
  readonly officeKey: OfficeKey | null;
  /** The built renderer; null where there is none. */
  readonly rendererDir: string | null;
  /** How long what another program writes into the database may stay unseen. */
  readonly foreignWritesMs?: number;
}

export interface RunningService {
  readonly origin: string;
  /** By which its people's computers know the office (`node/tls/server-identity.ts`). */
  readonly pin: string;
  /** As it was given, and its administrators read the warnings. */
  readonly log: Log;
  /** Origins by which others reach it now, those that mean something to everybody first; none where nobody can. */
  readonly addresses: () => readonly string[];
  /**
   * Listens at these addresses of this computer too, and at no others but what it was told at the start. Answers those that
   * cannot be had.
   */
  readonly openTo: (addresses: readonly string[]) => Promise<readonly ClosedDoor[]>;
  /** Addresses of those who are connected by way of these. */
  readonly visitors: () => readonly string[];
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

/** How long requests under way may take when the service stops. */
const DRAIN_LIMIT_MS = 5000;

async function readSecret(dataDir: string): Promise<Uint8Array> {
  const file = join(dataDir, SECRET_FILE);
  try {
    return await loadSecret(file);
  } catch (error) {
    if (error instanceof DamagedSecretError) throw new StartError('HOST_FAILED', error.message);
    throw new StartError(
      'DATA_DIR_UNWRITABLE',
      `The file ${file} cannot be read or made (${codeOf(error)}): change who may use it or choose another folder.`,
      { cause: error },
    );
  }
}

async function readOfficeKey(dataDir: string, given: OfficeKey | null): Promise<OfficeKey> {
  try {
    return await loadOfficeKey(dataDir, given);
  } catch (error) {
    if (error instanceof OfficeKeyError) throw new StartError('HOST_FAILED', error.message);
    throw new StartError(
      'DATA_DIR_UNWRITABLE',
      `The key of the office in ${dataDir} cannot be read or made (${codeOf(error)}): change who may use that folder or choose another one.`,
      { cause: error },
    );
  }
}

/** A copy is made by processes that do not come at the keychain. */
async function keepKeysOfKeychain(
  dataDir: string,
  secret: Uint8Array,
  officeKey: OfficeKey,
): Promise<void> {
  const { keepKeys } = await import('#backup/sealed-copy.ts');
  const keys = { secret: Buffer.from(secret).toString('hex'), officeKey: officeKey.exported() };
  try {
    await keepKeys(dataDir, keys);
  } catch (error) {
    // No reason for keeping an office closed.
    stderrLog.warn('the keys for archives could not be kept', { reason: codeOf(error) });
  }
}

const storeCodes = {
  UNWRITABLE: 'DATA_DIR_UNWRITABLE',
  NEWER: 'DATABASE_NEWER',
  DAMAGED: 'DATABASE_DAMAGED',
  IN_USE: 'DATABASE_IN_USE',
} as const satisfies Record<StoreOpenError['code'], StartErrorCode>;

async function openDatabase({
  dataDir,
  limits: { memoryBytes } = {},
  foreignWritesMs,
}: ComposeOptions): Promise<Store> {
  try {
    return await openStore({
      file: databaseIn(dataDir),
      ...(memoryBytes === undefined ? {} : { messageBytes: memoryBytes }),
      ...(foreignWritesMs === undefined ? {} : { foreignWritesMs }),
    });
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error;
    throw new StartError(storeCodes[error.code], error.message, { cause: error });
  }
}

function listenError(error: unknown, { host, port }: Pick<ServeOptions, 'host' | 'port'>): unknown {
  const failed = (code: StartErrorCode, message: string): StartError =>
    new StartError(code, message, { cause: error });
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return failed(
        'PORT_IN_USE',
        `Port ${port} of ${host} is already in use: stop the program that uses it or choose another port.`,
      );
    case 'EACCES':
      return failed(
        'HOST_FAILED',
        `Port ${port} may not be used by this account: choose one above 1023.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failed('HOST_FAILED', `This computer has no address ${host}: choose another host.`);
    default:
      return error;
  }
}

function isOwnEpoch({ publicKey }: OfficeKey, epoch: Epoch): boolean {
  if (epoch.signature === null) return false;
  const signature = Buffer.from(epoch.signature, 'base64');
  return isSignedBy(publicKey, 'epoch', epochBytes(epoch), signature);
}

const credentialsOf = (apiKeys: ApiKeys, { officeKey }: Parts): DomainCredentials => ({
  ...{ apiKeys, gravatarHash },
  passwords: createPasswords(),
  isOwnEpoch: (epoch) => isOwnEpoch(officeKey, epoch),
});

interface Parts {
  readonly store: Store;
  readonly secret: Uint8Array;
  readonly officeKey: OfficeKey;
  readonly targets: WebhookTargets;
  readonly log: Log;
  readonly noted: Pick<ServiceParts, 'databaseBytes' | 'warned'> &
    Pick<Monitoring, 'warningCounts'>;
}

/** With what the office proves that it is one. */
const proofParts = ({ officeKey: key, store }: Parts, { leafPin }: ShownCertificate): Office => ({
  ...{ key, leafPin },
  epoch: async () => (await store.findEpoch())?.n ?? 0,
});

/** Whoever has to know where it is reached is told now, and after every change. */
async function toldDoors(
  { openTo }: Pick<HttpServer, 'openTo'>,
  tell: () => Promise<void>,
): Promise<HttpServer['openTo']> {
  await tell();
  return async (wanted) => {
    const closed = await openTo(wanted);
    await tell();
    return closed;
  };
}

async function openName(store: Store): Promise<string | null> {
  const realm = await store.findRealm();
  const isOpen = realm?.is_deactivated === 0 && signedSuccessor(realm) === undefined;
  return isOpen ? realm.name : null;
}

const whereabouts = (store: Store): Pick<RunningService, 'organizationName' | 'movedTo'> => ({
  organizationName: () => openName(store),
  movedTo: async () => signedSuccessor(await store.findRealm())?.addresses ?? null,
});

/** What it is to others beside its API: how it leaves for another computer, and what those are told who watch it. */
async function openBeside(
  { dataDir, metricsTokenFile = null }: ComposeOptions,
  parts: Parts,
  { moves, health }: Service,
): Promise<{ readonly departure: Departure; readonly monitoring: Monitoring }> {
  const { store, noted } = parts;
  const departure = await createDeparture({
    ...parts,
    ...{ dataDir, moves, version: manifest.version },
    now: () => new Date(systemClock.now()),
  });
  // One that nobody has created yet is served to whoever creates it.
  const isServing = async (): Promise<boolean> =>
    (await store.findRealm()) === undefined || (await openName(store)) !== null;
  const { warningCounts } = noted;
  const watched = { dataDir, metricsTokenFile, isServing, health, warningCounts };
  return { departure, monitoring: await openMonitoring(watched) };
}

/** Whether it is closed. Whoever starts it may have lost the number that the restore printed. */
async function warnIfClosed({ store, log }: Parts, { dataDir }: ComposeOptions): Promise<boolean> {
  const number = (await store.findRealm())?.opens_with ?? null;
  if (number === null) return false;
  const message = 'closed to others since it was restored: changes since the backup may be missing';
  log.warn(message, { command: `${commandName} open ${number} --data-dir ${shellWord(dataDir)}` });
  return true;
}

/** What whoever sits at this computer can ask for. */
async function openCommands(
  { dataDir, publicUrl = null, certificate = null }: ComposeOptions,
  { officeKey: { pin }, log, targets }: Parts,
  service: Service,
  here: Pick<RunningService, 'origin' | 'addresses'> & {
    readonly reachable: () => readonly string[];
  },
): Promise<
  Pick<RunningService, 'makePasswordLink' | 'changeTargets'> & Pick<Running, 'endCommands'>
> {
  const { origin, addresses, reachable } = here;
  const changeTargets: RunningService['changeTargets'] = (change, client) =>
    targets.change(change, (text, isAllowed) => service.noteTargetHere(text, isAllowed, client));
  const makePasswordLink: RunningService['makePasswordLink'] = (email, client) =>
    service.makePasswordLink(email, { origin: addresses()[0] ?? origin, client });
  const reach = { addresses: reachable, publicUrl, isOwnCertificate: certificate === null };
  const asked = { makePasswordLink, changeTargets };
  const commands = officeCommands({ service, pin, ...reach, ...asked });
  return { ...asked, endCommands: await takeCommands(dataDir, commands, log) };
}

const openIndexing = ({ dataDir }: ComposeOptions): Indexing =>
  createIndexing(entryFile('indexing-worker'), databaseIn(dataDir));

type Started = Omit<RunningService, 'isClosed'>;

async function run(options: ComposeOptions, parts: Parts): Promise<Started> {
  const { store, log } = parts;
  /** Nowhere before it listens. */
  let reachable: RunningService['addresses'] = () => [];
  let local: readonly string[] = [];
  const clock = systemClock;
  const apiKeys = createApiKeys(parts.secret);
  const setupCode = createSetupCode(apiKeys.isEqual);
  const service = await createService({
    ...{ store, setupCode, loadConfusables, indexing: openIndexing(options) },
    credentials: credentialsOf(apiKeys, parts),
    files: createFileStore(join(options.dataDir, 'files')),
    web: createWebClient({ ...options, inside: parts.targets }),
    ...{ clock, log, options, version: manifest.version },
    addresses: () => reachable(),
    ownOrigins: () => [...reachable(), ...local],
    findSuccessorKey: () => findSuccessorKey(options.dataDir),
    ...parts.noted,
  });
  if (options.isDevelopment) await service.seedDevelopment();
  const beside = await openBeside(options, parts, service);
  const { rendererDir, host, trustedProxies = [], publicUrl = null, limits = {} } = options;
  const certificate = await openCertificate(options, parts);
  const app = createApp({
    ...service,
    version: manifest.version,
    ...{ apiKeys, log, clock },
    ...{ rendererDir, limits, host, trustedProxies, publicUrl, spoolDir: options.dataDir },
    ...{ office: proofParts(parts, certificate), ...beside },
    ...{ requiresTls: options.isPlainAllowed !== true, requiresOwnName: options.isDevelopment },
  });
  try {
    const isClaimed = (await store.findRealm()) !== undefined;
    const isSecure = !isLoopback(host) && options.isPlainAllowed !== true;
    const server = await listen(app, { ...options, tls: certificate, isSecure });
    const { origin, visitors } = server;
    parts.targets.noteOrigins([origin, publicUrl]);
    const standings = keepStandings({ ...parts, clock, dataDir: options.dataDir });
    const doors = trackDoors(server);
    const addresses = (): readonly string[] => reachableAt({ ...options, publicUrl }, origin);
    reachable = () => [...addresses(), ...doors.addresses()];
    local = localOrigins(origin);
    const herald = createHerald(options.dataDir, log);
    const openTo = await toldDoors(doors, async () => {
      await notePlace({ ...options, log }, { origin, addresses: reachable() });
      herald.tell(reachable());
    });
    const here = { origin, addresses, reachable: () => reachable() };
    const { endCommands, ...asked } = await openCommands(options, parts, service, here);
    return {
      ...{ origin, visitors, openTo, addresses, log, ...asked, ...sleepingBy(service, server) },
      ...{ pin: parts.officeKey.pin, ...whereabouts(store) },
      setupCode: isClaimed ? null : setupCode.code,
      stop: stopOnce({ server, service, store, certificate, standings, herald, endCommands }),
    };
  } catch (error) {
    certificate.stop();
    await service.stop();
    throw listenError(error, options);
  }
}

async function openCertificate(
  options: ComposeOptions,
  { officeKey, log }: Parts,
): Promise<ShownCertificate> {
  const authority = makeAuthority(officeKey, namesFor(options.host).names);
  await noteAuthority({ ...options, log }, authority);
  try {
    return createShownCertificate({
      office: officeKey,
      addresses: () => namesFor(options.host),
      files: options.certificate ?? null,
      clock: systemClock,
      log,
    });
  } catch (error) {
    if (error instanceof CertificateError) throw new StartError('HOST_FAILED', error.message);
    throw error;
  }
}

interface Running {
  readonly server: HttpServer;
  readonly service: Service;
  readonly store: Store;
  readonly certificate: ShownCertificate;
  readonly standings: StandingKeeper;
  readonly herald: Herald;
  readonly endCommands: () => Promise<void>;
}

function stopOnce({
  server,
  service,
  store,
  certificate,
  standings,
  herald,
  endCommands,
}: Running): () => Promise<void> {
  const stop = async (): Promise<void> => {
    server.stopAccepting();
    certificate.stop();
    try {
      await endCommands();
      await herald.stop();
      await service.stop();
      await server.drain(DRAIN_LIMIT_MS);
      await standings.stop();
    } finally {
      await store.close();
    }
  };
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stop());
}

/** @throws StartError for what the person who starts it can do something about */
export async function compose(options: ComposeOptions): Promise<RunningService> {
  await prepareDataDir(options.dataDir);
  if (options.isDevelopment) await claimForDevelopment(options.dataDir);
  // Opened first: it holds the lock of the directory, so that nobody else is making a secret.
  const store = await openDatabase(options);
  try {
    const secret = options.secret ?? (await readSecret(options.dataDir));
    const officeKey = await readOfficeKey(options.dataDir, options.officeKey);
    if (options.secret !== null) await keepKeysOfKeychain(options.dataDir, secret, officeKey);
    const { log, ...remembered } = remembering(stderrLog, () => systemClock.now());
    const databaseBytes = () => databaseSize(databaseIn(options.dataDir));
    const noted = { databaseBytes, ...remembered };
    const targets = await openWebhookTargets(options.dataDir);
    const parts = { store, secret, officeKey, targets, log, noted };
    const isClosed = await warnIfClosed(parts, options);
    return { ...(await run(options, parts)), isClosed };
  } catch (error) {
    await store.close();
    throw error;
  }
}
