import { initial } from './0001-initial.ts';
import { complete } from './0002-complete.ts';
import { messageHours } from './0003-message-hours.ts';

/** In order; the position is the version. A released migration is never edited. */
export const migrations: readonly string[] = [initial, complete, messageHours];
