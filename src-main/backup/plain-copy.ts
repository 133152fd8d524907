/** A copy of an organization beside the service that may be running: a data folder as a stopped service leaves it. */
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathExists } from '#node/files/exists.ts';
import { copyPrivately, flushDirectory, flushTree } from '#node/files/durable-files.ts';
import type { BackupRequest } from '#hosting/options/serve-options.ts';
import {
  copyExists,
  checkFolders,
  explainError,
  collect,
  type CollectedData,
  makeStagingFolder,
  localTimestamp,
} from './collect.ts';

export interface PlainCopy extends Pick<CollectedData, 'messages' | 'hasSecret' | 'lost'> {
  readonly folder: string;
  readonly sizeBytes: number;
}

/**
 * Copies an organization into a new folder, which has its name only when it is whole, checked and on disk.
 * @throws an Error of one sentence; then nothing is left of the copy
 */
export async function makePlainCopy(
  { dataDir, into }: BackupRequest,
  now: Date,
  signal: AbortSignal,
): Promise<PlainCopy> {
  await checkFolders(dataDir, into);
  const folder = join(into, `hearth-${localTimestamp(now)}`);
  if (await pathExists(folder)) throw copyExists(folder);
  const partial = `${folder}.partial`;
  await makeStagingFolder(partial);
  try {
    const content = await collect({ dataDir, partial, copy: copyPrivately, signal });
    const sizeBytes = await flushTree(partial);
    signal.throwIfAborted();
    await rename(partial, folder);
    await flushDirectory(into);
    return { folder, sizeBytes, ...content };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw explainError(error, into);
  }
}
