import { expect, test } from 'vitest';
import { markBit, markNames } from '#shared/api/models/message-marks.ts';

test('no two marks share a bit of the history', () => {
  const sum = markNames.reduce((bits, name) => bits + markBit(name), 0);
  expect(markNames.reduce((bits, name) => bits | markBit(name), 0)).toBe(sum);
});
