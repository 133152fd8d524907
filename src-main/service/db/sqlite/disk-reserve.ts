/** Room that is given up when the disk is full, so that a start still finds what reading needs: SQLite shares memory by a file. */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

const RESERVE_BYTES = 1024 ** 2;
const STEP_BYTES = 64 * 1024;

const reserveOf = (file: string): string => join(dirname(file), 'hearth-reserve');

/** @param file  the database */
export const giveUpReserve = (file: string): void => rmSync(reserveOf(file), { force: true });

function fill(handle: number): void {
  let size = fstatSync(handle).size;
  if (size >= RESERVE_BYTES) return;
  while (size < RESERVE_BYTES) {
    // A file system that compresses would keep no room for zeros.
    size += writeSync(handle, randomBytes(Math.min(STEP_BYTES, RESERVE_BYTES - size)));
  }
  fsyncSync(handle);
}

/** Takes the room, or as much of it as there is. @param file  the database */
export function keepReserve(file: string): void {
  try {
    const handle = openSync(reserveOf(file), 'a', 0o600);
    try {
      fill(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Everything works without it.
  }
}
