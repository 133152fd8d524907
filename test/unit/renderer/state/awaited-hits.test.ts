import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AwaitedHits } from '#renderer/state/messages/awaited-hits.svelte.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('hits that are missing are asked for with pauses, longer ones where nothing came, until they are there', async () => {
  let count = 0;
  let isMissing = true;
  const askedAt: number[] = [];
  const startedAt = Date.now();
  const hits = new AwaitedHits({
    count: () => count,
    ask: async () => {
      askedAt.push((Date.now() - startedAt) / 1000);
      if (askedAt.length === 5) count += 1;
      hits.put(isMissing);
    },
  });
  hits.put(true);
  await vi.advanceTimersByTimeAsync(36_000);
  expect(askedAt).toEqual([2, 6, 14, 24, 34, 36]);
  isMissing = false;
  await vi.advanceTimersByTimeAsync(4000);
  expect([askedAt.at(-1), hits.areAwaited]).toEqual([40, false]);
  await vi.advanceTimersByTimeAsync(60_000);
  hits.put(true);
  hits.put(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(askedAt).toHaveLength(7);
});
