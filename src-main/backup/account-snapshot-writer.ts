/** Writes what was closed beside the archives, whenever that changes. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#node/clock.ts';
import { codeOf } from '#node/error-code.ts';
import type { Log } from '#node/log.ts';
import type { Store } from '#service/db/port.ts';
import {
  changedTextsFileName,
  isFolderMissing,
  readArchiveFolders,
  sealSidecar,
  snapshotFileName,
  writeSidecar,
} from './account-snapshot.ts';

export interface SnapshotWriterParts {
  readonly store: Store;
  readonly dataDir: string;
  readonly secret: Uint8Array;
  readonly clock: Clock;
  readonly log: Log;
}

export interface SnapshotWriter {
  /** Settles when what has changed so far is written. */
  readonly stop: () => Promise<void>;
}

/** Events of what `onDirectoryChange` does not tell of. */
const CLOSING: ReadonlySet<string> = new Set(['delete_message', 'update_message']);

/** A thousand changes at once are one file. */
const PAUSE_MS = 1000;

interface SnapshotTarget {
  readonly recipient: string;
  readonly restoreGeneration: number;
  readonly folders: readonly string[];
}

async function findSnapshotTarget({
  store,
  dataDir,
}: SnapshotWriterParts): Promise<SnapshotTarget | undefined> {
  const folders = await readArchiveFolders(dataDir);
  if (folders.length === 0) return undefined;
  const { readRecoveryKit } = await import('./archive/recovery-kit.ts');
  const kit = await readRecoveryKit(dataDir);
  if (kit === undefined) return undefined;
  return {
    recipient: kit.recipient,
    folders,
    restoreGeneration: (await store.findRestoreGeneration())?.n ?? 0,
  };
}

type Write = (place: SnapshotTarget) => Promise<void>;

/** Answers what writes the snapshot where it has changed since the last time. */
function accountSnapshotWriter({ store, secret, clock }: SnapshotWriterParts): Write {
  let written = '';
  return async ({ recipient, restoreGeneration, folders }) => {
    // Before what it says: what is written now must not count as later than an archive that knows more.
    const atSeconds = Math.floor(clock.now() / 1000);
    const standing = await store.readAccountSnapshot();
    const content = JSON.stringify([recipient, folders, restoreGeneration, standing]);
    if (content === written) return;
    const standings = { epoch: restoreGeneration, atSeconds, ...standing };
    const sealed = await sealSidecar('standing', standings, { recipient, secret });
    for (const folder of folders) {
      const file = join(folder, snapshotFileName(recipient, restoreGeneration));
      await writeSidecar(file, sealed).catch((error: unknown) => {
        if (!isFolderMissing(error)) throw error;
      });
    }
    written = content;
  };
}

/** The last file that was written into a folder, and how far the changes went that are there. */
interface WrittenFile {
  readonly file: string;
  readonly bytes: number;
  readonly throughEditId: number;
}

/** Whether another disk is there meanwhile, which lacks what was written. */
const isLost = async ({ file, bytes }: WrittenFile): Promise<boolean> =>
  (await stat(file).catch(() => undefined))?.size !== bytes;

/** Answers what writes the parts of changed texts that are not beside the archives, or have grown. */
function changedTextsWriter({ store, secret }: SnapshotWriterParts): Write {
  const written = new Map<string, WrittenFile>();

  async function writeInto(
    folder: string,
    { recipient, restoreGeneration }: SnapshotTarget,
  ): Promise<void> {
    const throughEditId = await store.findNewestEditId();
    const key = changedTextsFileName(recipient, { epoch: restoreGeneration, part: 0 }) + folder;
    const before = written.get(key);
    const known = before === undefined || (await isLost(before)) ? undefined : before;
    if (known?.throughEditId === throughEditId) return;
    const present = new Set(await readdir(folder));
    const names = (await store.listEditParts(known?.throughEditId ?? 0)).map(
      (part) =>
        [part, changedTextsFileName(recipient, { epoch: restoreGeneration, part })] as const,
    );
    // The last one that is there may have been written before it was full.
    const lastPresent = names.findLastIndex(([, name]) => present.has(name));
    for (const [index, [part, name]] of names.entries()) {
      if (index < lastPresent && present.has(name)) continue;
      const edits = await store.listEditsOfPart(part);
      const sealed = await sealSidecar(
        'edits',
        { epoch: restoreGeneration, part, edits },
        { recipient, secret },
      );
      const file = join(folder, name);
      await writeSidecar(file, sealed);
      written.set(key, { file, bytes: sealed.byteLength, throughEditId });
    }
  }

  return async (place) => {
    for (const folder of place.folders) {
      await writeInto(folder, place).catch((error: unknown) => {
        if (!isFolderMissing(error)) throw error;
      });
    }
  };
}

function writer(parts: SnapshotWriterParts): () => Promise<void> {
  const writes = [accountSnapshotWriter(parts), changedTextsWriter(parts)];
  return async () => {
    const place = await findSnapshotTarget(parts);
    if (place === undefined) return;
    for (const write of writes) await write(place);
  };
}

/** Begins with a look: a process that was killed may have written nothing of its last change. */
export function startSnapshotWriter(parts: SnapshotWriterParts): SnapshotWriter {
  const { store, clock, log } = parts;
  const write = writer(parts);
  let isStale = false;
  let isStopped = false;
  let running: Promise<void> | undefined;
  let endPause = (): void => undefined;

  function pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.setTimer(resolve, PAUSE_MS);
      endPause = () => {
        cancel();
        resolve();
      };
    });
  }

  async function run(): Promise<void> {
    while (isStale) {
      isStale = false;
      try {
        await write();
      } catch (error) {
        const reason = codeOf(error);
        log.warn('the account snapshot could not be written beside the archives', { reason });
      }
      if (!isStopped) await pause();
    }
  }

  function changed(): void {
    isStale = true;
    if (isStopped) return;
    running ??= run().finally(() => {
      running = undefined;
      if (isStale) changed();
    });
  }

  store.onDirectoryChange(changed);
  store.onCommit((events) => {
    if (events.some(({ type }) => CLOSING.has(type))) changed();
  });
  changed();
  return {
    async stop() {
      isStopped = true;
      endPause();
      await running;
      // What changed while it paused for the last time.
      await run();
    },
  };
}
