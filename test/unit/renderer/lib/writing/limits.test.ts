import { expect, test } from 'vitest';
import { characters, contentBytes } from '#renderer/lib/writing/limits.ts';

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 2],
  ['€', 3],
  ['🎉', 4],
  ['abc  \n\n', 3],
  ['  abc', 5],
])('%j is sent as %i bytes', (text, bytes) => {
  expect(contentBytes(text)).toBe(bytes);
});

test.each([
  ['', 0],
  [' deploys ', 7],
  ['🎉🎉', 2],
])('%j has %i characters', (text, count) => {
  expect(characters(text)).toBe(count);
});
