import type { Clock, HostingPort, KeyStore, StartedHost } from '#client/ports.ts';
import type { HostingStatus, TargetChoice } from '#shared/bridge/models/hosting.ts';
import { failure, success, type Failure, type Outcome } from '#shared/bridge/outcome.ts';
import type { Log } from '#node/log.ts';
import { credentialsOf, forgetKeys, hasFiles } from './host-keys.ts';
import { hasMovedAway, setAside } from './moved-away.ts';
import { desktopWords } from '#shared/i18n/desktop-words.ts';

/** Beside its own address. */
export interface HostListeners {
  /** Addresses at which it cannot listen, with the system's code. */
  readonly closed: readonly { readonly address: string; readonly code: string }[];
  /** Addresses of those who are connected. */
  readonly visitors: readonly string[];
}

export interface RunningHost {
  readonly origin: string;
  /** With which its organization is created; null where there is one already. */
  readonly setupCode: string | null;
  /** By which its people's computers know the office. */
  readonly fingerprint: string;
  /** To everybody but administrators here, when it was started. */
  readonly isClosed: boolean;
  /** From now on it listens at these addresses of this computer, beside its own. */
  readonly listenOn: (addresses: readonly string[]) => Promise<HostListeners>;
  /** A link to a new password, for whoever sits here. The failure's sentence says why there is none. */
  readonly makePasswordLink: (email: string) => Promise<Outcome<string>>;
  /** What outgoing bots may reach inside the network, after this was changed. */
  readonly changeTargets: (change: TargetChoice) => Promise<Outcome<readonly string[]>>;
  /** The computer goes to sleep, or is awake again: settles when the service has told its clients. */
  readonly setAsleep: (isAsleep: boolean) => Promise<void>;
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
  readonly officeKey: string;
}

export type StartHost = (options: HostStart) => Promise<Outcome<RunningHost>>;

export interface HostingParts extends Pick<HostStart, 'workerFile' | 'rendererDir' | 'dataDir'> {
  readonly startHost: StartHost;
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Asked at the first start. */
  readonly port: () => Promise<number>;
  /** Told where it runs. */
  readonly savePort: (port: number) => Promise<void>;
}

export interface Hosting extends HostingPort {
  /** Starts it unless it runs, on the port where it was last or on the given one. */
  readonly start: (port?: number) => Promise<Outcome<StartedHost>>;
  readonly makePasswordLink: RunningHost['makePasswordLink'];
  readonly changeTargets: RunningHost['changeTargets'];
  /** What runs; undefined while nothing does. */
  readonly running: () => Pick<RunningHost, 'fingerprint' | 'listenOn' | 'setAsleep'> | undefined;
  /** The organization that runs is open to others from now on. */
  readonly noteOpened: () => void;
  /** Whether an organization lives on this computer, running or not. */
  readonly hasData: () => Promise<boolean>;
  /** Whether there is something to run: also what says where an organization has gone that lived here. */
  readonly hasService: () => Promise<boolean>;
  /** What an organization has left here makes room for another one. */
  readonly makeRoom: () => Promise<void>;
  /** Ends the service; it stays ended until it is started again. */
  readonly stop: () => Promise<void>;
}

const notRunning = failure('NOT_RUNNING', desktopWords('hosting_not_running'));

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** A service that ran this long was well: its next end is a new trouble. */
const WELL_AFTER_MS = 5 * 60_000;

/** What may pass without anybody doing something in this application; a keychain would ask each time. */
const passing: ReadonlySet<string> = new Set([
  'PORT_IN_USE',
  'DATABASE_IN_USE',
  'DATA_DIR_UNWRITABLE',
  'HOST_FAILED',
  'HOST_ENDED',
]);

/** Runs the service of the organization that lives on this computer, and runs it again when it dies. */
export const createHosting = (parts: HostingParts): Hosting => new ManagedHost(parts);

class ManagedHost implements Hosting {
  readonly #parts: HostingParts;
  #status: HostingStatus = { phase: 'off' };
  /** Aborted while a person wants it to be stopped. */
  #stopping = new AbortController();
  #running: RunningHost | undefined;
  #starting: Promise<Outcome<RunningHost>> | undefined;
  /** Where it ran, or is to run, since this application was started. */
  #port: number | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  /** While it is being tried again; aborting ends that. */
  #retrying: AbortController | undefined;
  readonly #listeners = new Set<(status: HostingStatus) => void>();

  constructor(parts: HostingParts) {
    this.#parts = parts;
  }

