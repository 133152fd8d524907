import { randomInt } from 'node:crypto';

/** So many characters of an alphabet that nobody can guess. */
export const randomText = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
