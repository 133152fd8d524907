import { system } from './en/system.ts';
import { wordsFrom } from './explained-error.ts';

export const systemWords = wordsFrom(system);
