import fc from 'fast-check';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { expect, test } from 'vitest';
import { createRecoveryCode, readRecoveryCode } from '#backup/archive/recovery-code.ts';

const wordsOf = (code: string): readonly string[] => code.split(' ');

test('a recovery code has thirteen words of the list, and no two codes are alike', () => {
  const codes = Array.from({ length: 50 }, createRecoveryCode);
  for (const code of codes) {
    expect(wordsOf(code)).toHaveLength(13);
    for (const word of wordsOf(code)) expect(wordlist).toContain(word);
  }
  expect(new Set(codes).size).toBe(codes.length);
});

test('a recovery code is read as people write it: in any case, numbered, cut after four letters', () => {
  const code = createRecoveryCode();
  const words = wordsOf(code);
  const lines = words.map((word, at) => `${String(at + 1)}. ${word.toUpperCase()}`).join('\n');
  const short = words.map((word) => word.slice(0, 4)).join('-');
  for (const typed of [code, lines, short, `  ${words.join(' , ')}.`]) {
    expect(readRecoveryCode(typed)).toBe(code);
  }
});

test('another word or another order is noticed, but for the share that a checksum of eleven bits leaves', () => {
  const code = createRecoveryCode();
  const words = wordsOf(code);
  let unnoticed = 0;
  const accepted = (typed: readonly string[]): boolean => {
    try {
      return readRecoveryCode(typed.join(' ')) === typed.join(' ');
    } catch {
      return false;
    }
  };
  for (const [at, word] of words.entries()) {
    for (const other of wordlist.slice(0, 100)) {
      if (other !== word && accepted(words.with(at, other))) unnoticed += 1;
    }
  }
  // 1,300 of which one in 2,048 is expected: ten are not met in the life of this project.
  expect(unnoticed).toBeLessThan(10);
});

test.each([
  ['', /^No recovery code was given/],
  ['abandon ability', /13 words, but 2 were given/],
  [`${'abandon '.repeat(4)}abanbon ${'abandon '.repeat(8)}`, /Word 5 .*"abanbon"/],
])('what is no code is said to be none: %j', (typed, sentence) => {
  expect(() => readRecoveryCode(typed)).toThrow(sentence);
});

test('whatever is typed is a code or refused with a sentence', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (typed) => {
      expect(() => readRecoveryCode(typed)).toThrow(/recovery code/);
    }),
  );
});
