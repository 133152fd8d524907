import { desktop } from './en/desktop.ts';
import { wordsFrom } from './explained-error.ts';

export const desktopWords = wordsFrom(desktop);
