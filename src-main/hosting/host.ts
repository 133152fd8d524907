/** Starts and stops the service on a worker thread of this process. */
import { Worker } from 'node:worker_threads';
import type { TargetChoice } from '#shared/bridge/models/hosting.ts';
import { failure, type Outcome } from '#shared/bridge/outcome.ts';
import {
  type ListenersReport,
  type HostJob,
  type HostReport,
  type HostRequest,
  readHostReport,
} from '#node/threads/host-messages.ts';
import { stayReadyInPauses } from '#node/threads/memory.ts';
import { withCause } from '#shared/i18n/explained-error.ts';

export interface HostStart extends HostJob {
  /** The built `host-worker.ts`, as an absolute path. */
  readonly workerFile: string;
}

export interface RunningHost {
  readonly origin: string;
  /** With which its organization is created; null where there is one already. */
  readonly setupCode: string | null;
  /** By which its people's computers know the office. */
  readonly fingerprint: string;
  /** To everybody but administrators here, when it was started. */
  readonly isClosed: boolean;
  /** A link to a new password, for whoever sits here. The failure's sentence says why there is none. */
  readonly makePasswordLink: (email: string) => Promise<Outcome<string>>;
  /**
   * Lets outgoing bots reach something inside this computer's network, or no longer; answers all that they may. The
   * failure's sentence says what is wrong with what was given.
   */
  readonly changeTargets: (change: TargetChoice) => Promise<Outcome<readonly string[]>>;
  /** From now on it listens at these addresses of this computer, beside its own. */
  readonly listenOn: (
    addresses: readonly string[],
  ) => Promise<Pick<ListenersReport, 'closed' | 'visitors'>>;
  /** The computer goes to sleep, or is awake again: settles when the service has told its clients. */
  readonly setAsleep: (isAsleep: boolean) => Promise<void>;
  /** Settles when the service has ended and its database is closed. */
  readonly stop: () => Promise<void>;
  /** Settles when it ended, asked or not. */
  readonly exited: Promise<void>;
}

/** Longer than a clean stop takes; after it the thread is ended as it is. */
const STOP_LIMIT_MS = 10_000;

async function brokenWorker(reason: string): Promise<Outcome<never>> {
  const { hostingWords } = await import('#shared/i18n/hosting-words.ts');
  return failure('HOST_FAILED', hostingWords('service_thread_failed', { reason }));
}

async function hostEnded(): Promise<Outcome<never>> {
  const { hostingWords } = await import('#shared/i18n/hosting-words.ts');
  return failure('HOST_ENDED', hostingWords('service_ended'));
}

type Answer = Extract<HostReport, { readonly id: number }>;
type FirstReport = Exclude<HostReport, Answer>;

/** What the thread reports first, or why it never did. */
function firstReport(
  worker: Worker,
): Promise<FirstReport | { readonly type: 'broken'; reason: string }> {
  return new Promise((resolve) => {
    worker.once('message', (message: unknown) => {
      const report = readHostReport(message);
      const isFirst = report !== undefined && !('id' in report);
      resolve(isFirst ? report : { type: 'broken', reason: 'unknown message' });
    });
    worker.on('error', (error: unknown) => {
      resolve({ type: 'broken', reason: error instanceof Error ? error.message : String(error) });
    });
    worker.once('exit', (code) => resolve({ type: 'broken', reason: `exit code ${code}` }));
  });
}

function startWorker({ workerFile, ...job }: HostStart): Worker {
  const { dataDir, port, secret, officeKey, rendererDir } = job;
  const workerData: HostJob = { dataDir, port, secret, officeKey, rendererDir };
  stayReadyInPauses();
  return new Worker(workerFile, { workerData });
}

function stopper(worker: Worker, exited: Promise<void>): () => Promise<void> {
  return async () => {
    worker.postMessage({ type: 'stop' } satisfies HostRequest);
    const giveUp = setTimeout(() => void worker.terminate(), STOP_LIMIT_MS);
    await exited;
    clearTimeout(giveUp);
  };
}

/** Puts questions to the thread; undefined for one that it ended over. */
function asker(worker: Worker, exited: Promise<void>) {
  let count = 0;
  return <T extends Answer['type']>(
    type: T,
    question: (id: number) => Extract<HostRequest, { readonly type: T }>,
  ): Promise<Extract<Answer, { readonly type: T }> | undefined> => {
    const id = (count += 1);
    return new Promise((resolve) => {
      const settle = (answer?: Extract<Answer, { readonly type: T }>): void => {
        worker.off('message', listen);
        resolve(answer);
      };
      const isAnswer = (report?: HostReport): report is Extract<Answer, { readonly type: T }> =>
        report?.type === type && 'id' in report && report.id === id;
      const listen = (message: unknown): void => {
        const report = readHostReport(message);
        if (isAnswer(report)) settle(report);
      };
      worker.on('message', listen);
      void exited.then(() => settle());
      worker.postMessage(question(id));
    });
  };
}

type Ask = ReturnType<typeof asker>;

const linkMaker =
  (ask: Ask): RunningHost['makePasswordLink'] =>
  async (email) => {
    const answer = await ask('password-link', (id) => ({ type: 'password-link', id, email }));
    if (answer === undefined) return hostEnded();
    const { link, refusal, cause } = answer;
    if (link !== null) return { ok: true, value: link };
    return failure('BAD_REQUEST', withCause(refusal, cause));
  };

const targetChanger =
  (ask: Ask): RunningHost['changeTargets'] =>
  async (change) => {
    const answer = await ask('targets', (id) => ({ type: 'targets', id, ...change }));
    if (answer === undefined) return hostEnded();
    const { targets, refusal, cause } = answer;
    if (targets !== null) return { ok: true, value: targets };
    return failure('BAD_REQUEST', withCause(refusal, cause));
  };

const listenerOpener =
  (ask: Ask): RunningHost['listenOn'] =>
  async (addresses) => {
    const answer = await ask('doors', (id) => ({ type: 'doors', id, addresses }));
    const { closed = [], visitors = [] } = answer ?? {};
    return { closed, visitors };
  };

/**
 * Settles when the service accepts requests, or with what keeps it from it: PORT_IN_USE, DATA_DIR_UNWRITABLE,
 * DATABASE_NEWER, DATABASE_DAMAGED, DATABASE_IN_USE or HOST_FAILED, and a sentence that says what to do.
 */
export async function startHost(options: HostStart): Promise<Outcome<RunningHost>> {
  const worker = startWorker(options);
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const report = await firstReport(worker);
  switch (report.type) {
    case 'listening': {
      const { origin, setupCode, pin: fingerprint, isClosed } = report;
      const ask = asker(worker, exited);
      const own = {
        makePasswordLink: linkMaker(ask),
        listenOn: listenerOpener(ask),
        changeTargets: targetChanger(ask),
        setAsleep: async (isAsleep: boolean) => {
          await ask('sleep', (id) => ({ type: 'sleep', id, isAsleep }));
        },
      };
      const stop = stopper(worker, exited);
      return {
        ok: true,
        value: { origin, setupCode, fingerprint, isClosed, ...own, stop, exited },
      };
    }
    case 'failed':
      await worker.terminate();
      return failure(report.code, withCause(report.message, report.cause));
    case 'broken':
      await worker.terminate();
      return brokenWorker(report.reason);
  }
}
