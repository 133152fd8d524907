/**
 * Text as it is compared: without accents, and in one form of each letter, whatever keyboard and system it was typed on. Everything
 * that is cut, sought or marked was folded here before, and a piece of it is folded as it is inside of any text.
 */
import { plainLetters, tableOf } from '../text/keyboard-letters.ts';

export interface Folded {
  /** Upper and lower case are as they were: they tell where parts of words begin. */
  readonly plain: string;
  /** The same in lower case, of the same length. */
  readonly lower: string;
}

/** A character with what belongs to it: accents, joiners, the rest of a syllable in Hangul, the dots of narrow kana. */
const CLUSTER =
  /[\0-\x7f][\p{M}\p{Default_Ignorable_Code_Point}]+|[^\0-\x7f][\p{M}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\uff9e\uff9f]*/gu;
/**
 * Accents, but not the breve that makes a letter of its own of и; points of Hebrew and Arabic, and what stretches words there;
 * what nobody sees, but not the letters of flags.
 */
const DROPPED =
  /(?<![иИ])[\u0300-\u036f]+|(?=\p{M})[\p{scx=Hebrew}\p{scx=Arabic}]|\u0640|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]|(?![\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu;

/** Forms of Arabic letters, of which each region types others, and digits. */
const arabic = tableOf(
  'ٱا ىي یي کك ةه ہه ھه ۃه ٠0 ١1 ٢2 ٣3 ٤4 ٥5 ٦6 ٧7 ٨8 ٩9 ۰0 ۱1 ۲2 ۳3 ۴4 ۵5 ۶6 ۷7 ۸8 ۹9',
);

function withUpperCase(table: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const both = new Map([...table, ['ẞ', 'SS']]);
  for (const [letter, plain] of table) {
    const upper = letter.toUpperCase();
    if (upper.length === 1 && !both.has(upper)) both.set(upper, plain.toUpperCase());
  }
  return both;
}

const letters = withUpperCase(new Map([...plainLetters, ...arabic]));

/** A letter with its accents; a longer one comes hardly ever again. */
const MAX_KNOWN_LENGTH = 8;
const MAX_KNOWN = 20_000;
const known = new Map<string, string>();

function foldAnew(cluster: string): string {
  const decomposed = cluster.normalize('NFKD').replace(DROPPED, '');
  return Array.from(decomposed, (letter) => letters.get(letter) ?? letter)
    .join('')
    .normalize('NFC');
}

function foldCluster(cluster: string): string {
  if (cluster.length > MAX_KNOWN_LENGTH) return foldAnew(cluster);
  const found = known.get(cluster) ?? foldAnew(cluster);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(cluster, found);
  return found;
}

/** At the end of a word a capital sigma becomes another letter than inside of it. */
export const lowerOf = (plain: string): string => plain.toLowerCase().replaceAll('ς', 'σ');

const foldedOf = (plain: string): Folded => ({ plain, lower: lowerOf(plain) });

const encoder = new TextEncoder();
const room = new Uint8Array(2 ** 15);

/** Whether all characters are among the first 128, asked in a fifth of the time that an expression takes; false for what is very long. */
export function isAscii(text: string): boolean {
  const { read, written } = encoder.encodeInto(text, room);
  return read === text.length && written === read;
}

/** The same as `foldText` for what `isAscii` holds of. */
export const asciiText = (text: string): Folded => ({ plain: text, lower: text.toLowerCase() });

export const foldText = (text: string): Folded =>
  isAscii(text) ? asciiText(text) : foldedOf(text.replace(CLUSTER, foldCluster));

export interface FoldedPlaces extends Folded {
  /** Where in the text the character begins, and where it ends, of which this one was made. */
  readonly startOf: (offset: number) => number;
  readonly endOf: (offset: number) => number;
}

/** The same, with the way back. */
export function foldPlaces(text: string): FoldedPlaces {
  const starts: number[] = [];
  const ends: number[] = [];
  let plain = '';
  const take = (piece: string, from: number, length: number): void => {
    for (let index = 0; index < piece.length; index += 1) {
      const at = length === 0 ? from + index : from;
      starts.push(at);
      ends.push(length === 0 ? at + 1 : from + length);
    }
    plain += piece;
  };
  let end = 0;
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    take(text.slice(end, index), end, 0);
    take(foldCluster(cluster), index, cluster.length);
    end = index + cluster.length;
  }
  take(text.slice(end), end, 0);
  return {
    ...foldedOf(plain),
    startOf: (offset) => starts[offset] ?? text.length,
    endOf: (offset) => ends[offset] ?? text.length,
  };
}
