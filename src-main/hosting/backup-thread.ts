/** Backs up and restores on a worker thread of this process. */
import { Worker } from 'node:worker_threads';
import type {
  MigrationProgress,
  BackupThread,
  BackupJobAnswer,
  BackupJobName,
  BackupJobRequest,
} from '#node/threads/backup-messages.ts';

async function broken(reason: string): Promise<BackupJobAnswer<BackupJobName>> {
  const { hostingWords } = await import('#shared/i18n/hosting-words.ts');
  return { ok: false, failure: { code: 'FAILED', ...hostingWords('thread_failed', { reason }) } };
}

function answerOf(
  worker: Worker,
  onProgress: (progress: MigrationProgress) => void,
): Promise<unknown> {
  return new Promise((resolve) => {
    // What answers is of the same build.
    worker.on('message', (message: { readonly progress?: MigrationProgress }) => {
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
export const createBackupThread =
  (workerFile: string): BackupThread =>
  async <N extends BackupJobName>(
    name: N,
    ask: Parameters<BackupThread>[1],
    signal?: AbortSignal,
    onProgress: (progress: MigrationProgress) => void = () => undefined,
  ): Promise<BackupJobAnswer<N>> => {
    const worker = new Worker(workerFile, { workerData: { name, ask } as BackupJobRequest });
    const giveUp = (): void => worker.postMessage('stop');
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted === true) giveUp();
    try {
      return (await answerOf(worker, onProgress)) as BackupJobAnswer<N>;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  };
