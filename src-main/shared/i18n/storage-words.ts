import { storage } from './en/storage.ts';
import { wordsFrom } from './explained-error.ts';

export const storageWords = wordsFrom(storage);
