/** The worker thread that backs up and restores for a desktop, so that its window never waits; `backup-thread.ts` starts it. */
import { parentPort, workerData } from 'node:worker_threads';
import { RecoveryCodeError } from '#backup/archive/recovery-code.ts';
import { ArchiveError } from '#backup/archive/archive-error.ts';
import { runBackupJob } from '#backup/thread-jobs.ts';
import { oneLine } from '#node/wording.ts';
import { toldOf } from '#shared/i18n/explained-error.ts';
import { letServiceGoFirst } from '#node/threads/priority.ts';
import type {
  BackupJobAnswer,
  BackupJobName,
  BackupJobRequest,
} from '#node/threads/backup-messages.ts';

const archiveCodes = {
  'wrong-code': 'WRONG_CODE',
  'not-an-archive': 'NOT_AN_ARCHIVE',
  damaged: 'DAMAGED',
} as const satisfies Record<ArchiveError['kind'], string>;

function failureOf(error: unknown): BackupJobAnswer<BackupJobName> {
  const told = { ...toldOf(error), message: oneLine(error) };
  if (error instanceof ArchiveError) {
    return { ok: false, failure: { code: archiveCodes[error.kind], ...told } };
  }
  const code = error instanceof RecoveryCodeError ? 'BAD_CODE' : 'FAILED';
  return { ok: false, failure: { code, ...told } };
}

if (parentPort === null) throw new Error('backup-worker runs as a worker thread only');
const port = parentPort;
// It works beside the service that it copies, and the window.
letServiceGoFirst();
const giveUp = new AbortController();
port.on('message', () => giveUp.abort());
try {
  // Another end of the same build has sent it.
  const value = await runBackupJob(workerData as BackupJobRequest, giveUp.signal, (progress) => {
    port.postMessage({ progress });
  });
  port.postMessage({ ok: true, value });
} catch (error) {
  port.postMessage(failureOf(error));
}
// Without a listener the port no longer keeps the thread alive.
port.close();
