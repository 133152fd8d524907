import { expect, test } from 'vitest';
import { isInOpenFence } from '../../../../src-renderer/pure/writing/fence.ts';

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
});
