import { browser } from './en/browser.ts';
import { wordsFrom } from './explained-error.ts';

export const browserWords = wordsFrom(browser);
