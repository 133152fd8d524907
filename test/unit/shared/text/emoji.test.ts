import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  emojiCharacters,
  emojiCodeOf,
  emojiNameOf,
  findEmoji,
  isEmojiNameFor,
} from '#shared/text/emoji.ts';
import { cpuMsOf } from '#test/support/cpu.ts';

interface Emoji {
  readonly hexcode: string;
  readonly emoji: string;
  readonly skins?: readonly { readonly emoji: string; readonly tone: number | number[] }[];
}

const require = createRequire(import.meta.url);
const read = (file: string): unknown =>
  JSON.parse(readFileSync(require.resolve(`emojibase-data/en/${file}.json`), 'utf8'));
const all = read('data') as readonly Emoji[];
const codeOf = (hexcode: string): string => hexcode.toLowerCase().replaceAll('-fe0f', '');

describe('a name', () => {
  test.each([
    ['tada', '1f389'],
    ['+1', '1f44d'],
    ['thumbs_up', '1f44d'],
    ['thumbsup', '1f44d'],
    ['-1', '1f44e'],
    ['heart', '2764'],
    ['smile', '1f604'],
    ['octopus', '1f419'],
    ['working_on_it', '1f6e0'],
    ['check', '2705'],
    ['100', '1f4af'],
    ['one', '0031-20e3'],
    ['us', '1f1fa-1f1f8'],
    ['rainbow_flag', '1f3f3-200d-1f308'],
    ['party_popper', '1f389'],
    ['thumbs_up_tone3', '1f44d-1f3fd'],
    ['woman_technologist_tone5', '1f469-1f3ff-200d-1f4bb'],
  ])('%s has the code %s', (name, code) => {
    expect(emojiCodeOf(name)).toBe(code);
  });

  test.each([
    '',
    ' tada',
    'Tada',
    ':tada:',
    'no_such_emoji',
    'tada_tone1',
    '+1_tone6',
    '__proto__',
  ])('"%s" is of no emoji', (name) => {
    expect(emojiCodeOf(name)).toBeUndefined();
  });

  test.each(['github', 'iamcal', 'emojibase', 'joypixels', 'cldr'])(
    'a name of the set %s is known, unless it carries a skin tone',
    (set) => {
      const plain = new Set(all.map((emoji) => emoji.hexcode));
      const shortcodes = read(`shortcodes/${set}`) as Record<string, string | string[]>;
      const missing = Object.entries(shortcodes)
        .filter(([hexcode]) => plain.has(hexcode))
        .flatMap(([, names]) => names)
        .filter((name) => emojiCodeOf(name) === undefined);
      expect(missing).toEqual([]);
    },
  );
});

describe('every emoji', () => {
  test('every emoji has a name that leads back to its code', () => {
    for (const { hexcode } of all) {
      const name = emojiNameOf(codeOf(hexcode));
      expect(name, hexcode).toBeDefined();
      expect(emojiCodeOf(name ?? ''), hexcode).toBe(codeOf(hexcode));
    }
  });

  test('every emoji is shown by its characters', () => {
    for (const { hexcode, emoji } of all) {
      const shown = emojiCharacters(codeOf(hexcode)) ?? '';
      expect(shown.replaceAll('\ufe0f', ''), hexcode).toBe(emoji.replaceAll('\ufe0f', ''));
    }
    expect(emojiCharacters('2764')).toBe('❤\ufe0f');
    expect(emojiCharacters('nothing')).toBeUndefined();
  });

  test('every emoji is found in a text, with one skin tone too', () => {
    for (const { emoji, skins = [] } of all) {
      // Single letters of flags, and what is text unless a selector follows.
      if (/^\p{Regional_Indicator}$/u.test(emoji) || /^\p{Emoji_Modifier}$/u.test(emoji)) continue;
      const [found, ...rest] = findEmoji(`a${emoji}b`);
      if (found === undefined) {
        expect(emoji.codePointAt(0), emoji).toBeLessThan(0x2300);
        continue;
      }
      expect(rest, emoji).toEqual([]);
      expect(found).toMatchObject({ index: 1, literal: emoji, code: emojiCodeOf(found.name) });
      const toned = skins.find(({ tone }) => tone === 2)?.emoji;
      const name = toned === undefined ? undefined : [...findEmoji(toned)][0]?.name;
      if (name !== undefined) expect(name).toBe(`${found.name}_tone2`);
    }
  });
});

describe('a text', () => {
  const literals = (text: string): readonly string[] =>
    [...findEmoji(text)].map(({ literal }) => literal);

  test.each([
    ['nothing of it', 'plain text, 1 # * 2', []],
    ['marks that are text', '© ® ™ ‼ ↔', []],
    ['marks that are asked to be emoji', '©️ ™️', ['©️', '™️']],
    ['a symbol that is asked to be text', '⌚\ufe0e', []],
    ['old symbols', '❤ ☺ ✔', ['❤', '☺', '✔']],
    ['several at once', '🎉🎉', ['🎉', '🎉']],
    ['flags side by side', '🇺🇸🇩🇪', ['🇺🇸', '🇩🇪']],
    ['a flag of a part of a country', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', ['🏴󠁧󠁢󠁥󠁮󠁧󠁿']],
    ['a family', '👨‍👩‍👧', ['👨‍👩‍👧']],
    ['a keycap', '1️⃣ 1', ['1️⃣']],
    ['a sequence that is no emoji', '🎉‍🎉', []],
    ['two tones in one emoji', '👩🏻‍🤝‍👨🏼', []],
  ])('in a text with %s exactly the emoji are found', (_, text, expected) => {
    expect(literals(text)).toEqual(expected);
  });

  test('a text is searched for emoji in linear time', () => {
    const ms = cpuMsOf(() => {
      for (const piece of ['👍‍', '👍🏽‍', '🇺', '1️', '🏴󠁧']) literals(piece.repeat(50_000));
    });
    expect(ms).toBeLessThan(5000);
  });

  test('a text is cut at emoji without losing anything', () => {
    const pieces = fc.constantFrom(
      'a',
      ' ',
      '1',
      '#',
      '\ufe0f',
      '\u200d',
      '🎉',
      '👍',
      '🏽',
      '🇺',
      '❤',
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const text = parts.join('');
        let end = 0;
        for (const { index, literal } of findEmoji(text)) {
          expect(index).toBeGreaterThanOrEqual(end);
          expect(text.slice(index, index + literal.length)).toBe(literal);
          end = index + literal.length;
        }
      }),
    );
  });
});

test.each([
  ['tada', '1f389', true],
  ['party_popper', '1f389', true],
  ['tada', '1f44d', false],
  ['heart', '1f44d', false],
  // Names that only some clients know, and names that they give to another emoji than we do.
  ['upwards_trend', '1f4c8', true],
  ['cat', '1f408', true],
  ['chart', '1f4c8', true],
  ['smile', '1f642', true],
  ['construction', '1f3d7', true],
  ['date', '1f4c6', true],
])('%s may name %s: %s', (name, code, isFit) => {
  expect(isEmojiNameFor(name, code)).toBe(isFit);
});
