/** Brings back what lies beside an archive. */
import { createHash } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { wholeOf } from '../archive/byte-reader.ts';
import { fileBytes } from '../archive/checked-file.ts';
import { ArchiveError, type OpenedArchive } from '../archive/read-archive.ts';
import { isStoredName, type StoredFile, storedPaths } from '../archive/stored-files.ts';
import { isSafeName, type TarEntry } from '../archive/tar.ts';
import { codeOf } from '../platform/error-code.ts';

const MAX_LIST = 512 * 1024 * 1024;

function isStoredFile(found: unknown): found is StoredFile {
  const { path, sizeBytes, sha256, name } = found as Readonly<Record<string, unknown>>;
  return (
    typeof path === 'string' &&
    path.startsWith('files/') &&
    isSafeName(path) &&
    typeof name === 'string' &&
    isStoredName(name) &&
    Number.isSafeInteger(sizeBytes) &&
    typeof sha256 === 'string'
  );
}

const damaged = (cause?: unknown): ArchiveError =>
  new ArchiveError('damaged', "The list of the archive's files is damaged.", cause);

/** @throws ArchiveError */
export async function readStoredList({ sizeBytes, content }: TarEntry): Promise<StoredFile[]> {
  if (sizeBytes > MAX_LIST) throw damaged();
  const text = (await wholeOf(content)).toString();
  try {
    const found: unknown = JSON.parse(text);
    if (Array.isArray(found) && found.every(isStoredFile)) return found;
  } catch (error) {
    throw damaged(error);
  }
  throw damaged();
}

/** Troubles of the disk that is written to; whatever else goes wrong is damage of what is read. */
const TARGET_TROUBLES = ['ENOSPC', 'EDQUOT', 'EROFS'];

/** @returns false where the file is not there, or is another one than was sealed */
async function takeOne(
  partial: string,
  { unsealStream }: OpenedArchive,
  sealed: string,
  { path, sha256 }: StoredFile,
): Promise<boolean> {
  const to = join(partial, ...path.split('/'));
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const handle = await open(to, 'wx', 0o600);
  const hash = createHash('sha256');
  let isWhole = false;
  try {
    for await (const chunk of await unsealStream(fileBytes(sealed))) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    isWhole = hash.digest('hex') === sha256;
  } catch (error) {
    if (TARGET_TROUBLES.includes(codeOf(error))) throw error;
  } finally {
    await handle.close();
  }
  if (!isWhole) await rm(to);
  return isWhole;
}

export interface Beside {
  /** Where the archive is. */
  readonly folder: string;
  readonly stored: readonly StoredFile[];
  readonly signal: AbortSignal;
}

/** @returns how many of them could be read */
export async function takeBeside(
  partial: string,
  archive: OpenedArchive,
  { folder, stored, signal }: Beside,
): Promise<number> {
  let taken = 0;
  for (const each of stored) {
    signal.throwIfAborted();
    for (const sealed of await storedPaths(folder, each.name)) {
      if (!(await takeOne(partial, archive, sealed, each))) continue;
      taken += 1;
      break;
    }
  }
  return taken;
}
