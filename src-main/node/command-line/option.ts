/** What an option is: one declaration, from which parsing, checks, help and documents follow. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

export interface Option<T = unknown> {
  /** What it is in a configuration file. */
  readonly type: 'boolean' | 'integer' | 'string' | 'strings';
  /** What stands for its value in help; empty where it takes none. */
  readonly argument: string;
  readonly summary: string;
  /** What a value has to be, to follow "needs". */
  readonly expected: string;
  /** Where nothing was given. */
  readonly initial: T;
  /** The same for people; empty where there is none. */
  readonly initialText: string;
  /** Undefined where it is not what was expected. @param folder  where a relative path begins */
  readonly read: (text: string, folder: string) => T | undefined;
  /** Where it may be given; everywhere unless it says otherwise. */
  readonly isFor?: 'command-line' | 'command-line-and-environment';
  /** The option that it is no use without. */
  readonly needs?: string;
  /** A relative one begins at a folder. */
  readonly isPath?: true;
  /** An earlier spelling, which help leaves out. */
  readonly isHidden?: true;
}

export type Options = Readonly<Record<string, Option>>;
export type ValueOf<O> = O extends Option<infer T> ? T : never;
export type ValuesOf<O extends Options> = { readonly [N in keyof O]: ValueOf<O[N]> };

const words: Readonly<Record<string, boolean>> = { true: true, false: false };

export const flag = (summary: string): Option<boolean> => ({
  type: 'boolean',
  argument: '',
  summary,
  expected: 'true or false',
  initial: false,
  initialText: '',
  read: (text) => (Object.hasOwn(words, text) ? words[text] : undefined),
});

/** @param expected  what `read` takes */
export const value = <T>(
  argument: string,
  summary: string,
  expected: string,
  read: Option<T>['read'],
): Option<T | null> => ({
  type: 'string',
  argument,
  summary,
  expected,
  read,
  initial: null,
  initialText: '',
});

export const text = (argument: string, summary: string): Option<string | null> =>
  value(argument, summary, 'a text', (given) => given);

/** No shell has read what a file says, or a unit of the system. */
const withHome = (given: string): string => given.replace(/^~(?=$|[/\\])/, () => homedir());

export const path = (argument: string, summary: string): Option<string | null> => ({
  ...value(argument, summary, 'a path', (given, folder) =>
    given.includes('\0') ? undefined : resolve(folder, withHome(given)),
  ),
  isPath: true,
});

interface Range {
  readonly from: number;
  readonly to: number;
  /** Without one it has none. */
  readonly initial: number;
}

export const integer = (
  argument: string,
  summary: string,
  { from, to, initial }: Range,
): Option<number> => ({
  type: 'integer',
  argument,
  summary,
  initial,
  initialText: String(initial),
  expected: `a whole number from ${String(from)} to ${String(to)}`,
  read: (given) => {
    const number = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
    return number >= from && number <= to ? number : undefined;
  },
});

export const withInitial = <T>(
  option: Option<T | null>,
  initial: T,
  initialText: string,
): Option<T> => ({
  ...option,
  initial,
  initialText,
  read: (given, folder) => option.read(given, folder) ?? undefined,
});

/** An option or a value that cannot be followed; its message names it and its place. */
export class OptionError extends ExplainedError {}

/** An option as a source has it. */
export interface Given {
  readonly name: string;
  /** Several where it was given several times. */
  readonly texts: readonly string[];
  /** As a message names it: the option, the variable, or the key with its place. */
  readonly at: string;
  /** Where a relative path begins. */
  readonly folder: string;
}

/** @throws OptionError */
export function readGiven(option: Option, { texts, at, folder }: Given): unknown {
  const values = texts.map((each) => {
    const found = each.trim() === '' ? undefined : option.read(each, folder);
    if (found !== undefined) return found;
    const { expected } = option;
    throw new OptionError(cliWords('option_value_invalid', { option: at, expected, value: each }));
  });
  return option.type === 'strings' ? values.flat() : values.at(-1);
}
