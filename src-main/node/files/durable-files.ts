/** Copies that are on disk when they are announced. */
import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Only its owner can read the copy, whoever can read the file. It shares blocks with the file where the file system
 * copies them when one of both is written; never the file itself, as a hard link would, because what damages one
 * would then damage both.
 */
export async function copyPrivately(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(to, 0o600);
}

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Settles when what was written to a file is on disk. */
export const flushFile = (path: string): Promise<void> => flush(path, 'r+');

/** Settles when the names in a folder are on disk. Windows has no way to flush a directory, and needs none. */
export async function flushDirectory(directory: string): Promise<void> {
  if (process.platform !== 'win32') await flush(directory, 'r');
}

/** The whole file is on disk when this settles, or what was there before is. */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  mode: number,
): Promise<void> {
  const temporary = `${file}.new`;
  try {
    await writeFile(temporary, content, { mode });
    await flushFile(temporary);
    await rename(temporary, file);
  } catch (error) {
    // On a full disk half of it would take what room is left.
    await rm(temporary, { force: true });
    throw error;
  }
  await flushDirectory(dirname(file));
}

/** The same for a file that only its owner can read. */
export const replacePrivately = (file: string, content: string | Uint8Array): Promise<void> =>
  replaceFile(file, content, 0o600);

/** Settles when a folder is on disk with all that is in it; answers the bytes of its files. */
export async function flushTree(directory: string): Promise<number> {
  let sizeBytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      sizeBytes += await flushTree(path);
      continue;
    }
    await flush(path, 'r+');
    sizeBytes += (await stat(path)).size;
  }
  await flushDirectory(directory);
  return sizeBytes;
}
