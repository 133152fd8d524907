import { existsSync, readdirSync } from 'node:fs';

/**
 * The names of the archives in a folder, without what a running service keeps beside them in its
 * own time: what was closed, and which texts were changed.
 */
export const archivesIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => !/^(standing|edits)-/.test(name)) : [];
