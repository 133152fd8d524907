import { expect, test } from 'vitest';
import { createObjectCache, memoized } from '#service/core/cache/attached.ts';
import { outlivingMiB } from '#test/support/young-garbage.ts';

test.each<[string, () => object]>([
  ['an object', () => ({ name: 'lunch' })],
  ['a list', () => [1, 2]],
  ['bytes', () => new Uint8Array(3)],
  ['an object that may not be changed', () => Object.freeze({ name: 'lunch' })],
])('%s has what was attached to it last, and its copies have nothing', (_, make) => {
  const [texts, others] = [
    createObjectCache<object, string>(),
    createObjectCache<object, string>(),
  ];
  const [object, other] = [make(), make()];
  texts.set(object, 'first');
  texts.set(object, 'last');
  others.set(other, 'else');
  expect([object, other].map((each) => texts.get(each))).toEqual(['last', undefined]);
  expect([object, other].map((each) => others.get(each))).toEqual([undefined, 'else']);
  expect(texts.get({ ...object })).toBeUndefined();
  expect(object).toEqual(make());
});

test('what is remembered of an object is computed once, and anew for a copy', () => {
  const asked: object[] = [];
  const keysOf = memoized((object: object) => {
    asked.push(object);
    return Object.keys(object);
  });
  const object = { name: 'lunch' };
  const copy = { ...object };
  expect([keysOf(object), keysOf(object), keysOf(copy)]).toEqual(Array(3).fill(['name']));
  expect(asked).toEqual([object, copy]);
});

test('what is attached to an object, and leads to it, goes with it when the young are collected', () => {
  const attached = createObjectCache<object, unknown>();
  const left = outlivingMiB(40, () => {
    for (let count = 0; count < 500; count++) {
      const message = { text: Buffer.alloc(1024, 'x').toString() };
      attached.set(message, { of: message });
    }
  });
  // They are 20 MiB together.
  expect(left).toBeLessThan(5);
});
