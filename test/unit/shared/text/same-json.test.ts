import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameJson } from '#shared/text/same-json.ts';

const json = fc.jsonValue({ maxDepth: 2 });

test.each([
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [[1, 2], [2, 1], false],
  [[1], { 0: 1 }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [null, {}, false],
  ['1', 1, false],
])('%j and %j', (one, other, isSame) => {
  expect(isSameJson(one, other)).toBe(isSame);
  expect(isSameJson(other, one)).toBe(isSame);
});

test('any two values are the same where everything in them is', () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(isSameJson(one, structuredClone(one))).toBe(true);
      expect(isSameJson(one, other)).toBe(isDeepStrictEqual(one, other));
    }),
  );
});
