/** A copy of an organization beside the service that may be running: a data folder as a stopped service leaves it. */
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isThere } from '#node/files/exists.ts';
import { copyPrivately, flushDirectory, flushTree } from '#node/files/durable-files.ts';
import type { BackupRequest } from '#hosting/options.ts';
import {
  alreadyThere,
  checkFolders,
  explained,
  gather,
  type Gathered,
  makePartial,
  wallTime,
} from './collect.ts';

export interface Backup extends Pick<Gathered, 'messages' | 'hasSecret' | 'lost'> {
  readonly folder: string;
  readonly sizeBytes: number;
}

/**
 * Copies an organization into a new folder, which has its name only when it is whole, checked and on disk.
 * @throws an Error of one sentence; then nothing is left of the copy
 */
export async function copyPlainly(
  { dataDir, into }: BackupRequest,
  now: Date,
  signal: AbortSignal,
): Promise<Backup> {
  await checkFolders(dataDir, into);
  const folder = join(into, `hearth-${wallTime(now)}`);
  if (await isThere(folder)) throw alreadyThere(folder);
  const partial = `${folder}.partial`;
  await makePartial(partial);
  try {
    const content = await gather({ dataDir, partial, take: copyPrivately, signal });
    const sizeBytes = await flushTree(partial);
    signal.throwIfAborted();
    await rename(partial, folder);
    await flushDirectory(into);
    return { folder, sizeBytes, ...content };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw explained(error, into);
  }
}
