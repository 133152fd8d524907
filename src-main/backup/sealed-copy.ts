/** An organization as one sealed archive, made beside the service that may be running. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { gzipFile } from './archive/gzip.ts';
import {
  type KnownRecoveryKit,
  loadRecoveryKit,
  readRecoveryKit,
  type RecoveryKit,
  replaceRecoveryKit,
} from './archive/recovery-kit.ts';
import { storeFiles } from './archive/stored-files.ts';
import type { TarSource } from './archive/tar.ts';
import { ARCHIVE_ENDING, writeArchive } from './archive/write-archive.ts';
import { DATABASE, databaseIn } from '#node/files/data-folder.ts';
import { pathExists } from '#node/files/exists.ts';
import { flushDirectory } from '#node/files/durable-files.ts';
import { codeOf, isDiskFull } from '#node/error-code.ts';
import { SECRET_FILE } from '#node/tls/server-identity.ts';
import { readIdentityKeyFile } from '#service/security/identity-key-file.ts';
import { readSecret } from '#service/security/secret-file.ts';
import { type ArchiveSummary, archiveSummaryText } from './archive-description.ts';
import {
  linkOrCopy,
  checkFolders,
  explainError,
  collect,
  type CollectedData,
  localTimestamp,
} from './collect.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import { type LastArchive, writeLastArchive } from './last-archive.ts';
import { fileSources, packFiles, textSource } from './compressed-files.ts';
import { rememberArchiveFolder } from './account-snapshot.ts';
import { withHostKeys } from './next-identity-key.ts';

export interface SealedArchiveRequest {
  readonly dataDir: string;
  /** The folder that gets the archive. */
  readonly into: string;
  /** Of Hearth, as the archive tells it. */
  readonly version: string;
  /**
   * The office's secret, where what was uploaded is to lie beside the archives of the folder, once for all of them; null
   * where the archive is to have its files itself.
   */
  readonly filesBeside: Uint8Array | null;
}

export interface SealedArchive extends Pick<CollectedData, 'messages' | 'lost'> {
  readonly file: string;
  readonly sizeBytes: number;
  /** Opens the archives from now on, where there was none before: it has to be told, and is kept nowhere. */
  readonly newCode: string | null;
  /** Whether it has the keys of the office: without them everybody signs in anew after a restore. */
  readonly hasKeys: boolean;
  /** What else there is to say, as sentences. */
  readonly notes: readonly string[];
}

export const PACKED_DATABASE = 'hearth.db.gz';
/** In the sealed office: which file beside the archive is which of its own. */
export const STORED_LIST = 'stored-files.json';
/** Begins the name of a folder of what is not whole yet, before the number of its process. */
export const STAGING_PREFIX = 'gathering-';

