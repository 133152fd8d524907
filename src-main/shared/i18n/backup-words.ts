import { backup } from './en/backup.ts';
import { wordsFrom } from './explained-error.ts';

export const backupWords = wordsFrom(backup);
