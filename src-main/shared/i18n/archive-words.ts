import { archive } from './en/archive.ts';
import { wordsFrom } from './explained-error.ts';

export const archiveWords = wordsFrom(archive);
