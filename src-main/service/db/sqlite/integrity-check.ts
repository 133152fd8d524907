/** Whether the pages of a database are what SQLite has written. */
import type Database from 'better-sqlite3';
import { statSync } from 'node:fs';

/** Up to this size a file is checked at every start; it takes well under a second. */
const CHECKED_BYTES = 64 * 1024 * 1024;

/**
 * @param tables  all of the file, where it does not name some
 * @returns true, too, of a file that is too large to be looked through
 */
export function isWhole(
  db: Database.Database,
  file: string,
  tables: readonly string[] = ['1'],
): boolean {
  if (statSync(file).size > CHECKED_BYTES) return true;
  // KiB: each page is looked at once.
  db.pragma('cache_size = -512');
  return tables.every((table) => db.pragma(`quick_check(${table})`, { simple: true }) === 'ok');
}