  readonly start: Hosting['start'] = async (port) => {
    if (port !== undefined && port !== this.#port) {
      if (this.#running !== undefined) await this.stop();
      this.#port = port;
    }
    if (this.#isStopping()) this.#stopping = new AbortController();
    this.#pauseMs = FIRST_PAUSE_MS;
    if (this.#running === undefined) this.#tell({ phase: 'starting' });
    const started = await this.#startOnce();
    if (!started.ok) return started;
    const { origin: address, setupCode } = started.value;
    return success(setupCode === null ? { address } : { address, setupCode });
  };

  readonly stop = async (): Promise<void> => {
    this.#stopping.abort();
    this.#endRetrying();
    await this.#starting;
    const host = this.#running;
    await host?.stop();
    if (this.#running === host) this.#running = undefined;
    if (this.#status.phase !== 'off') this.#tell({ phase: 'stopped', port: this.#port ?? 0 });
  };

  readonly makePasswordLink: Hosting['makePasswordLink'] = async (email) =>
    this.#running?.makePasswordLink(email) ?? notRunning;

  readonly changeTargets: Hosting['changeTargets'] = async (change) =>
    this.#running?.changeTargets(change) ?? notRunning;

  readonly running: Hosting['running'] = () => this.#running;

  readonly noteOpened = (): void => {
    if (this.#status.phase !== 'running') return;
    this.#tell({ phase: 'running', address: this.#status.address });
  };

  readonly hasService = (): Promise<boolean> => hasFiles(this.#parts.dataDir);
  readonly hasData = async (): Promise<boolean> =>
    (await this.hasService()) && !(await hasMovedAway(this.#parts.dataDir));

  readonly makeRoom = async (): Promise<void> => {
    const { dataDir, keys } = this.#parts;
    if (!(await hasMovedAway(dataDir))) return;
    await this.stop();
    await setAside(dataDir);
    await forgetKeys({ keys });
  };

  readonly status = (): HostingStatus => this.#status;

  readonly onStatus: Hosting['onStatus'] = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #startOnce(): Promise<Outcome<RunningHost>> {
    if (this.#running !== undefined) return Promise.resolve(success(this.#running));
    this.#starting ??= this.#attempt().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #attempt(): Promise<Outcome<RunningHost>> {
    const port = this.#port ?? (await this.#parts.port());
    if (port !== 0) this.#port = port;
    const started = await this.#launch(port);
    if (started.ok) {
      await this.#began(started.value);
    } else {
      this.#parts.log.error('the hosted service did not start', { failure: started.failure });
      this.#failed(started.failure, port);
    }
    return started;
  }

  async #launch(port: number): Promise<Outcome<RunningHost>> {
    const kept = await credentialsOf(this.#parts);
    if (!kept.ok) return kept;
    const { startHost, workerFile, rendererDir, dataDir } = this.#parts;
    return startHost({ workerFile, rendererDir, dataDir, port, ...kept.value });
  }

  async #began(host: RunningHost): Promise<void> {
    this.#running = host;
    this.#port = Number(new URL(host.origin).port);
    if (this.#isStopping()) {
      await host.stop();
      return;
    }
    this.#endRetrying();
    void this.#watch(host, this.#stopping.signal);
    const closed = host.isClosed ? ({ isClosed: true } as const) : {};
    this.#tell({ phase: 'running', address: host.origin, ...closed });
    await this.#parts.savePort(this.#port);
  }

  /** Waits for its end, which nobody may have asked for. */
  async #watch(host: RunningHost, stopping: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    const startedAtMs = clock.now();
    await host.exited;
    if (this.#running === host) this.#running = undefined;
    if (stopping.aborted) return;
    log.error('the hosted service ended by itself and is started again', {
      pauseMs: this.#pauseMs,
    });
    if (clock.now() - startedAtMs > WELL_AFTER_MS) this.#pauseMs = FIRST_PAUSE_MS;
    const ended = { code: 'HOST_ENDED', ...desktopWords('hosting_ended') };
    this.#failed(ended, Number(new URL(host.origin).port));
  }

  #failed({ code, message: reason }: Failure, port: number): void {
    if (this.#isStopping()) return;
    const isRetried = passing.has(code);
    this.#tell({ phase: 'failed', code, reason, port, isRetried });
    if (isRetried && this.#retrying === undefined) void this.#retry();
  }

  /** Starts it again, with longer pauses while that keeps failing. */
  async #retry(): Promise<void> {
    const retrying = new AbortController();
    this.#retrying = retrying;
    const isOver = (): boolean => retrying.signal.aborted;
    while (this.#status.phase === 'failed' && this.#status.isRetried && !isOver()) {
      const pauseMs = this.#pauseMs;
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      await this.#parts.clock.wait(pauseMs, retrying.signal);
      if (!isOver()) await this.#startOnce();
    }
    if (this.#retrying === retrying) this.#retrying = undefined;
  }

  #endRetrying(): void {
    this.#retrying?.abort();
    this.#retrying = undefined;
  }

  #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #tell(status: HostingStatus): void {
    if (JSON.stringify(status) === JSON.stringify(this.#status)) return;
    this.#status = status;
    for (const listener of [...this.#listeners]) listener(status);
  }
}
