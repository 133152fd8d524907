/** The recovery code: thirteen words, with which whoever has them opens every archive of an organization. */
import { createHash, randomBytes } from 'node:crypto';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { archiveWords } from '#shared/i18n/archive-words.ts';

const WORDS = 13;
const BITS_PER_WORD = 11n;
const CHECK_BITS = 11n;
const WORD_MASK = (1n << BITS_PER_WORD) - 1n;
/** 143 bits of words less 11 of the checksum. */
const RANDOM_BITS = 132n;
/** No two words of the list begin with the same four letters. */
const TELLING_LETTERS = 4;

/** What was typed is no recovery code; the message says what is wrong with it. */
export class RecoveryCodeError extends ExplainedError {
  override readonly name = 'RecoveryCodeError';
}

/** The first 11 bits of a digest: of 2,048 codes with a wrong word one is not noticed here, and opens nothing. */
function checksumOf(random: bigint): bigint {
  const text = `hearth recovery code ${random.toString(16)}`;
  const digest = createHash('sha256').update(text).digest().readUInt16BE();
  return BigInt(digest) >> (16n - CHECK_BITS);
}

function wordsOf(random: bigint): string {
  let rest = (random << CHECK_BITS) | checksumOf(random);
  const words: string[] = [];
  for (let count = 0; count < WORDS; count++) {
    words.unshift(wordlist[Number(rest & WORD_MASK)] ?? '');
    rest >>= BITS_PER_WORD;
  }
  return words.join(' ');
}

/** A new code: 132 random bits and a checksum, as thirteen words with one space between. */
export function createRecoveryCode(): string {
  const bytes = randomBytes(17);
  return wordsOf(BigInt(`0x${bytes.toString('hex')}`) >> (136n - RANDOM_BITS));
}

function numberOf(word: string, position: number): bigint {
  const isMeant = (known: string): boolean =>
    known === word || (word.length >= TELLING_LETTERS && known.startsWith(word));
  const number = wordlist.findIndex(isMeant);
  if (number === -1) {
    throw new RecoveryCodeError(
      archiveWords('recovery_code_word_unknown', { position: position + 1, word }),
    );
  }
  return BigInt(number);
}

/**
 * The code as it was made, from how somebody typed it: in any case, with anything between the words, which may be cut
 * after four letters.
 * @throws RecoveryCodeError
 */
export function readRecoveryCode(typed: string): string {
  const words = typed.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length !== WORDS) {
    throw new RecoveryCodeError(
      words.length === 0
        ? archiveWords('recovery_code_missing', { words: WORDS })
        : archiveWords('recovery_code_length', { words: WORDS, given: words.length }),
    );
  }
  const value = words.map(numberOf).reduce((sum, word) => (sum << BITS_PER_WORD) | word, 0n);
  const random = value >> CHECK_BITS;
  if (checksumOf(random) !== (value & WORD_MASK)) {
    throw new RecoveryCodeError(archiveWords('recovery_code_words_wrong'));
  }
  return wordsOf(random);
}
