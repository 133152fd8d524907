import { existsSync, readdirSync } from 'node:fs';

/**
 * The names of the archives in a folder, without what a running service keeps beside them in its
 * own time: who is shut out, and what was deleted.
 */
export const archivesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => !name.startsWith('standing-')) : [];
