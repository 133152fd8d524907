import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PersistentMap } from '#client/sync/state/collections/persistent-map.ts';

const APART = 2 ** 32;
/** Some of them have the same hash: 1 and 2 ** 32, 0 and 2 ** 32 + 1. */
const ids = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.constantFrom(APART, APART + 1, 2 * APART, 2 * APART + 3, Number.MAX_SAFE_INTEGER),
);
const texts = fc.string({ maxLength: 2 });

const changes = fc.array(
  fc.record({
    key: fc.oneof(ids, texts),
    value: fc.integer({ min: 0, max: 3 }),
    isSet: fc.boolean(),
  }),
  { maxLength: 200 },
);

test('it holds what a Map holds, and what it held before stays as it was', () => {
  fc.assert(
    fc.property(changes, (taken) => {
      let map = PersistentMap.from<string | number, number>();
      const model = new Map<string | number, number>();
      const earlier: (readonly [typeof map, typeof model])[] = [];
      for (const { key, value, isSet } of taken) {
        earlier.push([map, new Map(model)]);
        const isSame = isSet ? model.get(key) === value : !model.has(key);
        const next = isSet ? map.with(key, value) : map.without(key);
        if (isSame) expect(next).toBe(map);
        if (isSet) model.set(key, value);
        else model.delete(key);
        map = next;
      }
      for (const [old, expected] of [...earlier, [map, model] as const]) {
        expect(new Map(old)).toEqual(expected);
        expect(old.size).toBe(expected.size);
        for (const { key } of taken) expect(old.get(key)).toBe(expected.get(key));
      }
    }),
  );
});
