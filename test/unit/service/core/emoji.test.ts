import { describe, expect, test } from 'vitest';
import {
  checkEmojiName,
  type EmojiRequest,
  findOwnReaction,
  realmEmojiShape,
  resolveEmoji,
} from '#service/core/rules/emoji.ts';

const custom = [
  { id: 7, name: 'deploy', is_deactivated: 1 },
  { id: 8, name: 'deploy', is_deactivated: 0 },
  { id: 9, name: 'heart', is_deactivated: 0 },
] as const;

const ask = (name: string, more: Partial<EmojiRequest> = {}) => {
  const found = resolveEmoji({ name, code: undefined, type: undefined, ...more }, custom);
  return found === undefined ? undefined : `${found.type} ${found.code} ${found.name}`;
};

describe('the emoji that a reaction means', () => {
  test.each<[string, Partial<EmojiRequest>, string | undefined]>([
    ['tada', {}, 'unicode_emoji 1f389 tada'],
    ['party_popper', {}, 'unicode_emoji 1f389 party_popper'],
    ['deploy', {}, 'realm_emoji 8 deploy'],
    ['deploy', { code: '7' }, 'realm_emoji 7 deploy'],
    ['deploy', { code: '8', type: 'realm_emoji' }, 'realm_emoji 8 deploy'],
    ['deploy', { code: '9' }, undefined],
    ['deploy', { type: 'unicode_emoji' }, undefined],
    ['heart', {}, 'realm_emoji 9 heart'],
    ['heart', { type: 'unicode_emoji' }, 'unicode_emoji 2764 heart'],
    ['heart', { code: '2764' }, 'unicode_emoji 2764 heart'],
    ['zulip', {}, 'zulip_extra_emoji zulip zulip'],
    ['zulip', { code: 'other' }, undefined],
    ['somebodys_own_name', { code: '1f389' }, 'unicode_emoji 1f389 somebodys_own_name'],
    ['somebodys_own_name', {}, undefined],
    ['octopus', { code: '1f389' }, undefined],
    ['no name', { code: '1f389' }, undefined],
    ['tada', { code: '1f389-1f3fb' }, undefined],
  ])('%s with %j', (name, more, expected) => {
    expect(ask(name, more)).toBe(expected);
  });
});

test('a reaction of one own is found by code before name', () => {
  const row = (name: string, code: string, type: 'unicode_emoji' | 'realm_emoji') => ({
    message_id: 1,
    account_id: 1,
    email: '',
    full_name: '',
    reaction_type: type,
    emoji_code: code,
    emoji_name: name,
  });
  const rows = [row('heart', '9', 'realm_emoji'), row('heart', '2764', 'unicode_emoji')];
  const find = (name?: string, code?: string, type?: 'unicode_emoji') =>
    findOwnReaction(rows, { name, code, type })?.emoji_code;
  expect(find('heart')).toBe('9');
  expect(find('heart', undefined, 'unicode_emoji')).toBe('2764');
  expect(find('red_heart')).toBe('2764');
  expect(find('tada', '2764')).toBe('2764');
  expect(find(undefined, '2764-FE0F')).toBe('2764');
  expect(find('tada')).toBeUndefined();
  expect(find()).toBeUndefined();
});

test.each(['a', 'a-b_1', '0', 'x'.repeat(100)])('%s is a name for an emoji', (name) => {
  expect(checkEmojiName(name)).toBe(name);
});

test.each(['', 'A', 'a b', 'a+b', 'é', 'x'.repeat(101)])('"%s" is none', (name) => {
  expect(() => checkEmojiName(name)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
});

test('custom emoji are listed by id', () => {
  const row = {
    id: 7,
    name: 'party',
    file_name: 'abc.png',
    is_deactivated: 1,
    author_id: 8,
    author_email: 'ana@example.com',
    author_full_name: 'Ana Ruiz',
  } as const;
  expect(realmEmojiShape([row])).toEqual({
    '7': {
      id: '7',
      name: 'party',
      source_url: '/user_avatars/1/emoji/images/abc.png',
      deactivated: true,
      author: { id: 8, email: 'ana@example.com', full_name: 'Ana Ruiz' },
    },
  });
});
