/**
 * Unicode emoji by name, by code and as they stand in a text. A code is the emoji's code points in lower-case hex
 * joined by `-`, without variation selectors (API decisions 5, `reactions`).
 */
import { emojiData } from './emoji-data.ts';
import { lazy } from './lazy.ts';

interface Tables {
  readonly codes: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
  /** Names of other emoji that describe this one too. */
  readonly otherNames: ReadonlyMap<string, ReadonlySet<string>>;
  readonly toned: ReadonlySet<string>;
}

function readTables(): Tables {
  const codes = new Map<string, string>();
  const names = new Map<string, string>();
  const otherNames = new Map<string, ReadonlySet<string>>();
  const toned = new Set<string>();
  for (const entry of emojiData.flatMap((line) => line.split(';'))) {
    const [own = '', others] = entry.split(' | ');
    const [marked = '', ...list] = own.split(' ');
    const code = marked.replace('*', '');
    if (marked !== code) toned.add(code);
    for (const name of list) codes.set(name, code);
    if (list[0] !== undefined) names.set(code, list[0]);
    if (others !== undefined) otherNames.set(code, new Set(others.split(' ')));
  }
  return { codes, names, otherNames, toned };
}

/** A window that shows no emoji does not pay for them. */
const getTables = lazy(readTables);

const TONED_NAME = /^(.+)_tone([1-5])$/;
const TONED_CODE = /^([^-]+)-1f3f([b-f])(?=-|$)/;
const toneDigits = 'bcdef';

/**
 * The code of an emoji; `_tone1` to `_tone5` behind a name is a skin tone.
 * @param name  without colons, as in `tada`
 */
export function emojiCodeOf(name: string): string | undefined {
  const { codes, toned } = getTables();
  const known = codes.get(name);
  if (known !== undefined) return known;
  const [, plainName = '', tone = ''] = TONED_NAME.exec(name) ?? [];
  const plain = codes.get(plainName);
  if (plain === undefined || !toned.has(plain)) return undefined;
  const [first = '', ...rest] = plain.split('-');
  return [first, `1f3f${toneDigits[Number(tone) - 1] ?? ''}`, ...rest].join('-');
}

/** The name that an emoji is shown under. */
export function emojiNameOf(code: string): string | undefined {
  const { names, toned } = getTables();
  const known = names.get(code);
  if (known !== undefined) return known;
  const [tonedPart, first = '', tone = ''] = TONED_CODE.exec(code) ?? [];
  if (tonedPart === undefined) return undefined;
  const plain = first + code.slice(tonedPart.length);
  const name = names.get(plain);
  if (name === undefined || !toned.has(plain)) return undefined;
  return `${name}_tone${String(toneDigits.indexOf(tone) + 1)}`;
}

/**
 * Whether a client may call the emoji of a known code so. Clients carry name lists of their own: a name that is
 * not ours is theirs, and one that we give to another emoji will do if it describes this one as well.
 */
export function isEmojiNameFor(name: string, code: string): boolean {
  const nameCode = emojiCodeOf(name);
  return (
    nameCode === undefined ||
    nameCode === code ||
    getTables().otherNames.get(code)?.has(name) === true
  );
}

/** The code points of what may be one emoji, joined ones and skin tones included. */
const ELEMENT = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?`;
const CANDIDATE = new RegExp(
  String.raw`\p{Regional_Indicator}{2}` +
    String.raw`|[0-9#*]\ufe0f?\u20e3` +
    String.raw`|\u{1f3f4}[\u{e0020}-\u{e007e}]{1,7}\u{e007f}` +
    `|${ELEMENT}(?:\\u200d${ELEMENT}){0,5}(?!\\ufe0e)`,
  'gu',
);

/** Below this a lone character such as © or ™ is text unless a variation selector makes it an emoji. */
const FIRST_EMOJI = 0x2300;
const VARIATION = '\ufe0f';

const codePointsOf = (text: string): readonly number[] =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0);

/** The code of an emoji written as itself, whether or not this table knows it. */
const codeOfCharacters = (literal: string): string =>
  codePointsOf(literal.replaceAll(VARIATION, ''))
    .map((point) => point.toString(16).padStart(4, '0'))
    .join('-');

const isText = (literal: string): boolean => {
  const points = codePointsOf(literal);
  return points.length === 1 && (points[0] ?? 0) < FIRST_EMOJI;
};

/** An emoji that stands in a text as itself. */
export interface FoundEmoji {
  /** Where it starts, in UTF-16 code units. */
  readonly index: number;
  readonly literal: string;
  readonly code: string;
  readonly name: string;
}

/** The emoji of a text, in order; a sequence that is not known as a whole stays text. Takes linear time. */
export function* findEmoji(text: string): Generator<FoundEmoji, void> {
  for (const match of text.matchAll(CANDIDATE)) {
    const [literal] = match;
    if (isText(literal)) continue;
    const code = codeOfCharacters(literal);
    const name = emojiNameOf(code);
    if (name !== undefined) yield { index: match.index, literal, code, name };
  }
}

/** The characters of an emoji, as a text shows it; those that are text by default get a variation selector. */
export function emojiCharacters(code: string): string | undefined {
  if (emojiNameOf(code) === undefined) return undefined;
  const points = code.split('-').map((hex) => Number.parseInt(hex, 16));
  const shown = points.map((point, index) => {
    const character = String.fromCodePoint(point);
    const next = points[index + 1] ?? 0;
    const isToned = next >= 0x1f3fb && next <= 0x1f3ff;
    const isPlain = /\p{Emoji}/u.test(character) && !/\p{Emoji_Presentation}/u.test(character);
    return isPlain && !isToned ? character + VARIATION : character;
  });
  return shown.join('');
}
