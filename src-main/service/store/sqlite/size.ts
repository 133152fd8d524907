import { stat } from 'node:fs/promises';
import { codeOf } from '../../../platform/error-code.ts';

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0;
    throw error;
  }
}

/** Bytes on disk, with what is written and not in its place yet. */
export async function databaseSize(file: string): Promise<number> {
  const [own, log] = await Promise.all([sizeOf(file), sizeOf(`${file}-wal`)]);
  return own + log;
}
