/**
 * Where a word ends, for what stands right beside it: mentions, links, emoji, formulas, alert words (API decisions 6.4). Chinese, Japanese,
 * Thai and the like have no blanks between words, and Korean writes particles right behind a name: their letters are edges of words.
 */
import { lazy } from './lazy.ts';

/** Letters that need no blank beside them, for a class of a regular expression with the flag `v`. */
export const unspaced = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;
/** Hebrew and Arabic write words such as "to" and "and" as a prefix of the next. */
const prefixing = String.raw`\p{scx=Hebr}\p{scx=Arab}`;
/** Signs that make an emoji of what they follow. */
const emojiSigns = String.raw`\ufe0e\ufe0f\u20e3`;

/** A character that what follows would be part of the same word with. */
export const wordBefore = String.raw`[[\p{L}\p{M}\p{N}_]--[${unspaced}${prefixing}${emojiSigns}]]`;
/** A character that would go on with the word before it. */
export const wordBehind = String.raw`[[\p{L}\p{M}\p{N}_]--[${unspaced}]]`;

const endsInWord = lazy(() => new RegExp(`${wordBefore}$`, 'v'));
const startsWithWord = lazy(() => new RegExp(`^${wordBehind}`, 'v'));

// Two units, because a letter may take two.
export const isWordBefore = (text: string, at: number): boolean =>
  endsInWord().test(text.slice(Math.max(0, at - 2), at));

export const isWordBehind = (text: string, at: number): boolean =>
  startsWithWord().test(text.slice(at, at + 2));
