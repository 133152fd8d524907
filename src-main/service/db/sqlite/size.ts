import { stat } from 'node:fs/promises';
import { codeOf } from '#node/error-code.ts';
import { nextSearchFileOf, searchFileOf } from './search-file.ts';

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** Bytes on disk, with the search index and with what is written and not in its place yet. */
export async function databaseSize(file: string): Promise<number> {
  const files = [file, searchFileOf(file), nextSearchFileOf(file)].flatMap((each) => [
    each,
    `${each}-wal`,
  ]);
  const sizes = await Promise.all(files.map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}
