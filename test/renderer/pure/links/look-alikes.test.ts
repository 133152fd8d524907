import { expect, test } from 'vitest';
import { lookAlikesOf, skeletonOf } from '../../../../src-renderer/pure/links/look-alikes.ts';

test.each([
  ['Ben Member', 'Ben Member'],
  ['Ada Admin', 'Аdа Аdmіn'],
  ['Ada Admin', 'ada  ADMIN'],
  ['Cleo', 'Сlео'],
  ['Ian', 'lan'],
  ['Modern', 'Modem'],
  ['Oskar', '0skar'],
  ['Елена', 'Eлена'],
  ['Ελενα', 'Eλενα'],
  ['Ben', 'Ｂｅｎ'],
  ['Müller', 'Mu\u0308ller'],
])('%s looks like %s', (name, other) => {
  expect(skeletonOf(other)).toBe(skeletonOf(name));
});

test.each([
  ['Ben', 'Benn'],
  ['José', 'Jose'],
  ['Person 1', 'Person 2'],
  ['Anna', 'Hanna'],
  ['Иван', 'Ivan'],
])('%s does not look like %s', (name, other) => {
  expect(skeletonOf(other)).not.toBe(skeletonOf(name));
});

test('everybody whose name is like another one is found, and nobody else', () => {
  const names = ['Ada', 'Аdа', 'Ben', 'ada', 'Cleo', 'Ben '];
  const people = names.map((fullName, index) => ({ userId: index + 1, fullName }));
  expect(lookAlikesOf(people)).toEqual(new Set([1, 2, 3, 4, 6]));
});
