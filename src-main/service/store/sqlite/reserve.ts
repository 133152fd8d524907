/** Room that is given up when the disk is full, so that a start still finds what reading needs: SQLite shares memory by a file. */
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

const RESERVE_BYTES = 1024 ** 2;
/** With less the disk is about to be full, and the reserve would take what is left. */
const PLENTY = 16 * RESERVE_BYTES;

const reserveOf = (file: string): string => join(dirname(file), 'hearth-reserve');

/** @param file  the database @returns whether there is more room now */
export function giveUpReserve(file: string): boolean {
  const reserve = reserveOf(file);
  const isThere = existsSync(reserve);
  rmSync(reserve, { force: true });
  return isThere;
}

/** Takes the room while there is plenty. @param file  the database */
export function keepReserve(file: string): void {
  const reserve = reserveOf(file);
  if (existsSync(reserve)) return;
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    if (bavail * bsize < PLENTY) return;
    const handle = openSync(reserve, 'wx', 0o600);
    try {
      writeSync(handle, Buffer.alloc(RESERVE_BYTES));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Everything works without it.
  }
}
