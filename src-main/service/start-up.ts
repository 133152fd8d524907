import { isDiskFull } from '#node/error-code.ts';
import { warnOfFullDisk } from './features/files/operations/disk-space.ts';
import { announceStart } from './features/organization/operations/start-notices.ts';
import type { DomainContext } from './core/ports/environment.ts';

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
