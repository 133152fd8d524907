import { hosting } from './en/hosting.ts';
import { wordsFrom } from './explained-error.ts';

export const hostingWords = wordsFrom(hosting);
