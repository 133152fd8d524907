/** Where options are given: on the command line, in the environment, in a configuration file. */
import { parseArguments } from '#node/command-line/arguments.ts';
import { nearestOf, suggestion } from '#node/command-line/nearest.ts';
import { type Given, type Option, OptionError, text } from '#node/command-line/option.ts';
import { allOptions, limitOptions, serveTable, variableOf } from './option-table.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a configuration file has, and where. */
export interface ConfigFile {
  readonly path: string;
  /** Where relative paths begin. */
  readonly folder: string;
  readonly text: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const limitNames = Object.keys(limitOptions).map((key) => key.slice('limit.'.length));

export const argumentTable = {
  ...serveTable,
  limit: text('NAME=VALUE', 'allow more or less of something; may be given several times'),
};

function limitGiven(written: string): Given {
  const equals = written.indexOf('=');
  const name = equals === -1 ? written : written.slice(0, equals);
  if (limitNames.includes(name)) {
    const texts = [equals === -1 ? '' : written.slice(equals + 1)];
    return { name: `limit.${name}`, texts, at: `--limit ${name}`, folder: '' };
  }
  const near = nearestOf(name, limitNames);
  throw new OptionError(
    near === undefined
      ? cliWords('limit_unknown', { limit: written, limits: limitNames.join(', ') })
      : cliWords('limit_unknown_near', { limit: written, near }),
  );
}

/** @throws OptionError */
export function argumentsGiven(args: readonly string[]): readonly Given[] {
  const { given, positionals, rest } = parseArguments(args, argumentTable);
  const [surplus] = [...positionals, ...rest];
  if (surplus !== undefined) {
    throw new OptionError(cliWords('argument_unexpected', { argument: surplus }));
  }
  return given.flatMap((each) => (each.name === 'limit' ? each.texts.map(limitGiven) : [each]));
}

/** The same with whole paths, for a process that starts in another folder. @throws OptionError */
export const absoluteArguments = (args: readonly string[]): readonly string[] =>
  argumentsGiven(args).flatMap(({ name, texts, at }) => {
    const { argument, isPath, read } = allOptions[name] ?? serveTable.help;
    return texts.flatMap((written) => {
      if (name.startsWith('limit.'))
        return ['--limit', `${name.slice('limit.'.length)}=${written}`];
      if (argument === '') return [written === 'true' ? at : `${at}=${written}`];
      return [at, isPath === true ? String(read(written, '')) : written];
    });
  });

const isInEnvironment = ({ isFor }: Option): boolean => isFor !== 'command-line';
const isInFile = ({ isFor }: Option): boolean => isFor === undefined;

const variables = new Map(
  Object.entries(allOptions)
    .filter(([, option]) => isInEnvironment(option))
    .map(([key]) => [variableOf(key), key]),
);

const PREFIX = 'HEARTH_';
const withoutPrefix = (name: string): string => name.slice(PREFIX.length);
const variableNames = [...variables.keys()].map(withoutPrefix);

/** Other programs have variables, too: one that is nearly right stops nothing, and whoever wrote it hears of it. */
export const variableWarnings = (env: Environment): readonly string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !variables.has(name))
    .flatMap((name) => {
      const option = Object.keys(serveTable).find((key) => variableOf(key) === name);
      if (option !== undefined) {
        return [`${name} is not read: --${option} is for the command line alone.`];
      }
      const near = nearestOf(withoutPrefix(name), variableNames);
      return near === undefined
        ? []
        : [`${name} is no variable of Hearth: did you mean ${PREFIX}${near}?`];
    });

/** An empty one is not set, as Compose files and units leave them. */
export const variablesGiven = (env: Environment): readonly Given[] =>
  [...variables].flatMap(([at, name]) => {
    const written = env[at]?.trim() ?? '';
    if (written === '') return [];
    const isList = allOptions[name]?.type === 'strings';
    const parts = written.split(/[\s,]+/).filter((part) => part !== '');
    return [{ name, texts: isList ? parts : [written], at, folder: '' }];
  });

/** What a line of TOML or JSON begins with, as a key. */
const keyOf = (line: string): string =>
  (line.split(/[=:]/, 1)[0] ?? '').replaceAll(/[\s{,"'[\]]/g, '');

/** With the first line that has it; a table of one line has its keys behind others. */
function placeOf({ path, text: source }: ConfigFile, key: string): string {
  const names = [key, key.slice(key.indexOf('.') + 1)];
  const index = source.split('\n').findIndex((line) => names.includes(keyOf(line)));
  return `${key} in ${path}${index === -1 ? '' : `, line ${String(index + 1)}`}`;
}

const typeNames = {
  boolean: 'true or false',
  integer: 'a number',
  string: 'a text in quotes',
  strings: 'a text in quotes, or a list of them',
} as const;

/** Undefined where it is of another type. */
function textsOf({ type }: Option, written: unknown): readonly string[] | undefined {
  if (type === 'strings' && Array.isArray(written)) {
    return written.every((each) => typeof each === 'string') ? written : undefined;
  }
  const wanted = { boolean: 'boolean', integer: 'number', string: 'string', strings: 'string' };
  const isWanted =
    typeof written === wanted[type] || (type === 'integer' && typeof written === 'bigint');
  return isWanted ? [String(written)] : undefined;
}

/** Of a key that is none: written where it does not belong, as elsewhere, or nearly right. */
function hintFor(key: string, keys: readonly string[]): string {
  if (Object.hasOwn(allOptions, `limit.${key}`)) return ': it belongs below [limit]';
  const meant = variables.get(key) ?? key.replace(/^--/, '');
  return keys.includes(meant) ? `: did you mean ${meant}?` : suggestion(key, keys);
}

function keyGiven(file: ConfigFile, key: string, written: unknown): Given {
  const at = placeOf(file, key);
  const option = Object.hasOwn(allOptions, key) ? allOptions[key] : undefined;
  if (option === undefined || !isInFile(option)) {
    if (option !== undefined && option.isHidden !== true) {
      throw new OptionError(cliWords('option_not_in_file', { key: at, option: key }));
    }
    const keys = Object.keys(allOptions).filter((each) =>
      isInFile(allOptions[each] ?? serveTable.help),
    );
    const hint = hintFor(key, [...keys, 'limit']);
    throw new OptionError(cliWords('option_of_file_unknown', { key: at, hint }));
  }
  const texts = textsOf(option, written);
  if (texts !== undefined) return { name: key, texts, at, folder: file.folder };
  const wrong = { option: at, type: typeNames[option.type], value: JSON.stringify(written) };
  throw new OptionError(cliWords('option_needs_type', wrong));
}

const isTable = (written: unknown): written is Readonly<Record<string, unknown>> =>
  typeof written === 'object' && written !== null && !Array.isArray(written);

/** @throws OptionError */
export const keysGiven = (file: ConfigFile): readonly Given[] =>
  Object.entries(file.values).flatMap(([key, written]) => {
    if (key !== 'limit') return [keyGiven(file, key, written)];
    if (!isTable(written)) {
      throw new OptionError(cliWords('limits_not_a_table', { option: placeOf(file, key) }));
    }
    return Object.entries(written).map(([name, limit]) => keyGiven(file, `limit.${name}`, limit));
  });
