/** The worker thread that backs up and restores for a desktop, so that its window never waits; `keeper.ts` starts it. */
import { parentPort, workerData } from 'node:worker_threads';
import { RecoveryCodeError } from './archive/recovery-code.ts';
import { ArchiveError } from './archive/archive-error.ts';
import { carryOut } from './keeping/jobs.ts';
import { oneLine } from './keeping/sentences.ts';
import { letServiceGoFirst } from './platform/priority.ts';
import type { KeepingAnswer, KeepingName, KeepingRequest } from './platform/keeping-messages.ts';

const archiveCodes = {
  'wrong-code': 'WRONG_CODE',
  'not-an-archive': 'NOT_AN_ARCHIVE',
  damaged: 'DAMAGED',
} as const satisfies Record<ArchiveError['kind'], string>;

function failureOf(error: unknown): KeepingAnswer<KeepingName> {
  const message = oneLine(error);
  if (error instanceof ArchiveError) {
    return { ok: false, failure: { code: archiveCodes[error.kind], message } };
  }
  const code = error instanceof RecoveryCodeError ? 'BAD_CODE' : 'FAILED';
  return { ok: false, failure: { code, message } };
}

if (parentPort === null) throw new Error('keeping-worker runs as a worker thread only');
const port = parentPort;
// It works beside the service that it copies, and the window.
letServiceGoFirst();
const giveUp = new AbortController();
port.on('message', () => giveUp.abort());
try {
  // Another end of the same build has sent it.
  const value = await carryOut(workerData as KeepingRequest, giveUp.signal, (progress) => {
    port.postMessage({ progress });
  });
  port.postMessage({ ok: true, value });
} catch (error) {
  port.postMessage(failureOf(error));
}
// Without a listener the port no longer keeps the thread alive.
port.close();
