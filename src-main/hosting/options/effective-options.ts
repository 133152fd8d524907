/** What is in force, and where each value comes from: as a file of the same, and for programs. */
import { type Option, readGiven } from '#node/command-line/option.ts';
import { defaultDataDir } from '#node/paths.ts';
import { allOptions } from './option-table.ts';
import type { GivenOptions } from './serve-options.ts';

export interface EffectiveOption {
  /** Its key in a file, with a dot for those in a table. */
  readonly name: string;
  /** Null where it has none. */
  readonly value: boolean | number | string | readonly string[] | null;
  /** The option, the variable, the key with its file, or `default`. */
  readonly from: string;
}

/** A time of the day is shown as it was written. */
const shownValue = (value: unknown, text: string): EffectiveOption['value'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? text
    : (value as EffectiveOption['value']);

function initialValue(name: string, { initial, initialText }: Option): EffectiveOption['value'] {
  return name === 'data-dir' ? defaultDataDir() : shownValue(initial, initialText);
}

/** Those of development are left out where nobody gave them: they are in no file. */
export const effectiveOptions = (given: GivenOptions): readonly EffectiveOption[] =>
  Object.entries(allOptions).flatMap(([name, option]) => {
    const found = given.get(name);
    if (found !== undefined) {
      const value = shownValue(readGiven(option, found), found.texts.at(-1) ?? '');
      return [{ name, value, from: found.at }];
    }
    if (option.isFor !== undefined) return [];
    return [{ name, value: initialValue(name, option), from: 'default' }];
  });

const lineOf = ({ name, value, from }: EffectiveOption, isFor: Option['isFor']): string => {
  const key = name.replace(/^limit\./, '');
  if (value === null) return `# ${key} is not set`;
  const written = `${key} = ${JSON.stringify(value)}`;
  return isFor === undefined ? `${written} # ${from}` : `# ${written}, by ${from}`;
};

/** Could be saved as hearth.toml. */
export function effectiveLines(options: readonly EffectiveOption[]): readonly string[] {
  const isLimit = ({ name }: EffectiveOption): boolean => name.startsWith('limit.');
  const line = (each: EffectiveOption): string => lineOf(each, allOptions[each.name]?.isFor);
  return [
    ...options.filter((each) => !isLimit(each)).map(line),
    ...['', '[limit]'],
    ...options.filter(isLimit).map(line),
  ];
}
