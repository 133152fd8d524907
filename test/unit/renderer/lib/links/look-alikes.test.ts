import { expect, test } from 'vitest';
import { skeletonOf } from '#shared/text/look-alikes.ts';
import { loadConfusables, lookAlikesOf } from '#renderer/lib/links/look-alikes.ts';

const table = await loadConfusables();

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
  ['Cleo', 'Сlеօ'],
  ['Adam', 'Ꭺdam'],
  ['Ben', '𝐁𝐞𝐧'],
  ['Sos', 'Տօs'],
  ['Dow', 'Dօա'],
  ['Ada Lee', 'Ada\u200b Lee'],
  ['Ada', 'A\u3164da'],
  ['Ada Lee', 'Ada\u2003Lee'],
])('%s looks like %s', (name, other) => {
  expect(skeletonOf(other, table)).toBe(skeletonOf(name, table));
});

test.each([
  ['Ben', 'Benn'],
  ['José', 'Jose'],
  ['Person 1', 'Person 2'],
  ['Anna', 'Hanna'],
  ['Иван', 'Ivan'],
])('%s does not look like %s', (name, other) => {
  expect(skeletonOf(other, table)).not.toBe(skeletonOf(name, table));
});

test('everybody whose name is like another one is found, and nobody else', () => {
  const names = ['Ada', 'Аdа', 'Ben', 'ada', 'Cleo', 'Ben '];
  const people = names.map((fullName, index) => ({ userId: index + 1, fullName }));
  expect(lookAlikesOf(people, table)).toEqual(new Set([1, 2, 3, 4, 6]));
});

test('before the table is there, names that differ in what nobody sees look alike already', () => {
  expect(skeletonOf('ada', {})).toBe(skeletonOf('A\u00adda', {}));
  expect(skeletonOf('ada', {})).not.toBe(skeletonOf('аda', {}));
});
