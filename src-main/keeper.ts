/** Backs up and restores on a worker thread of this process. */
import { Worker } from 'node:worker_threads';
import type {
  Keeper,
  KeepingAnswer,
  KeepingName,
  KeepingRequest,
} from './platform/keeping-messages.ts';

function broken(reason: string): KeepingAnswer<KeepingName> {
  const message = `Hearth could not do it (${reason}): start the application again, and if that does not help, install it anew.`;
  return { ok: false, failure: { code: 'FAILED', message } };
}

function answerOf(worker: Worker): Promise<unknown> {
  return new Promise((resolve) => {
    worker.once('message', resolve);
    worker.on('error', (error: unknown) => {
      resolve(broken(error instanceof Error ? error.message : String(error)));
    });
    worker.once('exit', (code) => resolve(broken(`exit code ${String(code)}`)));
  });
}

/** @param workerFile  the built `keeping-worker.ts`, as an absolute path */
export const createKeeper =
  (workerFile: string): Keeper =>
  async <N extends KeepingName>(
    name: N,
    ask: Parameters<Keeper>[1],
    signal?: AbortSignal,
  ): Promise<KeepingAnswer<N>> => {
    const worker = new Worker(workerFile, { workerData: { name, ask } as KeepingRequest });
    const giveUp = (): void => worker.postMessage('stop');
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted === true) giveUp();
    try {
      // What answers is of the same build.
      return (await answerOf(worker)) as KeepingAnswer<N>;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  };
