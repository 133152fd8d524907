/** What nobody sees in a name, and what looks so and is needed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutInvisible, invisibleIn } from '#shared/text/invisible-characters.ts';

test.each([
  ['a joiner in Persian', 'می\u200cخواهم'],
  ['a joiner after a Persian letter that joins', 'خانه\u200cها'],
  ['a Persian letter that stands alone', 'ه\u200d'],
  ['a joiner after a virama', 'क्\u200dष'],
  ['a joiner that keeps letters apart', 'क्\u200cष'],
  ['a joiner before a virama', 'র\u200d্য'],
  ['an old Malayalam chillu', 'ന്\u200d'],
  ['a Sinhala conjunct', 'ක්\u200dෂ'],
  ['a Mongolian vowel that stands apart', 'ᠬ\u180eᠠ'],
  ['a form of an ideograph', '葛\u{e0100}城'],
  ['an emoji of two', '👩\u200d🚀'],
  ['an emoji with a skin', '👩🏽\u200d💻 Ada'],
  ['an emoji with its selector', '🏳️\u200d🌈'],
  ['an emoji without its selector', '🏳\u200d🌈'],
  ['a family', '👨\u200d👩\u200d👧\u200d👦'],
  ['a key', '1\ufe0f\u20e3'],
  ['a sign as text', '❤\ufe0e'],
  ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['a flag', '🇩🇪'],
  ['a sign of Arabic numbers', '\u0600\u0661'],
  ['letters of many scripts', 'Ünï Ωμέγα Жук 日本 한국 ไทย தமிழ் ខ្មែរ'],
])('%s is seen', (_what, name) => {
  expect(invisibleIn(name)).toBeUndefined();
  expect(withoutInvisible(name)).toBe(name);
});

test.each([
  ['a C1 control', 'A\u0085da', 'control', 'A da'],
  ['a line separator', 'A\u2028da', 'control', 'A da'],
  ['an override of direction', 'A\u202eda', 'direction', 'Ada'],
  ['an Arabic mark of direction', 'A\u061cda', 'direction', 'Ada'],
  ['a soft hyphen', 'A\u00adda', 'invisible', 'Ada'],
  ['a blank of no width', 'A\u200bda', 'invisible', 'Ada'],
  ['a grapheme joiner', 'A\u034fda', 'invisible', 'Ada'],
  ['a selector after a letter', 'A\ufe0fda', 'invisible', 'Ada'],
  ['a selector after a digit', 'A1\ufe0f', 'invisible', 'A1'],
  ['two selectors', '葛\u{e0100}\u{e0101}', 'invisible', '葛\u{e0100}'],
  ['a Hangul filler', 'A\u3164da', 'invisible', 'Ada'],
  ['a Hangul filler of half width', 'A\uffa0da', 'invisible', 'Ada'],
  ['Hangul fillers of jamo', '\u115f\u1160Ada', 'invisible', 'Ada'],
  ['a Khmer vowel that is not written', 'A\u17b4da', 'invisible', 'Ada'],
  ['a blank of Braille', 'A\u2800da', 'invisible', 'Ada'],
  ['a tag', 'A\u{e0041}da', 'invisible', 'Ada'],
  ['tags of no flag', '🏴\u{e0061}\u{e007f}', 'invisible', '🏴'],
  ['a noncharacter', 'A\ufdd0da\u{1fffe}', 'invisible', 'Ada'],
  ['half a character', 'A\ud800da', 'invisible', 'Ada'],
  ['a place for an object', 'A\ufffcda', 'invisible', 'Ada'],
  ['an anchor of annotations', 'A\ufff9da', 'invisible', 'Ada'],
  ['a joiner in Latin', 'Ad\u200da', 'invisible', 'Ada'],
  ['a joiner between Indic letters', 'क\u200dष', 'invisible', 'कष'],
  ['a joiner after an Arabic letter that never joins', 'دار\u200cا', 'invisible', 'دارا'],
  ['a joiner of emoji that are not one', '😀\u200d😀', 'invisible', '😀😀'],
  ['a joiner at the end of an emoji', '👩\u200d', 'invisible', '👩'],
  ['a musical sign that is none', 'A\u{1d159}da', 'invisible', 'Ada'],
] as const)('%s is not seen', (_what, name, kind, seen) => {
  expect(invisibleIn(name)).toBe(kind);
  expect(withoutInvisible(name)).toBe(seen);
});

/** Ranges of DerivedCoreProperties.txt and of PropList.txt, as numbers: what is unseen whatever stands around it. */
const NEVER_SEEN = [
  ...[[0, 0x1f], [0x7f, 0x9f], [0xad], [0x34f], [0x61c], [0x115f, 0x1160], [0x17b4, 0x17b5]],
  ...[[0x200b], [0x200e, 0x200f], [0x2028, 0x202e], [0x2060, 0x206f], [0x2800], [0x3164]],
  ...[[0xd800, 0xdfff], [0xfdd0, 0xfdef], [0xfe03, 0xfe0d], [0xfeff], [0xffa0], [0xfff0, 0xfffc]],
  ...[[0xfffe, 0xffff], [0x1bca0, 0x1bca3], [0x1d159], [0x1d173, 0x1d17a], [0xe0000, 0xe001f]],
  ...[
    [0xe01f0, 0xe0fff],
    [0x10fffe, 0x10ffff],
  ],
] as const;
const isNeverSeen = (code: number): boolean =>
  NEVER_SEEN.some(([first, last = first]) => code >= first && code <= last);
/** Whether they are seen is for what stands around them to say. */
const depends = (code: number): boolean =>
  [
    ...[
      [0x180b, 0x180f],
      [0x200c, 0x200d],
      [0xfe00, 0xfe0f],
      [0xe0020, 0xe007f],
    ],
    [0xe0100, 0xe01ef],
  ].some(([first = 0, last = 0]) => code >= first && code <= last);

test('every other character is seen or not as the tables of Unicode say, wherever it stands [visible.character-seen-not]', () => {
  for (let code = 0; code < 0x30000; code += 1) {
    const isNonCharacter = (code & 0xfffe) === 0xfffe;
    // Signs of format of single scripts are told apart by the table above alone.
    if (depends(code) || /\p{Cf}/u.test(String.fromCodePoint(code))) continue;
    const isUnseen = invisibleIn(`a${String.fromCodePoint(code)}b`) !== undefined;
    if (isUnseen !== (isNeverSeen(code) || isNonCharacter)) expect.fail(`U+${code.toString(16)}`);
  }
});

const unit = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 2 }),
  fc.constantFrom(
    ...Array.from(
      '👩❤🏽\ufe0f\u200d\u200cمدक्ष\u3164\u202e\u2800葛\u{e0100}🏴\u{e0067}\u{e007f}a1\u20e3ᠬ\u180e',
    ),
  ),
);

test('a name as it is seen has nothing unseen, is itself seen so, and is what it was without what nobody sees', () => {
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const name = units.join('');
      const seen = withoutInvisible(withoutInvisible(name));
      expect(withoutInvisible(seen)).toBe(seen);
      expect(invisibleIn(name) === undefined).toBe(withoutInvisible(name) === name);
      for (const character of seen) {
        const code = character.codePointAt(0) ?? 0;
        expect(isNeverSeen(code)).toBe(false);
      }
      const letters = (text: string): string =>
        text.replaceAll(/[^\p{L}\p{N}\p{Pd}]/gu, '').replaceAll(/[\u115f\u1160\u3164\uffa0]/gu, '');
      expect(letters(seen)).toBe(letters(name));
    }),
    { numRuns: 3000 },
  );
});
