import { service } from './en/service.ts';
import { wordsFrom } from './explained-error.ts';

export const serviceWords = wordsFrom(service);
