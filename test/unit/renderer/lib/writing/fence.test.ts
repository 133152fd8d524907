import { expect, test } from 'vitest';
import {
  isInOpenCode,
  isInOpenFence,
  withoutCode,
  withoutQuotes,
} from '#renderer/lib/writing/fence.ts';

test.each([
  ['', false],
  ['plain text', false],
  ['```', true],
  ['```js', true],
  ['```js\nlet a = 1;', true],
  ['```js\nlet a = 1;\n```', false],
  ['```js\nlet a = 1;\n``` ', false],
  ['```js\na\n```\nafter', false],
  ['~~~\ncode', true],
  ['~~~\ncode\n```', true],
  ['````\ncode\n```', true],
  ['````\ncode\n````', false],
  ['```\n```js', true],
  ['text ``` text', false],
  ['```code``` in one line', false],
  ['    ```', false],
  ['```\na\n```\n```\nb', true],
])('the end of %j is inside an open fence: %s', (text, isOpen) => {
  expect(isInOpenFence(text)).toBe(isOpen);
  expect(isInOpenCode(text)).toBe(isOpen);
});

test.each([
  ['```quote\na', true, false],
  ['```spoiler the end\na', true, false],
  ['```quote\n```py\na', true, true],
  ['```quote\n```py\na\n```\nb', true, false],
  ['````quote\n```\na\n````', false, false],
  ['```quoted\na', true, true],
])('in %j a block is open: %s, and it is code: %s', (text, isOpen, isCode) => {
  expect(isInOpenFence(text)).toBe(isOpen);
  expect(isInOpenCode(text)).toBe(isCode);
});

test('code and quotes notify nobody, spoilers do', () => {
  const text = 'a\n```quote\nb\n```py\nc\n```\nd\n```\ne `f`\n```spoiler x\ng\n```\nh\n~~~\ni';
  expect(withoutQuotes(text)).toBe('a\ne \ng\nh');
  expect(withoutCode(text)).toBe('a\nb\nd\ne \ng\nh');
});
