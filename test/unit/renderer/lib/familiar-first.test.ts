import { expect, test } from 'vitest';
import { familiarFirst } from '#renderer/lib/familiar-first.ts';
import { person } from '#test/support/window/office.ts';

const people = ['Bea Stranger', 'Betty Pal', 'Carl Benson', 'Umberto Gray'].map((name, index) =>
  person(index, name),
);

test.each([
  ['', ['Umberto Gray', 'Betty Pal', 'Bea Stranger', 'Carl Benson']],
  ['be', ['Betty Pal', 'Bea Stranger', 'Carl Benson', 'Umberto Gray']],
  // In the middle of a word it is somebody else who may be meant.
  ['er', ['Bea Stranger', 'Betty Pal', 'Carl Benson', 'Umberto Gray']],
  ['gra', ['Umberto Gray', 'Bea Stranger', 'Betty Pal', 'Carl Benson']],
])(
  'people one writes to come first for %j where a word of their name begins so',
  (typed, expected) => {
    expect(familiarFirst(people, [3, 1], typed).map(({ fullName }) => fullName)).toEqual(expected);
  },
);

test('bots come after people', () => {
  const all = [person(1, 'Alert Bot', { isBot: true }), person(2, 'Zoe Last')];
  expect(familiarFirst(all, [], '').map(({ fullName }) => fullName)).toEqual([
    'Zoe Last',
    'Alert Bot',
  ]);
  expect(familiarFirst(all, [1], '')[0]?.fullName).toBe('Alert Bot');
});
