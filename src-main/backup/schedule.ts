/** Archives at a time of the day, made by a process of their own, so that nobody who is served waits. */
import { spawn } from 'node:child_process';
import type { Log } from '#node/log.ts';
import type { BackupSchedule } from '#hosting/options/serve-options.ts';
import { ownCommand } from '#node/own-command.ts';
import { isDue, isPausing } from '#node/time-of-day.ts';
import { removeExpired } from './retention.ts';

interface ScheduleParts extends BackupSchedule {
  readonly dataDir: string;
  readonly log: Log;
}

/** A computer that slept, or whose clock was set, is found out within a minute. */
const LOOK_EVERY_MS = 60_000;
/** A disk that is not there at night may be in the morning. */
const RETRY_MS = 60 * 60_000;

interface MadeArchive {
  readonly file: string;
  readonly lostFiles: number;
}

/** @throws an Error with what the command said */
function makeArchive({ dataDir, into }: ScheduleParts, signal: AbortSignal): Promise<MadeArchive> {
  const [program = '', ...own] = ownCommand();
  const args = [...own, 'backup', into, '--data-dir', dataDir];
  const how = ['--files-beside', '--json'];
  const child = spawn(program, [...args, ...how], {
    stdio: ['ignore', 'pipe', 'ignore'],
    signal,
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => {
      try {
        resolve(parseMadeArchive(text));
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

function parseMadeArchive(text: string): MadeArchive {
  if (text === '') throw new Error('The command that makes archives ended without a word.');
  const said = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const { result, message, file, lost_files: lost } = said;
  if (result !== 'success' || typeof file !== 'string') throw new Error(String(message));
  return { file, lostFiles: Array.isArray(lost) ? lost.length : 0 };
}

async function backUp(parts: ScheduleParts, signal: AbortSignal): Promise<boolean> {
  const { into, log } = parts;
  try {
    const made = await makeArchive(parts, signal);
    await removeExpired(into, made.file, made.lostFiles);
    const fields = { file: made.file, lost: made.lostFiles };
    if (made.lostFiles > 0)
      log.warn('backed up, but for files that the data folder has lost', fields);
    else log.info('backed up', { file: made.file });
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (!signal.aborted) log.error('no backup was made', { into, reason });
    return false;
  }
}

/**
 * Makes an archive whenever the time has passed since it looked last, and one at once: what was missed while nothing ran
 * is made up for by that.
 * @returns ends it; settles when nothing of it runs any more
 */
export function startBackupSchedule(parts: ScheduleParts): () => Promise<void> {
  const stopping = new AbortController();
  let madeAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> = Promise.resolve();
  let isBusy = false;
  const look = async (): Promise<void> => {
    const now = new Date();
    if (!isDue(parts.at, madeAt, now) || isPausing(failedAt, RETRY_MS, now)) return;
    if (await backUp(parts, stopping.signal)) madeAt = now.getTime();
    else failedAt = Date.now();
  };
  const start = (): void => {
    if (isBusy) return;
    isBusy = true;
    underWay = look().finally(() => (isBusy = false));
  };
  start();
  const timer = setInterval(start, LOOK_EVERY_MS);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await underWay;
  };
}
