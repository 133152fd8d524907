import type { Clock } from '#node/clock.ts';
import { isDiskFull } from '#node/error-code.ts';
import type { Log } from '#node/log.ts';
import { warnOfFullDisk } from './features/files/operations/disk-space.ts';
import { startOrphanSweep } from './features/files/operations/orphaned-files.ts';
import { announceStart } from './features/organization/operations/start-notices.ts';
import { startHourly } from './core/hourly.ts';
import type { DomainContext, FileStore } from './core/ports/environment.ts';
import type { Store } from './db/port.ts';

/** On a full disk the service starts for reading: nobody is told then, and the log says what to do. */
export async function announceServiceStart(
  parts: Parameters<typeof announceStart>[0],
  context: Pick<DomainContext, 'files' | 'nowSeconds'>,
): Promise<void> {
  const { log } = parts;
  try {
    await announceStart(parts, context.nowSeconds);
    await warnOfFullDisk(context, log);
  } catch (reason) {
    if (!isDiskFull(reason)) throw reason;
    const { folder } = await context.files.room();
    log.error(
      `the disk of ${folder} is full: everything can be read, and nothing be written. Delete something there, or move it to another disk: then writing goes on by itself`,
    );
  }
}

interface SweepParts {
  readonly store: Store;
  readonly files: FileStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Removes hourly what nobody needs any more; answers what ends that. @param sweeps  by what each of them removes */
export async function startSweeps(
  sweeps: Readonly<Record<string, () => Promise<void>>>,
  parts: SweepParts,
): Promise<() => Promise<void>> {
  const stops = Object.entries(sweeps).map(([what, sweep]) =>
    startHourly(`the sweep of ${what}`, sweep, parts),
  );
  stops.push(await startOrphanSweep(parts));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
