import { isDiskFull } from '../platform/error-code.ts';
import { warnOfFullDisk } from './domain/files/room.ts';
import { announceStart } from './domain/organization/start.ts';
import type { DomainContext } from './domain/ports.ts';

/** On a full disk the service starts for reading: nobody is told then, and the log says why. */
export async function tellOfStart(
  parts: Parameters<typeof announceStart>[0],
  context: Pick<DomainContext, 'files' | 'nowSeconds'>,
): Promise<void> {
  const { log } = parts;
  try {
    await announceStart(parts, context.nowSeconds);
  } catch (reason) {
    if (!isDiskFull(reason)) throw reason;
    log.error('the disk is full: messages can be read, and none be sent until there is room');
  }
  await warnOfFullDisk(context, log);
}
