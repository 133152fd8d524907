import { connection } from './en/connection.ts';
import { wordsFrom } from './explained-error.ts';

export const connectionWords = wordsFrom(connection);
