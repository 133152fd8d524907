import { client } from './en/client.ts';
import { wordsFrom } from './explained-error.ts';

export const clientWords = wordsFrom(client);
