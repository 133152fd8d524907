/** Starts and stops the service on a worker thread of this process. */
import { Worker } from 'node:worker_threads';
import type { Outcome } from './contract/outcome.ts';
import { type HostJob, type HostReport, readHostReport } from './platform/host-messages.ts';

export interface HostStart extends HostJob {
  /** The built `host-worker.ts`, as an absolute path. */
  readonly workerFile: string;
}

export interface RunningHost {
  readonly origin: string;
  /** Settles when the service has ended and its database is closed. */
  readonly stop: () => Promise<void>;
  /** Settles when it ended, asked or not. */
  readonly exited: Promise<void>;
}

/** Longer than a clean stop takes; after it the thread is ended as it is. */
const STOP_LIMIT_MS = 10_000;

const failed = (code: string, message: string): Outcome<never> => ({
  ok: false,
  failure: { code, message },
});

const brokenWorker = (reason: string): Outcome<never> =>
  failed(
    'HOST_FAILED',
    `The service on this computer could not be started (${reason}): start the application again, and if that does not help, install it anew.`,
  );

/** What the thread reports first, or why it never did. */
function firstReport(
  worker: Worker,
): Promise<HostReport | { readonly type: 'broken'; reason: string }> {
  return new Promise((resolve) => {
    worker.once('message', (message: unknown) => {
      resolve(readHostReport(message) ?? { type: 'broken', reason: 'unknown message' });
    });
    worker.on('error', (error: unknown) => {
      resolve({ type: 'broken', reason: error instanceof Error ? error.message : String(error) });
    });
    worker.once('exit', (code) => resolve({ type: 'broken', reason: `exit code ${code}` }));
  });
}

function startWorker({ workerFile, dataDir, port, secret, rendererDir }: HostStart): Worker {
  const workerData: HostJob = { dataDir, port, secret, rendererDir };
  return new Worker(workerFile, { workerData });
}

function stopper(worker: Worker, exited: Promise<void>): () => Promise<void> {
  return async () => {
    worker.postMessage({ type: 'stop' });
    const giveUp = setTimeout(() => void worker.terminate(), STOP_LIMIT_MS);
    await exited;
    clearTimeout(giveUp);
  };
}

/**
 * Settles when the service accepts requests, or with what keeps it from it: PORT_IN_USE, DATA_DIR_UNWRITABLE,
 * DATABASE_NEWER, DATABASE_DAMAGED, DATABASE_IN_USE or HOST_FAILED, and a sentence that says what to do.
 */
export async function startHost(options: HostStart): Promise<Outcome<RunningHost>> {
  const worker = startWorker(options);
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const report = await firstReport(worker);
  switch (report.type) {
    case 'listening':
      return {
        ok: true,
        value: { origin: report.origin, stop: stopper(worker, exited), exited },
      };
    case 'failed':
      await worker.terminate();
      return failed(report.code, report.message);
    case 'broken':
      await worker.terminate();
      return brokenWorker(report.reason);
  }
}
