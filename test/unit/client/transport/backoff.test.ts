import { expect, test } from 'vitest';
import { backoffMs } from '#client/transport/backoff.ts';

test('waits double up to thirty seconds', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map((failures) => backoffMs(failures, 0));
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]);
});

test('chance takes off up to a half', () => {
  expect(backoffMs(3, 0.5)).toBe(1500);
  expect(backoffMs(3, 0.999999)).toBeGreaterThan(999);
});
