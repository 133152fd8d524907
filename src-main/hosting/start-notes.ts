/** What every start of a service writes into its data folder for others. On a full disk that of before stays. */
import { join } from 'node:path';
import { replaceFile } from '#node/files/durable-files.ts';
import { isDiskFull } from '#node/error-code.ts';
import type { Log } from '#node/log.ts';
import { AUTHORITY_FILE } from '#node/tls/server-identity.ts';
import { SERVING_FILE, type ServingState, writeState } from '#node/migration/transfer-files.ts';

interface NotesTarget {
  readonly dataDir: string;
  readonly log: Log;
}

async function unlessFull(
  { dataDir, log }: NotesTarget,
  name: string,
  write: (file: string) => Promise<void>,
): Promise<void> {
  try {
    await write(join(dataDir, name));
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    log.warn(`the disk of ${dataDir} is full: ${name} there stays as it was`);
  }
}

/** For whoever gives it to other programs and computers: it is no secret. */
export const writeAuthorityFile = (place: NotesTarget, authority: string): Promise<void> =>
  unlessFull(place, AUTHORITY_FILE, (file) => replaceFile(file, authority, 0o644));

/** For commands on this computer. */
export const writeServingFile = (place: NotesTarget, serving: ServingState): Promise<void> =>
  unlessFull(place, SERVING_FILE, (file) => writeState(file, serving));
