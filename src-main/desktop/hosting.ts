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

export type HostingPhase = 'stopped' | 'starting' | 'running';

export interface Hosting extends HostPort {
  /** Whether an organization lives on this computer, running or not. */
  readonly hasData: () => Promise<boolean>;
  /** Ends the service; it stays ended until it is started again. */
  readonly stop: () => Promise<void>;
  /** It was ended by `stop`, and not by itself. */
  readonly isStopped: () => boolean;
  readonly phase: () => HostingPhase;
  readonly onPhase: (listener: () => void) => void;
}

const SECRET_BYTES = 32;
const wellFormed = /^[0-9a-f]{64}$/;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A service that ran this long was well: its next end is a new trouble. */
const WELL_AFTER_MS = 5 * 60_000;

/** Runs the service of the organization that lives on this computer, and runs it again when it dies. */
export const createHosting = (parts: HostingParts): Hosting => new KeptHost(parts);

class KeptHost implements Hosting {
  readonly #parts: HostingParts;
  #stopped = new AbortController();
  #running: RunningHost | undefined;
  #starting: Promise<Outcome<RunningHost>> | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  readonly #listeners: (() => void)[] = [];

  constructor(parts: HostingParts) {
    this.#parts = parts;
  }

  readonly start: Hosting['start'] = async () => {
    if (this.isStopped()) this.#stopped = new AbortController();
    const started = await this.#startOnce(this.#parts.port);
    return started.ok ? success({ address: started.value.origin }) : started;
  };

  readonly stop = async (): Promise<void> => {
    this.#stopped.abort();
    await this.#starting;
    const host = this.#running;
    await host?.stop();
    this.#ended(host);
  };

  readonly hasData = (): Promise<boolean> => hasFiles(this.#parts.dataDir);
  readonly isStopped = (): boolean => this.#stopped.signal.aborted;

  readonly phase = (): HostingPhase => {
    if (this.#running !== undefined) return 'running';
    return this.#starting === undefined ? 'stopped' : 'starting';
  };

  readonly onPhase = (listener: () => void): void => {
    this.#listeners.push(listener);
  };

  async #startOnce(port: () => Promise<number>): Promise<Outcome<RunningHost>> {
    if (this.#running !== undefined) return success(this.#running);
    this.#starting ??= port()
      .then((number) => this.#launch(number))
      .finally(() => {
        this.#starting = undefined;
        this.#changed();
      });
    this.#changed();
    const started = await this.#starting;
    if (!started.ok) {
      this.#parts.log.error('the hosted service did not start', { failure: started.failure });
    }
    return started;
  }

  async #launch(port: number): Promise<Outcome<RunningHost>> {
    const secret = await secretOf(this.#parts);
    if (!secret.ok) return secret;
    const { startHost, workerFile, rendererDir, dataDir } = this.#parts;
    const files = { workerFile, rendererDir, dataDir };
    const started = await startHost({ ...files, port, secret: secret.value });
    if (!started.ok) return started;
    this.#running = started.value;
    this.#changed();
    if (this.isStopped()) await started.value.stop();
    else void this.#keepRunning(started.value, this.#stopped.signal);
    return started;
  }

  /** Waits for its end and starts it again on the same port, with longer pauses while it keeps ending. */
  async #keepRunning(host: RunningHost, stopped: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    const startedAtMs = clock.now();
    await host.exited;
    this.#ended(host);
    const port = Number(new URL(host.origin).port);
    if (clock.now() - startedAtMs > WELL_AFTER_MS) this.#pauseMs = FIRST_PAUSE_MS;
    const isStopping = (): boolean => stopped.aborted;
    for (let isUp = false; !isUp && !isStopping();) {
      log.error('the hosted service ended by itself and is started again', {
        pauseMs: this.#pauseMs,
      });
      await clock.wait(this.#pauseMs, stopped);
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
      if (!isStopping()) isUp = (await this.#startOnce(() => Promise.resolve(port))).ok;
    }
  }

  #ended(host: RunningHost | undefined): void {
    if (this.#running === host) this.#running = undefined;
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
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
