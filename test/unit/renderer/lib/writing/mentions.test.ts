import { expect, test } from 'vitest';
import { groupsOf, mentionOf, wildcardOf } from '#renderer/lib/writing/mentions.ts';

test.each([
  ['@**all** hi', 'all'],
  ['hi @**everyone**', 'everyone'],
  ['@**stream**', 'stream'],
  ['@_**all** hi', null],
  ['@**allison**', null],
  ['@all', null],
  ['x@**all**', null],
  ['大家@**all**', 'all'],
  ['`@**all**`', null],
  ['```\n@**all**\n```', null],
  ['```\ncode\n```\n@**all**', 'all'],
])('%j notifies everybody as %s', (content, name) => {
  expect(wildcardOf(content)).toBe(name);
});

test('groups are told from bold text after an @', () => {
  expect(groupsOf('@*backend* and @**Ben**, x@*no* 和@*web* and *not*')).toEqual([
    'backend',
    'web',
  ]);
});

const ben = { userId: 2, fullName: 'Ben' };
test.each([
  [ben, [ben], false, '@**Ben**'],
  [ben, [ben], true, '@_**Ben**'],
  [ben, [ben, { userId: 3, fullName: 'Ben' }], false, '@**Ben|2**'],
  [{ userId: 4, fullName: 'all' }, [], false, '@**all|4**'],
  [{ userId: 5, fullName: 'St*r' }, [], false, '@**Str|5**'],
  [{ userId: 6, fullName: 'Bob|12' }, [], false, '@**Bob|12|6**'],
])('%o is named so that only one can be meant', (person, people, isSilent, expected) => {
  expect(mentionOf(person, people, isSilent)).toBe(expected);
});
