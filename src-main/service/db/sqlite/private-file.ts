import { chmodSync, closeSync, openSync } from 'node:fs';

/**
 * Lets nobody else read the database, whatever the umask: SQLite gives the files that it makes beside it the same rights.
 * What cannot be changed, SQLite says better.
 */
export function keepPrivate(file: string): void {
  for (const each of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      if (each === file) closeSync(openSync(file, 'a', 0o600));
      chmodSync(each, 0o600);
    } catch {
      // Not there, or not ours.
    }
  }
}
