import { expect, test } from 'vitest';
import { emojiCodeOf } from '#shared/text/emoji.ts';
import { languageOf } from '#service/markdown/languages.ts';
import {
  allEmoji,
  categoryNames,
  emojiCategories,
  searchEmoji,
  toned,
} from '#renderer/lib/writing/emoji-list.ts';
import { languages, shortNames } from '#renderer/lib/writing/languages.ts';

test('every emoji is in one category and is known to the service under its name and in every tone', () => {
  expect(emojiCategories().map(({ name }) => name)).toEqual(categoryNames);
  expect(new Set(allEmoji().map(({ code }) => code)).size).toBe(allEmoji().length);
  for (const emoji of allEmoji()) {
    expect(emojiCodeOf(emoji.names[0] ?? '')).toBe(emoji.code);
    if (!emoji.hasTones) continue;
    const dark = toned(emoji, 5);
    expect(emojiCodeOf(dark.names[0] ?? '')).toBe(dark.code);
    expect(dark.code).not.toBe(emoji.code);
  }
});

test.each([
  ['smileys', '😀'],
  ['people', '👍'],
  ['animals', '🐶'],
  ['food', '🍜'],
  ['travel', '🚀'],
  ['activities', '🎉'],
  ['objects', '💡'],
  ['symbols', '✅'],
  ['flags', '🇳🇴'],
])('%s has %s', (name, characters) => {
  const category = emojiCategories().find((each) => each.name === name);
  expect(category?.emoji.map((emoji) => emoji.characters)).toContain(characters);
});

test.each([
  ['tada', '🎉'],
  [':tada:', '🎉'],
  ['thumbs up', '👍'],
  ['🎉', '🎉'],
])('%s finds %s first', (query, characters) => {
  expect(searchEmoji(query)[0]?.characters).toBe(characters);
});

test('every language that is offered is highlighted by the service', () => {
  for (const name of [...languages, ...shortNames]) expect(languageOf(name), name).toBeDefined();
});
