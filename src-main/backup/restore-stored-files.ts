/** Brings back what lies beside an archive. */
import { createHash } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveError } from './archive/archive-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import { type Bytes, readWhole } from './archive/byte-reader.ts';
import { fileBytes } from './archive/checked-file.ts';
import { gunzip } from './archive/gzip.ts';
import type { OpenedArchive } from './archive/read-archive.ts';
import { isStoredName, type StoredFile, storedPaths } from './archive/stored-files.ts';
import { isSafeName, type TarEntry } from './archive/tar.ts';
import { codeOf } from '#node/error-code.ts';

const MAX_LIST = 512 * 1024 * 1024;

export function isSizedFile(found: unknown): found is Pick<StoredFile, 'path' | 'sizeBytes'> {
  const { path, sizeBytes } = found as Readonly<Record<string, unknown>>;
  return (
    typeof path === 'string' &&
    path.startsWith('files/') &&
    isSafeName(path) &&
    Number.isSafeInteger(sizeBytes)
  );
}

function isStoredFile(found: unknown): found is StoredFile {
  const { sha256, name } = found as Readonly<Record<string, unknown>>;
  return (
    isSizedFile(found) &&
    typeof name === 'string' &&
    isStoredName(name) &&
    typeof sha256 === 'string'
  );
}

const damaged = (cause?: unknown): ArchiveError =>
  new ArchiveError('damaged', backupWords('archive_list_damaged'), cause);

/** @throws ArchiveError */
export const readStoredList = (entry: TarEntry): Promise<StoredFile[]> =>
  readList(entry, isStoredFile);

/** @throws ArchiveError */
export async function readList<Listed>(
  { sizeBytes, content }: TarEntry,
  isListed: (found: unknown) => found is Listed,
): Promise<Listed[]> {
  if (sizeBytes > MAX_LIST) throw damaged();
  const text = (await readWhole(content)).toString();
  try {
    const found: unknown = JSON.parse(text);
    if (Array.isArray(found) && found.every(isListed)) return found;
  } catch (error) {
    throw damaged(error);
  }
  throw damaged();
}

/** Troubles of the disk that is written to; whatever else goes wrong is damage of what is read. */
const TARGET_DISK_ERRORS = ['ENOSPC', 'EDQUOT', 'EROFS'];

type Unpack = (bytes: Bytes, sizeBytes: number) => Bytes;

/** How a file may have been sealed. What is not packed is soon refused by its first bytes. */
const UNPACKERS: readonly Unpack[] = [gunzip, (bytes) => bytes];

interface SealedFile {
  readonly file: string;
  readonly unpack: Unpack;
}

/** @returns false where the file is not there, is another one than was sealed, or has another form */
async function restoreFrom(
  partial: string,
  { unsealStream }: OpenedArchive,
  sealed: SealedFile,
  { path, sizeBytes, sha256 }: StoredFile,
): Promise<boolean> {
  const to = join(partial, ...path.split('/'));
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const handle = await open(to, 'wx', 0o600);
  const hash = createHash('sha256');
  let isWhole = false;
  try {
    const unsealed = await unsealStream(fileBytes(sealed.file));
    for await (const chunk of sealed.unpack(unsealed, sizeBytes)) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    isWhole = hash.digest('hex') === sha256;
  } catch (error) {
    if (TARGET_DISK_ERRORS.includes(codeOf(error))) throw error;
  } finally {
    await handle.close();
  }
  if (!isWhole) await rm(to);
  return isWhole;
}

export interface StoredFileSource {
  /** Where the archive is. */
  readonly folder: string;
  readonly stored: readonly StoredFile[];
  readonly signal: AbortSignal;
}

/** @returns how many of them could be read */
export async function restoreStoredFiles(
  partial: string,
  archive: OpenedArchive,
  { folder, stored, signal }: StoredFileSource,
): Promise<number> {
  let taken = 0;
  for (const each of stored) {
    signal.throwIfAborted();
    if (await restoreFromAny(partial, archive, await storedPaths(folder, each.name), each))
      taken += 1;
  }
  return taken;
}

async function restoreFromAny(
  partial: string,
  archive: OpenedArchive,
  files: readonly string[],
  stored: StoredFile,
): Promise<boolean> {
  for (const file of files) {
    for (const unpack of UNPACKERS) {
      if (await restoreFrom(partial, archive, { file, unpack }, stored)) return true;
    }
  }
  return false;
}
