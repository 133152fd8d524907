import { cli } from './en/cli.ts';
import { wordsFrom } from './explained-error.ts';

export const cliWords = wordsFrom(cli);
