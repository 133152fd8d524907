import { initial } from './0001-initial.ts';

/** In order; the position is the version. A released migration is never edited. */
export const migrations: readonly string[] = [initial];
