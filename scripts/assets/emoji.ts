/**
 * Makes src-main/shared/text/emoji-data.ts from emojibase-data, so that nothing of that package is needed at run time:
 * `node scripts/assets/emoji.ts`. To be run again when the package brings a newer Unicode.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import emojiList from 'emojibase-data/en/data.json' with { type: 'json' };
import cldr from 'emojibase-data/en/shortcodes/cldr.json' with { type: 'json' };
import emojibase from 'emojibase-data/en/shortcodes/emojibase.json' with { type: 'json' };
import github from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' };
import iamcal from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };
import joypixels from 'emojibase-data/en/shortcodes/joypixels.json' with { type: 'json' };
import { projectDir } from '../project-dir.ts';

interface Emoji {
  readonly hexcode: string;
  readonly label: string;
  readonly tags?: readonly string[];
  readonly skins?: readonly { readonly hexcode: string; readonly tone: number | number[] }[];
}
type Shortcodes = Readonly<Record<string, string | readonly string[]>>;

/** Where two sets give a name to different emoji, the earlier one wins. */
const sets: readonly Shortcodes[] = [github, iamcal, emojibase, joypixels, cldr];

/** Names that clients of the API use and that none of the sets has. */
const moreNames: Readonly<Record<string, readonly string[]>> = {
  '1f389': ['celebrate'],
  '1f38a': ['confetti'],
  '1f3c6': ['award'],
  '1f440': ['looking'],
  '1f44c': ['okay'],
  '1f44d': ['like'],
  '1f44b': ['hello', 'hi'],
  '1f44f': ['applause'],
  '1f4a1': ['idea'],
  '1f4af': ['hundred'],
  '1f41b': ['caterpillar'],
  '1f604': ['big_smile'],
  '1f615': ['oh_no'],
  '1f626': ['frown'],
  '1f641': ['frowning_slightly'],
  '1f64f': ['thank_you', 'please'],
  '1f680': ['launch'],
  '1f6e0': ['working_on_it'],
  '23f0': ['alarm'],
  '2611': ['checkbox'],
  '2705': ['check', 'all_good', 'approved'],
  '2714': ['check_mark'],
  '2692': ['at_work'],
  '274c': ['cross_mark', 'incorrect', 'wrong'],
};

/** Names that the sets give to another emoji and some client to this one. */
const moreOtherNames: Readonly<Record<string, readonly string[]>> = { '1f4c6': ['date'] };

const codeOf = (hexcode: string): string => hexcode.toLowerCase().replaceAll('-fe0f', '');
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** Whether its skin tones are made by putting the tone behind the first code point. */
function isToned({ hexcode, skins = [] }: Emoji): boolean {
  const [first = '', ...rest] = codeOf(hexcode).split('-');
  return skins.some(({ hexcode: skin }) => codeOf(skin) === [first, '1f3fb', ...rest].join('-'));
}

const emoji: readonly Emoji[] = emojiList;
const taken = new Set<string>();
const namesByEmoji = new Map<Emoji, string[]>(emoji.map((each) => [each, []]));
const give = (each: Emoji, names: readonly string[]): void => {
  for (const name of names) {
    if (taken.has(name)) continue;
    taken.add(name);
    namesByEmoji.get(each)?.push(name);
  }
};
for (const set of sets) for (const each of emoji) give(each, [set[each.hexcode] ?? []].flat());
for (const each of emoji) give(each, moreNames[codeOf(each.hexcode)] ?? []);

/** Names of other emoji that describe this one as well: some client may call it so. */
function otherNames(each: Emoji): readonly string[] {
  const own = namesByEmoji.get(each) ?? [];
  const shortcodes = sets.flatMap((set) => [set[each.hexcode] ?? []].flat());
  const phrases = [each.label, ...(each.tags ?? []), ...shortcodes];
  const described = phrases.flatMap((phrase) => [
    ...wordsOf(phrase),
    wordsOf(phrase).join('_'),
    phrase,
  ]);
  described.push(...(moreOtherNames[codeOf(each.hexcode)] ?? []));
  return [...new Set(described)].filter((name) => taken.has(name) && !own.includes(name));
}

const entries = emoji.map((each) => {
  const names = (namesByEmoji.get(each) ?? []).join(' ');
  const others = otherNames(each).join(' ');
  const code = codeOf(each.hexcode) + (isToned(each) ? '*' : '');
  return `${code} ${names}${others === '' ? '' : ` | ${others}`}`;
});

const PER_LINE = 20;
const lines: string[] = [];
for (let index = 0; index < entries.length; index += PER_LINE) {
  lines.push(`  '${entries.slice(index, index + PER_LINE).join(';')}',`);
}

writeFileSync(
  join(projectDir, 'src-main/shared/text/emoji-data.ts'),
  `/**
 * Made by scripts/assets/emoji.ts; not to be edited. Each emoji is its code, a \`*\` if it has skin tones, its names, the
 * first of which it is shown under, and behind a bar the names of other emoji that describe it too.
 * From emojibase-data, MIT licence, Copyright (c) 2017-2019 Miles Johnson.
 */
export const emojiData: readonly string[] = [
${lines.join('\n')}
];
`,
);
