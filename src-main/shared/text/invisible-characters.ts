/**
 * What nobody sees in a name. Two names that differ in it look the same, so none of it stands in what people tell each other, places
 * and things apart by. Joiners and selectors stay where scripts and emoji need them (API decisions 2.5).
 */
import { lazy } from './lazy.ts';

const JOINERS = String.raw`\u200c\u200d`;
const ELEMENT = String.raw`\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\ufe0e\ufe0f])?`;
/** Letters that no letter joins from behind: a joiner there changes nothing. */
const UNJOINED_ARABIC = String.raw`\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef`;
const JOINED_ARABIC = String.raw`[[\p{sc=Arab}&&\p{L}]--[${UNJOINED_ARABIC}]]\p{M}{0,3}`;
const INDIC = String.raw`[\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Mymr}\p{sc=Khmr}\p{sc=Tibt}]`;
/** They join consonants, of which a joiner says how. */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0f84\u1039\u103a\u17c9\u17ca\u17d2]`;
const CURSIVE = String.raw`[\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}\p{sc=Adlm}\p{sc=Mand}\p{sc=Rohg}]`;

const NEEDED = [
  // Indic scripts: at the sign that joins two consonants.
  String.raw`(?<=${VIRAMA})[${JOINERS}]|(?<=${INDIC})[${JOINERS}](?=${VIRAMA})`,
  // Persian and others: letters that would join, and a letter that stands alone.
  String.raw`(?<=${JOINED_ARABIC})\u200c(?=[\p{sc=Arab}&&\p{L}])`,
  String.raw`(?<=${JOINED_ARABIC})\u200d(?!\p{sc=Arab})`,
  String.raw`(?<=${CURSIVE})[${JOINERS}](?=${CURSIVE})`,
  String.raw`(?<=\p{sc=Mong})[\u180b-\u180d\u180f]|(?<=\p{sc=Mong})\u180e(?=\p{sc=Mong})`,
  // Forms of ideographs, which names of people have.
  String.raw`(?<=\p{Unified_Ideograph})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
].join('|');

const EMOJI = String.raw`\p{RGI_Emoji_Tag_Sequence}|[0-9#*]\ufe0f?\u20e3|${ELEMENT}(?:\u200d${ELEMENT})*`;
const CONTROL = String.raw`\p{Cc}\p{Zl}\p{Zp}`;
const DIRECTION = String.raw`\p{Bidi_Control}`;
/** Some signs of format are seen: those of Arabic numbers, Syriac and Kaithi. */
const UNSEEN = String.raw`[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Cs}${CONTROL}${DIRECTION}\u2800\ufffc\u{1d159}[\p{Cf}--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]]`;

const pieces = lazy(
  () => new RegExp(`(?<emoji>${EMOJI})|(?:${NEEDED})|(?<unseen>${UNSEEN})`, 'gv'),
);
const controls = lazy(() => new RegExp(`[${CONTROL}]`, 'v'));
const directions = lazy(() => new RegExp(`[${DIRECTION}]`, 'v'));
const rgiEmoji = lazy(() => /^\p{RGI_Emoji}$/v);
const PLAIN = /^[\x20-\x7e]*$/;

/** Many systems leave out the selectors between what is joined. */
const isJoinedEmoji = (emoji: string): boolean =>
  rgiEmoji().test(
    emoji
      .replaceAll('\ufe0f', '')
      .replaceAll(
        /(?!\p{Emoji_Presentation})\p{Extended_Pictographic}(?!\p{Emoji_Modifier})/gu,
        '$&\ufe0f',
      ),
  );

/** The text with each character that nobody sees replaced. */
function replaceInvisible(text: string, replace: (character: string) => string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(pieces(), (piece: string, ...rest: readonly unknown[]) => {
    const { emoji, unseen } = rest.at(-1) as { readonly emoji?: string; readonly unseen?: string };
    if (unseen !== undefined) return replace(unseen);
    return emoji === undefined || !emoji.includes('\u200d') || isJoinedEmoji(emoji)
      ? piece
      : emoji.replaceAll('\u200d', replace);
  });
}

/** What a name has that nobody sees, the worst of it; undefined for a name that shows all it has. */
export function invisibleIn(name: string): 'control' | 'direction' | 'invisible' | undefined {
  let found = '';
  replaceInvisible(name, (character) => {
    found += character;
    return '';
  });
  if (found === '') return undefined;
  if (controls().test(found)) return 'control';
  return directions().test(found) ? 'direction' : 'invisible';
}

/** The name as it is seen, for those who cannot be asked for another one; control characters become blanks. */
export const withoutInvisible = (name: string): string =>
  replaceInvisible(name, (character) => (controls().test(character) ? ' ' : ''));

/** The name with what nobody sees written out, such as `Ada<U+200B>`. */
export const withInvisibleSpelled = (name: string): string =>
  replaceInvisible(
    name,
    (character) =>
      `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
