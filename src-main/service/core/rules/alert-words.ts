/** Alert words: which texts they occur in (API decisions 5 and 7.3). */
import { refusal } from '#shared/api/refusal.ts';
import { fold } from '#shared/text/fold.ts';
import { lazy } from '#shared/text/lazy.ts';
import { wordBehind } from '#shared/text/word-boundaries.ts';
import { countCharacters } from './names.ts';

export const MAX_ALERT_WORD_CHARACTERS = 100;
/** Each is looked for in every message that is sent. */
export const MAX_ALERT_WORDS = 1000;

/** Who watches for a word; keys are folded. */
export type Watchers = ReadonlyMap<string, readonly number[]>;

export interface AlertWord {
  /** As its owner wrote it. */
  readonly word: string;
  readonly key: string;
}

/**
 * Words without blanks around them, each once without case; blank ones are left out.
 * @throws BAD_REQUEST when one is too long
 */
export function checkAlertWords(words: readonly string[]): readonly AlertWord[] {
  const byKey = new Map<string, AlertWord>();
  for (const each of words) {
    const word = each.trim();
    const key = fold(word);
    if (key === '' || byKey.has(key)) continue;
    if (countCharacters(word) > MAX_ALERT_WORD_CHARACTERS) {
      throw refusal('alert_word_too_long', { limit: MAX_ALERT_WORD_CHARACTERS });
    }
    byKey.set(key, { word, key });
  }
  return [...byKey.values()];
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function decodeEntity(entity: string, name: string): string {
  if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? entity;
  const isHex = /^#x/i.test(name);
  const point = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : entity;
}

const INLINE_TAG = /<\/?(?:a|strong|em|del|code|span|time|b|i|u|s|sub|sup)(?=[\s>])[^<>]*>/gi;

/** What a reader sees of sanitised HTML, as far as words go: blocks are apart, marks inside a word are not. */
export const plainTextOf = (html: string): string =>
  html
    .replace(INLINE_TAG, '')
    .replace(/<[^<>]*>/g, '\n')
    .replace(/&(#?\w{1,10});/g, decodeEntity);

const wordCharacter = lazy(() => new RegExp(`^${wordBehind}$`, 'v'));

const joins = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && wordCharacter().test(a) && wordCharacter().test(b);

const lastCharacter = (text: string): string | undefined => Array.from(text.slice(-2)).at(-1);
const firstCharacter = (text: string): string | undefined => Array.from(text.slice(0, 2))[0];

/** Whether a word occurs whole. @param text  folded, as the key is */
export function occursIn(key: string, text: string): boolean {
  const [first, last] = [firstCharacter(key), lastCharacter(key)];
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at + 1)) {
    const end = at + key.length;
    const isApart =
      !joins(lastCharacter(text.slice(Math.max(0, at - 2), at)), first) &&
      !joins(last, firstCharacter(text.slice(end, end + 2)));
    if (isApart) return true;
  }
  return false;
}

/** The accounts one of whose words occurs in a rendered message, ascending. */
export function findAlerted(watchers: Watchers, html: string): readonly number[] {
  if (watchers.size === 0) return [];
  const text = fold(plainTextOf(html));
  const alerted = new Set<number>();
  for (const [key, userIds] of watchers) {
    if (occursIn(key, text)) for (const userId of userIds) alerted.add(userId);
  }
  return [...alerted].sort((a, b) => a - b);
}
