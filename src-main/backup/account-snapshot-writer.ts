/** Writes what was closed beside the archives, whenever that changes. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#node/clock.ts';
import { codeOf } from '#node/error-code.ts';
import type { Log } from '#node/log.ts';
import type { Store } from '#service/db/port.ts';
import {
  editsFile,
  isAway,
  readArchiveFolders,
  sealBeside,
  standingFile,
  writeBeside,
} from './account-snapshot.ts';

export interface StandingKeeperParts {
  readonly store: Store;
  readonly dataDir: string;
  readonly secret: Uint8Array;
  readonly clock: Clock;
  readonly log: Log;
}

export interface StandingKeeper {
  /** Settles when what has changed so far is written. */
  readonly stop: () => Promise<void>;
}

/** Events of what `onDirectoryChange` does not tell of. */
const CLOSING: ReadonlySet<string> = new Set(['delete_message', 'update_message']);

/** A thousand changes at once are one file. */
const PAUSE_MS = 1000;

interface Place {
  readonly recipient: string;
  readonly epoch: number;
  readonly folders: readonly string[];
}

async function findPlace({ store, dataDir }: StandingKeeperParts): Promise<Place | undefined> {
  const folders = await readArchiveFolders(dataDir);
  if (folders.length === 0) return undefined;
  const { readRecoveryKit } = await import('./archive/recovery-kit.ts');
  const kit = await readRecoveryKit(dataDir);
  if (kit === undefined) return undefined;
  return { recipient: kit.recipient, folders, epoch: (await store.findEpoch())?.n ?? 0 };
}

type Write = (place: Place) => Promise<void>;

/** Answers what writes the standing where it has changed since the last time. */
function standingWriter({ store, secret, clock }: StandingKeeperParts): Write {
  let written = '';
  return async ({ recipient, epoch, folders }) => {
    // Before what it says: what is written now must not count as later than an archive that knows more.
    const atSeconds = Math.floor(clock.now() / 1000);
    const standing = await store.findStanding();
    const content = JSON.stringify([recipient, folders, epoch, standing]);
    if (content === written) return;
    const standings = { epoch, atSeconds, ...standing };
    const sealed = await sealBeside('standing', standings, { recipient, secret });
    for (const folder of folders) {
      const file = join(folder, standingFile(recipient, epoch));
      await writeBeside(file, sealed).catch((error: unknown) => {
        if (!isAway(error)) throw error;
      });
    }
    written = content;
  };
}

/** The last file that was written into a folder, and how far the changes went that are there. */
interface Written {
  readonly file: string;
  readonly bytes: number;
  readonly throughEditId: number;
}

/** Whether another disk is there meanwhile, which lacks what was written. */
const isLost = async ({ file, bytes }: Written): Promise<boolean> =>
  (await stat(file).catch(() => undefined))?.size !== bytes;

/** Answers what writes the parts of changed texts that are not beside the archives, or have grown. */
function editsWriter({ store, secret }: StandingKeeperParts): Write {
  const written = new Map<string, Written>();

  async function writeInto(folder: string, { recipient, epoch }: Place): Promise<void> {
    const throughEditId = await store.findNewestEditId();
    const key = editsFile(recipient, { epoch, part: 0 }) + folder;
    const before = written.get(key);
    const known = before === undefined || (await isLost(before)) ? undefined : before;
    if (known?.throughEditId === throughEditId) return;
    const present = new Set(await readdir(folder));
    const names = (await store.listEditParts(known?.throughEditId ?? 0)).map(
      (part) => [part, editsFile(recipient, { epoch, part })] as const,
    );
    // The last one that is there may have been written before it was full.
    const lastPresent = names.findLastIndex(([, name]) => present.has(name));
    for (const [index, [part, name]] of names.entries()) {
      if (index < lastPresent && present.has(name)) continue;
      const edits = await store.listEditsOfPart(part);
      const sealed = await sealBeside('edits', { epoch, part, edits }, { recipient, secret });
      const file = join(folder, name);
      await writeBeside(file, sealed);
      written.set(key, { file, bytes: sealed.byteLength, throughEditId });
    }
  }

  return async (place) => {
    for (const folder of place.folders) {
      await writeInto(folder, place).catch((error: unknown) => {
        if (!isAway(error)) throw error;
      });
    }
  };
}

function writer(parts: StandingKeeperParts): () => Promise<void> {
  const writes = [standingWriter(parts), editsWriter(parts)];
  return async () => {
    const place = await findPlace(parts);
    if (place === undefined) return;
    for (const write of writes) await write(place);
  };
}

/** Begins with a look: a process that was killed may have written nothing of its last change. */
export function keepStandings(parts: StandingKeeperParts): StandingKeeper {
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
        log.warn('what was closed could not be kept beside the archives', { reason });
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
