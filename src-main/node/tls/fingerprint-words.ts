/** Six words by which people compare an office with their own eyes and ears. */
import { scrypt } from 'node:crypto';
import { wordlist } from '@scure/bip39/wordlists/english.js';

const WORDS = 6;
const BITS_OF_A_WORD = 11;
/** Looking for another key with the same words costs this much memory and time for each one that is tried. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 };
const SALT = 'hearth safety words 1';

function wordsOf(bytes: Uint8Array): string {
  let bits = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  bits >>= BigInt(8 * bytes.length - WORDS * BITS_OF_A_WORD);
  const words = Array.from({ length: WORDS }, (_, index) => {
    const number = (bits >> BigInt(BITS_OF_A_WORD * (WORDS - 1 - index))) & 2047n;
    return wordlist[Number(number)] ?? '';
  });
  return words.join(' ');
}

/** Enough for all words. */
export const WORD_BYTES = Math.ceil((WORDS * BITS_OF_A_WORD) / 8);

/** Words of bytes that mean nothing: beside the right ones they show who only clicks. */
export const decoyWords = (noise: Uint8Array): string => wordsOf(noise);

/** The words of an office, always the same: `apple river …`, 66 bits. @param pin  as `fingerprintOf` gives it */
export const safetyWords = (pin: string): Promise<string> =>
  new Promise((resolve, reject) => {
    scrypt(pin, SALT, WORD_BYTES, COST, (error, bytes) => {
      if (error === null) resolve(wordsOf(bytes));
      else reject(error);
    });
  });
