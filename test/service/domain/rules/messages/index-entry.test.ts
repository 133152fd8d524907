import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isPrefixOfAll,
  prefixClause,
} from '../../../../../src-main/service/domain/rules/messages/index-entry.ts';
import { stem } from '../../../../../src-main/search/stem.ts';

const ends = `
  s es ed ing y ies ied ily ness ful fulness e ee eed ll ation ational ization izer ize
  bly able bility ibility al ally ality ic ical icate ative ive iveness ivity ous ously
  ance ency ently ment er ator alism logy ion i li at bl iz`.split(/\s+/);
const Word = fc
  .tuple(fc.stringMatching(/^[a-z]{1,5}$/), fc.array(fc.constantFrom(...ends), { maxLength: 3 }))
  .map(([root, after]) => root + after.join(''));

test('whatever has the stem of a word that begins with a prefix begins with it too, where that is said', () => {
  let count = 0;
  fc.assert(
    fc.property(Word, fc.nat(8), (word, less) => {
      const token = stem(word);
      for (const prefix of [token, token.slice(0, -1), word.slice(0, -1 - less)]) {
        if (prefix === '' || !isPrefixOfAll(prefix, { kind: 'any', tokens: [token] })) continue;
        count += 1;
        expect(word.startsWith(prefix), `${word} has ${token} and not ${prefix}`).toBe(true);
      }
    }),
    { numRuns: 20_000 },
  );
  expect(count).toBeGreaterThan(10_000);
});

test.each<[string, readonly string[], boolean]>([
  ['run', ['run', 'runs', 'running'], true],
  ['runn', ['running'], false],
  ['happi', ['happiness'], false],
  ['happ', ['happiness', 'happy'], true],
  ['hope', ['hoped'], false],
  ['ca', ['capable', 'café'], true],
])('%s decides about all that has a word like one of %j: %s', (prefix, words, expected) => {
  expect(isPrefixOfAll(prefix, prefixClause(words))).toBe(expected);
});
