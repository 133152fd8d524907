import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Recent } from '#service/db/recently-used.ts';
import { outlivingMiB } from '#test/support/young-garbage.ts';

const MAX_SIZE = 20;

interface Step {
  readonly does: 'set' | 'delete' | 'clear';
  readonly key: number;
  readonly size: number;
}

const anyStep = fc.record({
  does: fc.oneof(
    { arbitrary: fc.constant('set' as const), weight: 8 },
    fc.constantFrom('delete' as const, 'clear' as const),
  ),
  key: fc.nat(9),
  size: fc.nat(MAX_SIZE / 2),
});

/** What was set since the last clearing, the newest first, each key once. */
function newestFirst(
  steps: readonly Step[],
): readonly { key: number; value: number; size: number }[] {
  const since = steps.map((step, value) => ({ ...step, value }));
  const from = since.findLastIndex(({ does }) => does === 'clear') + 1;
  const left = new Map<number, { key: number; value: number; size: number }>();
  for (const step of since.slice(from)) {
    left.delete(step.key);
    if (step.does === 'set') left.set(step.key, step);
  }
  return [...left.values()].reverse();
}

test('what is there was set last under its key, is within the bound, and has the newest in it', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      const recent = new Recent<number, number>(MAX_SIZE);
      steps.forEach(({ does, key, size }, value) => {
        if (does === 'set') recent.set(key, value, size);
        else if (does === 'delete') recent.delete(key);
        else recent.clear();
        const known = newestFirst(steps.slice(0, value + 1));
        const there = known.filter((each) => recent.get(each.key) === each.value);
        for (let each = 0; each <= 9; each++) {
          if (!there.some((one) => one.key === each)) expect(recent.get(each)).toBeUndefined();
        }
        expect(there.reduce((sum, each) => sum + each.size, 0)).toBeLessThanOrEqual(MAX_SIZE);
        if (does === 'set') expect(recent.get(key)).toBe(value);
      });
    }),
  );
});

test('what is small enough for half of the bound is there with all that came after it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 60 }), (sizes) => {
      const recent = new Recent<number, number>(MAX_SIZE);
      sizes.forEach((size, key) => recent.set(key, size, size));
      let together = 0;
      for (let key = sizes.length - 1; key >= 0; key--) {
        together += sizes[key] ?? 0;
        if (together > MAX_SIZE / 2) return;
        expect(recent.get(key)).toBe(sizes[key]);
      }
    }),
  );
});

test('one that is larger than the bound goes with the second that comes after it', () => {
  const recent = new Recent<string, string>(MAX_SIZE);
  recent.set('small', 'small', 1);
  recent.set('large', 'large', 50);
  expect(['small', 'large'].map((key) => recent.get(key))).toEqual(['small', 'large']);
  recent.set('next', 'next', 1);
  expect(['small', 'large'].map((key) => recent.get(key))).toEqual([undefined, 'large']);
  recent.set('last', 'last', MAX_SIZE / 2);
  expect(['large', 'next', 'last'].map((key) => recent.get(key))).toEqual([
    undefined,
    'next',
    'last',
  ]);
});

test('what has left goes when the young are collected', () => {
  const recent = new Recent<number, object>(64 * 1024);
  const left = outlivingMiB(40, (round) => {
    for (let count = 0; count < 500; count++) {
      const text = Buffer.alloc(1024, 'x').toString();
      recent.set(round * 500 + count, { text }, text.length);
    }
  });
  // They are 20 MiB together.
  expect(left).toBeLessThan(5);
});
