import { readFileSync } from 'node:fs';

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const SALT_BYTES = 8;

/**
 * Transactions in the write-ahead log of a database since its last reset: how often a process commits, seen from
 * outside of it. (The last frame of a transaction carries the size of the database, the others 0:
 * https://sqlite.org/fileformat2.html#walformat.)
 */
export function countCommits(databaseFile: string): number {
  const wal = readFileSync(`${databaseFile}-wal`);
  if (wal.length < HEADER_BYTES) return 0;
  const frameBytes = FRAME_HEADER_BYTES + wal.readUInt32BE(8);
  const salt = wal.subarray(16, 16 + SALT_BYTES);
  let commits = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= wal.length; at += frameBytes) {
    // What follows is left over from before the reset.
    if (!wal.subarray(at + 8, at + 8 + SALT_BYTES).equals(salt)) break;
    if (wal.readUInt32BE(at + 4) !== 0) commits++;
  }
  return commits;
}