/** What every file system can write, and a person still recognizes. */
export function archiveName(name: string, now: Date): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  // Names of files end at 255 bytes; a letter takes up to four.
  const short = Array.from(plain).slice(0, 40).join('');
  return `${short === '' ? 'office' : short}-${localTimestamp(now)}${ARCHIVE_ENDING}`;
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** What a process that was killed has left in a folder. */
async function clearStagingFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(STAGING_PREFIX)) continue;
    const pid = Number(name.slice(STAGING_PREFIX.length).split('-')[0]);
    if (!isRunning(pid)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * First what it is, then the messages, then the files: a damaged archive is readable up to the damage.
 * @param partial  has the database as `about` says it
 */
export async function archiveEntries(
  partial: string,
  about: ArchiveSummary,
  files: readonly TarSource[],
): Promise<TarSource[]> {
  const isDevelopment = await pathExists(join(partial, 'development'));
  const database = about.databaseBytes === undefined ? DATABASE : PACKED_DATABASE;
  const names = [database, ...(isDevelopment ? ['development'] : [])];
  const first = textSource('about.json', archiveSummaryText(about));
  return [first, ...(await fileSources(partial, names)), ...files];
}

interface ArchiveParts {
  readonly office: readonly TarSource[];
  readonly stored: readonly string[] | null;
}

/** What goes into the archive, once what goes beside it is there. */
async function archivePartsOf(
  { request, signal, stagingFolder }: SealingJob,
  { about, files, kit: { recipient } }: CollectedContent,
): Promise<ArchiveParts> {
  const { into: folder, filesBeside: key } = request;
  if (key === null)
    return { office: await archiveEntries(stagingFolder, about, files), stored: null };
  const stored = await storeFiles({ folder, key, recipient, signal }, files);
  const list = textSource(STORED_LIST, JSON.stringify(stored));
  return {
    office: await archiveEntries(stagingFolder, about, [list]),
    stored: [...new Set(stored.map(({ name }) => name))],
  };
}

/** Takes the next second that has no archive yet: names tell times apart by seconds. */
async function freeName(into: string, name: string, now: Date): Promise<string> {
  for (let at = now.getTime(); ; at += 1000) {
    const file = join(into, archiveName(name, new Date(at)));
    if (!(await pathExists(file)) && !(await pathExists(`${file}.partial`))) return file;
  }
}

/** With the keys as they are now where they lie in the folder; else as the host sealed them last. */
async function kitWithKeys(
  { request: { dataDir }, stagingFolder }: SealingJob,
  kit: RecoveryKit,
): Promise<RecoveryKit> {
  const secret = await readSecret(join(stagingFolder, SECRET_FILE));
  if (secret === undefined) return kit;
  const officeKey = (await readIdentityKeyFile(stagingFolder))?.exported() ?? null;
  return replaceKeys(dataDir, kit, { secret: Buffer.from(secret).toString('hex'), officeKey });
}

let made = 0;

interface SealingJob {
  readonly request: SealedArchiveRequest;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly stagingFolder: string;
}

/** There is none where the archive was to be put together. */
class DiskFullError extends Error {
  override readonly name = 'NoRoom';
}

interface CollectedContent {
  readonly about: ArchiveSummary;
  readonly data: CollectedData;
  /** What goes into the archive, or beside it. */
  readonly files: readonly TarSource[];
  readonly kit: RecoveryKit;
  readonly newCode: string | null;
}

/** @returns how long it was */
async function packDatabase({ stagingFolder, signal }: SealingJob): Promise<number> {
  const database = databaseIn(stagingFolder);
  const { size } = await stat(database);
  await gzipFile(database, join(stagingFolder, PACKED_DATABASE), signal);
  await rm(database);
  return size;
}

/** Everything that is to be sealed. @throws DiskFullError */
async function collectContent(sealing: SealingJob): Promise<CollectedContent> {
  const { request, now, signal, stagingFolder } = sealing;
  const { dataDir, version } = request;
  try {
    await mkdir(stagingFolder, { mode: 0o700 });
    const data = await collect({ dataDir, partial: stagingFolder, copy: linkOrCopy, signal });
    const { kit: known, newCode } = await kitIn(dataDir);
    const kit = await kitWithKeys(sealing, known);
    const { name, messages } = data;
    const about: ArchiveSummary = {
      name,
      messages,
      version,
      madeAt: now.toISOString(),
      files: data.files.length,
      databaseBytes: await packDatabase(sealing),
    };
    const names = data.files.map((path) => path.join('/'));
    const files =
      request.filesBeside === null
        ? await packFiles(stagingFolder, names, signal)
        : await fileSources(stagingFolder, names);
    return { about, data, files, kit, newCode };
  } catch (error) {
    if (isDiskFull(error)) throw new DiskFullError('', { cause: error });
    throw explainError(error, dataDir);
  }
}

/** A code that is kept nowhere would open no archive. */
async function kitIn(dataDir: string): Promise<KnownRecoveryKit> {
  try {
    return await loadRecoveryKit(dataDir);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    throw new ExplainedError(backupWords('recovery_code_not_kept', { folder: dataDir }));
  }
}

/** The archive is whole without what reminds of it. @returns what could not be written down, as a sentence */
async function noteArchive(dataDir: string, made: LastArchive): Promise<readonly string[]> {
  try {
    await rememberArchiveFolder(dataDir, dirname(made.file));
    await writeLastArchive(dataDir, made);
    return [];
  } catch (error) {
    return [
      backupWords('last_archive_not_noted', { folder: dataDir, code: codeOf(error) }).message,
    ];
  }
}

async function sealArchive(sealing: SealingJob): Promise<SealedArchive> {
  const { request, now, signal } = sealing;
  const { dataDir, into } = request;
  const collected = await collectContent(sealing);
  const { data, kit, newCode } = collected;
  const { name, messages, lost } = data;
  const { office, stored } = await archivePartsOf(sealing, collected);
  const file = await freeName(into, name, now);
  const partial = `${file}.partial`;
  try {
    const madeAtSeconds = Math.floor(now.getTime() / 1000);
    const { recipient, code, keys } = kit;
    const content = { recipient, code, keys, office, stored, madeAtSeconds };
    const sizeBytes = await writeArchive(partial, content, signal);
    await rename(partial, file);
    await flushDirectory(into);
    const notes = await noteArchive(dataDir, { file: resolve(file), madeAtSeconds });
    return { file, sizeBytes, messages, lost, newCode, hasKeys: keys !== null, notes };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

interface StagingPlace {
  readonly stagingFolder: string;
  /** What is to be said of an archive that was put together there. */
  readonly notes: readonly string[];
}

/**
 * Where what is not sealed yet may lie, the best first: nobody else reads the data folder, and where the disk of that has no
 * room, a folder of this computer comes before one that may be carried away.
 */
function* stagingPlaces({ dataDir, into }: SealedArchiveRequest): Generator<StagingPlace> {
  const name = `${STAGING_PREFIX}${String(process.pid)}-${String((made += 1))}`;
  const full = backupWords('sealed_elsewhere', { folder: dataDir }).message;
  const unsealed = backupWords('sealed_in_target', { folder: dataDir, into }).message;
  const ownName = `hearth-${name}-${randomBytes(6).toString('hex')}`;
  yield { stagingFolder: join(dataDir, name), notes: [] };
  yield { stagingFolder: join(tmpdir(), ownName), notes: [full] };
  yield { stagingFolder: join(into, name), notes: [unsealed] };
}

/**
 * Seals an organization into a new file, which has its name only when it is whole, on disk and read again.
 * @throws an Error of one sentence; then nothing is left of the archive
 */
export async function makeSealedArchive(
  request: SealedArchiveRequest,
  now: Date,
  signal: AbortSignal,
): Promise<SealedArchive> {
  const { dataDir, into } = request;
  await checkFolders(dataDir, into);
  await clearStagingFolders(dataDir);
  await clearStagingFolders(into);
  let full: unknown;
  for (const { stagingFolder, notes } of stagingPlaces(request)) {
    try {
      const sealed = await sealArchive({ request, now, signal, stagingFolder });
      return { ...sealed, notes: [...notes, ...sealed.notes] };
    } catch (error) {
      if (!(error instanceof DiskFullError)) throw explainError(error, into);
      full = error.cause;
    } finally {
      await rm(stagingFolder, { recursive: true, force: true });
    }
  }
  throw explainError(full, into);
}

interface HeldKeys {
  readonly secret: string;
  readonly officeKey: string | null;
}

/** What is the same already is not written again. */
async function replaceKeys(
  dataDir: string,
  kit: RecoveryKit,
  keys: HeldKeys,
): Promise<RecoveryKit> {
  const next = await withHostKeys(kit, keys);
  if (next === kit) return next;
  await replaceRecoveryKit(dataDir, next).catch((error: unknown) => {
    // The next archive has them written down: this one has them all the same.
    if (!isDiskFull(error)) throw error;
  });
  return next;
}

/**
 * Keeps the keys of a host that has them elsewhere, as in a keychain, for the archives that other processes make. Without a
 * recovery code there is nothing to seal them with: that is made by whoever can show it to somebody.
 */
export async function sealHostKeys(dataDir: string, keys: HeldKeys): Promise<void> {
  const kit = await readRecoveryKit(dataDir);
  if (kit !== undefined) await replaceKeys(dataDir, kit, keys);
}
