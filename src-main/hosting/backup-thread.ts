/** Backs up and restores on a worker thread of this process. */
import { Worker } from 'node:worker_threads';
import type {
  ArrivalProgress,
  Keeper,
  KeepingAnswer,
  KeepingName,
  KeepingRequest,
} from '#node/threads/backup-messages.ts';

function broken(reason: string): KeepingAnswer<KeepingName> {
  const message = `Hearth could not do it (${reason}): start the application again, and if that does not help, install it anew.`;
  return { ok: false, failure: { code: 'FAILED', message } };
}

function answerOf(
  worker: Worker,
  onProgress: (progress: ArrivalProgress) => void,
): Promise<unknown> {
  return new Promise((resolve) => {
    // What answers is of the same build.
    worker.on('message', (message: { readonly progress?: ArrivalProgress }) => {
      if (message.progress === undefined) resolve(message);
      else onProgress(message.progress);
    });
    worker.on('error', (error: unknown) => {
      resolve(broken(error instanceof Error ? error.message : String(error)));
    });
    worker.once('exit', (code) => resolve(broken(`exit code ${String(code)}`)));
  });
}

/** @param workerFile  the built `backup-worker.ts`, as an absolute path */
export const createKeeper =
  (workerFile: string): Keeper =>
  async <N extends KeepingName>(
    name: N,
    ask: Parameters<Keeper>[1],
    signal?: AbortSignal,
    onProgress: (progress: ArrivalProgress) => void = () => undefined,
  ): Promise<KeepingAnswer<N>> => {
    const worker = new Worker(workerFile, { workerData: { name, ask } as KeepingRequest });
    const giveUp = (): void => worker.postMessage('stop');
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted === true) giveUp();
    try {
      return (await answerOf(worker, onProgress)) as KeepingAnswer<N>;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  };
