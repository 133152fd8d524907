/** Which archive of an organization is the newest, and whether it is new enough. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeState } from '#node/migration/transfer-files.ts';
import { readIfThere } from '#node/files/read-if-exists.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import { newestArchive } from './retention.ts';

/** In the data folder; no archive has it. */
const LAST_FILE = 'last-archive.json';

const LastArchive = z.object({
  file: z.string(),
  /** UNIX seconds. */
  madeAtSeconds: z.int(),
});
export type LastArchive = z.output<typeof LastArchive>;

export const writeLastArchive = (dataDir: string, made: LastArchive): Promise<void> =>
  writeState(join(dataDir, LAST_FILE), made);

/** Undefined where none was made of the folder, or what is remembered cannot be read. */
export async function readLastArchive(dataDir: string): Promise<LastArchive | undefined> {
  const text = (await readIfThere(join(dataDir, LAST_FILE)))?.toString() ?? 'null';
  try {
    return LastArchive.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

async function newestIn(folder: string): Promise<LastArchive | undefined> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new ExplainedError(backupWords('folder_not_readable', { folder }), { cause: error });
  });
  const newest = newestArchive(names);
  if (newest === undefined) return undefined;
  return {
    file: join(folder, newest.fileName),
    madeAtSeconds: Math.floor(newest.madeAt.getTime() / 1000),
  };
}

const OLD_SECONDS = 2 * 24 * 60 * 60;
const HOUR_SECONDS = 60 * 60;

export interface BackupCheck {
  readonly isRecent: boolean;
  /** One sentence. */
  readonly line: string;
  /** Undefined where there is none. */
  readonly archive: LastArchive | undefined;
}

const ageText = (seconds: number): string => {
  const hours = Math.max(0, Math.floor(seconds / HOUR_SECONDS));
  return hours < 48 ? `${String(hours)} h` : `${String(Math.floor(hours / 24))} days`;
};

/**
 * Looks for the newest archive, which has to be of the last two days.
 * @param folder  null for the last one that was made of the data folder, wherever it went
 * @throws ExplainedError where the folder cannot be read
 */
export async function checkBackups(
  dataDir: string,
  folder: string | null,
  now: Date,
): Promise<BackupCheck> {
  const where = folder === null ? `of ${dataDir}` : `in ${folder}`;
  const archive = folder === null ? await readLastArchive(dataDir) : await newestIn(folder);
  if (archive === undefined) {
    return { isRecent: false, line: `There is no backup ${where}.`, archive };
  }
  const isThere = await stat(archive.file).then(
    ({ size }) => size > 0,
    () => false,
  );
  if (!isThere) {
    return { isRecent: false, line: `The newest backup is gone: ${archive.file}`, archive };
  }
  const age = now.getTime() / 1000 - archive.madeAtSeconds;
  const line = `The newest backup ${where} is ${ageText(age)} old: ${archive.file}`;
  return { isRecent: age <= OLD_SECONDS, line, archive };
}
