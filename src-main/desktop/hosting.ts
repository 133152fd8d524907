import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import type { Clock, HostPort, KeyStore } from '../client/ports.ts';
import { failure, success, type Outcome } from '../contract/outcome.ts';
import type { Log } from '../platform/log.ts';
import { HOST_SECRET, KeychainError } from './keychain.ts';

export interface RunningHost {
  readonly origin: string;
  /** Settles when the service has ended and its database is closed. */
  readonly stop: () => Promise<void>;
  /** Settles when it ended, asked or not. */
  readonly exited: Promise<void>;
}

export interface HostStart {
  readonly workerFile: string;
  readonly rendererDir: string;
  readonly dataDir: string;
  readonly port: number;
  readonly secret: string;
}

export type StartHost = (options: HostStart) => Promise<Outcome<RunningHost>>;

export interface HostingParts extends Pick<HostStart, 'workerFile' | 'rendererDir' | 'dataDir'> {
  readonly startHost: StartHost;
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Asked at every start: the port is known only once an organization was created. */
  readonly port: () => Promise<number>;
}

export interface Hosting extends HostPort {
  /** Whether an organization lives on this computer, running or not. */
  readonly hasData: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

const SECRET_BYTES = 32;
const wellFormed = /^[0-9a-f]{64}$/;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A service that ran this long was well: its next end is a new trouble. */
const WELL_AFTER_MS = 5 * 60_000;

/** Runs the service of the organization that lives on this computer, and runs it again when it dies. */
export function createHosting(parts: HostingParts): Hosting {
  const { clock, log } = parts;
  const stopped = new AbortController();
  const isStopping = (): boolean => stopped.signal.aborted;
  let running: RunningHost | undefined;
  let starting: Promise<Outcome<RunningHost>> | undefined;
  let pauseMs = FIRST_PAUSE_MS;

  async function launch(port: number): Promise<Outcome<RunningHost>> {
    const secret = await secretOf(parts);
    if (!secret.ok) return secret;
    const { startHost, workerFile, rendererDir, dataDir } = parts;
    const started = await startHost({
      workerFile,
      rendererDir,
      dataDir,
      port,
      secret: secret.value,
    });
    if (!started.ok) return started;
    running = started.value;
    if (isStopping()) await started.value.stop();
    else void keepRunning(started.value);
    return started;
  }

  /** Waits for its end and starts it again on the same port, with longer pauses while it keeps ending. */
  async function keepRunning(host: RunningHost): Promise<void> {
    const startedAtMs = clock.now();
    await host.exited;
    running = undefined;
    const port = Number(new URL(host.origin).port);
    if (clock.now() - startedAtMs > WELL_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
    for (let isUp = false; !isUp && !isStopping();) {
      log.error('the hosted service ended by itself and is started again', { pauseMs });
      await clock.wait(pauseMs, stopped.signal);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      isUp = !isStopping() && (await startOnce(() => Promise.resolve(port))).ok;
    }
  }

  async function startOnce(port: () => Promise<number>): Promise<Outcome<RunningHost>> {
    if (running !== undefined) return success(running);
    starting ??= port()
      .then(launch)
      .finally(() => (starting = undefined));
    const started = await starting;
    if (!started.ok) log.error('the hosted service did not start', { failure: started.failure });
    return started;
  }

  return {
    start: async () => {
      const started = await startOnce(parts.port);
      return started.ok ? success({ address: started.value.origin }) : started;
    },
    hasData: () => hasFiles(parts.dataDir),
    stop: async () => {
      stopped.abort();
      await starting;
      await running?.stop();
    },
  };
}

async function secretOf(parts: HostingParts): Promise<Outcome<string>> {
  try {
    return await findOrMakeSecret(parts);
  } catch (error) {
    if (error instanceof KeychainError) return failure(error.code, error.message);
    throw error;
  }
}

/** The service's secret, made on first use: only where there are no keys yet, because all derive from it. */
async function findOrMakeSecret({ keys, dataDir }: HostingParts): Promise<Outcome<string>> {
  const kept = await keys.find(HOST_SECRET);
  if (kept !== undefined && wellFormed.test(kept)) return success(kept);
  if (await hasFiles(dataDir)) {
    return failure(
      'HOST_SECRET_MISSING',
      'The organization on this computer is here, but the secret that its keys are made from is not in the keychain. Unlock or restore the keychain and try again.',
    );
  }
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  await keys.save(HOST_SECRET, secret);
  return success(secret);
}

async function hasFiles(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
