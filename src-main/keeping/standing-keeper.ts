/** Writes everybody's standing, and what was deleted, beside the archives, whenever it changes. */
import type { Clock } from '../platform/clock.ts';
import { codeOf } from '../platform/error-code.ts';
import type { Log } from '../platform/log.ts';
import type { Store } from '../service/store/port.ts';
import { isAway, readArchiveFolders, sealStandings, writeStandings } from './standing.ts';

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

/** A thousand changes at once are one file. */
const PAUSE_MS = 1000;

/** Answers what writes it where it has changed since the last time. */
function writer({ store, dataDir, secret, clock }: StandingKeeperParts): () => Promise<void> {
  let written = '';
  return async () => {
    const folders = await readArchiveFolders(dataDir);
    if (folders.length === 0) return;
    const { readRecoveryKit } = await import('../archive/recovery-kit.ts');
    const kit = await readRecoveryKit(dataDir);
    if (kit === undefined) return;
    const { recipient } = kit;
    // Before what it says: what is written now must not count as later than an archive that knows more.
    const atSeconds = Math.floor(clock.now() / 1000);
    const newestDeviceId = await store.findNewestDeviceId();
    const [accounts, deviceIds] = [await store.listStandings(), await store.listDeviceIds()];
    const epoch = (await store.findEpoch())?.n ?? 0;
    const deletedIds = await store.listDeletedIds();
    const content = JSON.stringify([recipient, folders, epoch, accounts, deviceIds, deletedIds]);
    if (content === written) return;
    const standings = { epoch, atSeconds, accounts, deviceIds, newestDeviceId, deletedIds };
    const sealed = await sealStandings(standings, recipient, secret);
    for (const folder of folders) {
      await writeStandings(folder, recipient, epoch, sealed).catch((error: unknown) => {
        if (!isAway(error)) throw error;
      });
    }
    written = content;
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
        log.warn('who was shut out could not be kept beside the archives', { reason });
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
    if (events.some(({ type }) => type === 'delete_message')) changed();
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
