/** All emoji in their usual order. To be imported when they are wanted: they weigh more than the rest of a window. */
import { emojiCharacters, emojiCodeOf } from '#shared/text/emoji.ts';
import { emojiData } from '#shared/text/emoji-data.ts';
import { plain } from '#shared/text/fuzzy.ts';

export const categoryNames = [
  'smileys',
  'people',
  'animals',
  'food',
  'travel',
  'activities',
  'objects',
  'symbols',
  'flags',
] as const;
export type CategoryName = (typeof categoryNames)[number];

export interface ListedEmoji {
  readonly code: string;
  readonly characters: string;
  /** The first is the one it is shown under. */
  readonly names: readonly string[];
  readonly hasTones: boolean;
  /** Words of other emoji that describe it too. */
  readonly keywords: readonly string[];
}

export interface Category {
  readonly name: CategoryName;
  readonly emoji: readonly ListedEmoji[];
}

/** The first of each category in the order of the table; what comes before belongs to none. */
const firsts: Readonly<Record<string, CategoryName | 'parts'>> = {
  '1f600': 'smileys',
  '1f44b': 'people',
  // Tones and kinds of hair, which are no emoji of their own.
  '1f3fb': 'parts',
  '1f435': 'animals',
  '1f347': 'food',
  '1f30d': 'travel',
  '1f383': 'activities',
  '1f453': 'objects',
  '1f3e7': 'symbols',
  '1f3c1': 'flags',
};

function read(line: string): ListedEmoji {
  const [own = '', others = ''] = line.split(' | ');
  const [marked = '', ...names] = own.split(' ');
  const code = marked.replace('*', '');
  const keywords = others === '' ? [] : others.split(' ');
  const characters = emojiCharacters(code) ?? '';
  return { code, characters, names, hasTones: marked !== code, keywords };
}

let categories: readonly Category[] | undefined;

export function emojiCategories(): readonly Category[] {
  if (categories !== undefined) return categories;
  const found = new Map<CategoryName, ListedEmoji[]>(categoryNames.map((name) => [name, []]));
  let current: CategoryName | 'parts' = 'parts';
  for (const line of emojiData.flatMap((each) => each.split(';'))) {
    const emoji = read(line);
    current = firsts[emoji.code] ?? current;
    if (current !== 'parts') found.get(current)?.push(emoji);
  }
  categories = [...found].map(([name, emoji]) => ({ name, emoji }));
  return categories;
}

let all: readonly ListedEmoji[] | undefined;
export const allEmoji = (): readonly ListedEmoji[] =>
  (all ??= emojiCategories().flatMap(({ emoji }) => emoji));

function rank({ names, keywords }: ListedEmoji, wanted: string): number | null {
  if (names.includes(wanted)) return 0;
  if (names.some((name) => name.startsWith(wanted))) return 1;
  if (names.some((name) => name.split('_').some((word) => word.startsWith(wanted)))) return 2;
  if (keywords.some((word) => word.startsWith(wanted))) return 3;
  return names.some((name) => name.includes(wanted)) ? 4 : null;
}

/** Those whose name or description has the words, best first. */
export function searchEmoji(query: string): readonly ListedEmoji[] {
  const wanted = plain(query)
    .trim()
    .replaceAll(':', '')
    .replaceAll(/[\s-]+/g, '_');
  if (wanted === '') return [];
  const sign = allEmoji().filter(({ characters }) => characters === query.trim());
  if (sign.length > 0) return sign;
  return allEmoji()
    .map((emoji) => ({ emoji, at: rank(emoji, wanted) }))
    .filter((each): each is { emoji: ListedEmoji; at: number } => each.at !== null)
    .sort((a, b) => a.at - b.at)
    .map(({ emoji }) => emoji);
}

/** 0 for none, 1 to 5 from light to dark. */
export type Tone = 0 | 1 | 2 | 3 | 4 | 5;

/** The emoji as the service names it, in a tone where it has them. */
export function toned(emoji: ListedEmoji, tone: Tone): ListedEmoji {
  const first = emoji.names[0] ?? '';
  const name = `${first}_tone${String(tone)}`;
  const code = tone === 0 || !emoji.hasTones ? undefined : emojiCodeOf(name);
  const characters = code === undefined ? undefined : emojiCharacters(code);
  if (code === undefined || characters === undefined) return emoji;
  return { ...emoji, code, characters, names: [name, ...emoji.names.slice(1)] };
}
