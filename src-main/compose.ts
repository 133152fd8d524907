/** Builds a running service from options: the one place where concrete parts are chosen. */
import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Limits } from './contract/limits.ts';
import manifest from '../package.json' with { type: 'json' };
import { systemClock } from './platform/clock.ts';
import { createFileStore } from './platform/file-store.ts';
import { type Log, stderrLog } from './platform/log.ts';
import type { ServeOptions } from './platform/options.ts';
import { createWebClient } from './platform/web-client.ts';
import { StartError, type StartErrorCode } from './platform/start-error.ts';
import { gravatarHash } from './service/credentials/gravatar.ts';
import { createApiKeys } from './service/credentials/api-keys.ts';
import { createPasswords } from './service/credentials/passwords.ts';
import { DamagedSecretError, loadSecret } from './service/credentials/secret-file.ts';
import { createApp } from './service/http/app.ts';
import { type HttpServer, listen } from './service/http/server.ts';
import { createService, type Service } from './service/service.ts';
import { type Store, StoreOpenError } from './service/store/port.ts';
import { openStore } from './service/store/sqlite/open.ts';

export interface ComposeOptions extends Omit<ServeOptions, 'limits'> {
  /** Those that are not given are the usual ones. */
  readonly limits?: Partial<Limits>;
  /** Given by the desktop, which keeps it in the keychain; null for the file in the data directory. */
  readonly secret: Uint8Array | null;
  /** The built renderer; null where there is none. */
  readonly rendererDir: string | null;
}

export interface RunningService {
  readonly origin: string;
  /** Lets requests under way finish, answers those that wait, closes the database. */
  readonly stop: () => Promise<void>;
}

/** How long requests under way may take when the service stops. */
const DRAIN_LIMIT_MS = 5000;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      'DATA_DIR_UNWRITABLE',
      `The folder ${dataDir} cannot be written (${codeOf(error)}): choose another one or change who may write to it.`,
      { cause: error },
    );
  }
}

async function readSecret(dataDir: string): Promise<Uint8Array> {
  const file = join(dataDir, 'secret');
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

const storeCodes = {
  UNWRITABLE: 'DATA_DIR_UNWRITABLE',
  NEWER: 'DATABASE_NEWER',
  DAMAGED: 'DATABASE_DAMAGED',
  IN_USE: 'DATABASE_IN_USE',
} as const satisfies Record<StoreOpenError['code'], StartErrorCode>;

async function openDatabase(dataDir: string): Promise<Store> {
  try {
    return await openStore({ file: join(dataDir, 'hearth.db') });
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

interface Parts {
  readonly store: Store;
  readonly secret: Uint8Array;
  readonly log: Log;
}

async function run(options: ComposeOptions, parts: Parts): Promise<RunningService> {
  const { store, log } = parts;
  const clock = systemClock;
  const apiKeys = createApiKeys(parts.secret);
  const service = await createService({
    store,
    credentials: { apiKeys, passwords: createPasswords(), gravatarHash },
    files: createFileStore(join(options.dataDir, 'files')),
    web: createWebClient(options),
    clock,
    log,
    options,
    version: manifest.version,
  });
  if (options.isDevelopment) await service.seedDevelopment();
  const { rendererDir } = options;
  const { limits = {} } = options;
  const app = createApp({
    ...service,
    version: manifest.version,
    apiKeys,
    log,
    clock,
    rendererDir,
    limits,
  });
  try {
    const server = await listen(app, options);
    return { origin: server.origin, stop: stopOnce({ server, service, store }) };
  } catch (error) {
    await service.stop();
    throw listenError(error, options);
  }
}

interface Running {
  readonly server: HttpServer;
  readonly service: Service;
  readonly store: Store;
}

function stopOnce({ server, service, store }: Running): () => Promise<void> {
  const stop = async (): Promise<void> => {
    server.stopAccepting();
    try {
      await service.stop();
      await server.drain(DRAIN_LIMIT_MS);
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
  // Opened first: it holds the lock of the directory, so that nobody else is making a secret.
  const store = await openDatabase(options.dataDir);
  try {
    const secret = options.secret ?? (await readSecret(options.dataDir));
    return await run(options, { store, secret, log: stderrLog });
  } catch (error) {
    await store.close();
    throw error;
  }
}
