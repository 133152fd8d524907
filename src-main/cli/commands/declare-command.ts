/** A command is declared once: how it is read, what help says of it, and what is done. */
import { parseArguments } from '#node/command-line/arguments.ts';
import { optionLines } from '#node/command-line/help.ts';
import {
  flag,
  OptionError,
  type Options,
  path,
  readGiven,
  type ValuesOf,
} from '#node/command-line/option.ts';
import { commandName } from '#node/own-command.ts';
import { defaultDataDir } from '#node/paths.ts';
import { type Environment, variablesGiven } from '#hosting/options/option-sources.ts';
import type { Command } from '../command-kinds.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

export interface CommandArguments {
  /** What stands behind the command and is no option. */
  readonly all: readonly string[];
  /** The first of them; empty where there is none. */
  readonly argument: string;
  /** What stands behind `--`, where that is handed on. */
  readonly rest: readonly string[];
  /** All of it, as it was written. */
  readonly written: readonly string[];
  readonly isGiven: (option: string) => boolean;
}

interface Argument {
  readonly name: string;
  readonly isOptional?: true;
  /** The option with which it may be left out. */
  readonly unless?: string;
  /** There may be any number of it. */
  readonly isRepeated?: true;
  /** An earlier spelling, which help leaves out. */
  readonly isHidden?: true;
}

interface Declaration<O extends Options> {
  /** What stands behind its name, one line each way of giving it. */
  readonly usage: readonly string[];
  /** For the list of all commands. */
  readonly summary: string;
  /** What help says between the usage and the options. */
  readonly about: string;
  /** What stands behind the options, where it is not what is said of most. */
  readonly end?: string;
  /** What stands behind the command and is no option; nothing may where it is left out. */
  readonly argument?: Argument;
  /** What stands behind `--` is handed on. */
  readonly takesRest?: true;
  readonly required?: readonly (keyof O & string)[];
  readonly exclusive?: readonly (readonly [keyof O & string, keyof O & string])[];
  readonly options: O;
  /** @throws OptionError */
  readonly make: (values: ValuesOf<O & typeof commonOptions>, given: CommandArguments) => Command;
}

export interface DeclaredCommand {
  /** Empty where it takes none. */
  readonly argument: string;
  readonly summary: string;
  /** Commands of its own, one of which stands behind it. */
  readonly actions?: Readonly<Record<string, DeclaredCommand>>;
  readonly help: (word: string) => string;
  /** @throws OptionError */
  readonly read: (args: readonly string[], env: Environment) => Command | 'help';
}

/** Options of every command, behind its own. */
const commonOptions = {
  json: flag('print one JSON object in place of sentences'),
  help: flag('print this and end'),
};

export const dataDir = (summary: string) => path('DIR', summary);
export const serviceDataDir = dataDir('the data folder of the service');

const endOfStatuses =
  'Exit status: 0 done; 1 not done, and one sentence on standard error says why; 2 options that do not go together';
/** Of commands that make or read a copy. */
export const endOfCopies = `${endOfStatuses};
3 done, but for files that the data folder itself has lost.`;

/** Options of all commands that do something to an organization. */
export interface SharedValues {
  readonly dataDir: string;
  readonly isJson: boolean;
}

export const sharedOf = (values: {
  readonly 'data-dir': string | null;
  readonly json: boolean;
}): SharedValues => ({ dataDir: values['data-dir'] ?? defaultDataDir(), isJson: values.json });

function checkArguments(
  { argument, required = [] }: Pick<Declaration<Options>, 'argument' | 'required'>,
  positionals: readonly string[],
  isGiven: CommandArguments['isGiven'],
): void {
  const nothing: Argument = { name: '', isOptional: true };
  const { name, isOptional, isRepeated, unless = '' } = argument ?? nothing;
  const surplus = isRepeated === true ? undefined : positionals[argument === undefined ? 0 : 1];
  if (surplus !== undefined) {
    throw new OptionError(cliWords('argument_unexpected', { argument: surplus }));
  }
  if (isOptional !== true && !isGiven(unless) && positionals.length === 0) {
    throw new OptionError(cliWords('argument_missing', { name }));
  }
  const missing = required.find((name) => !isGiven(name));
  if (missing !== undefined) {
    throw new OptionError(cliWords('option_missing', { option: missing }));
  }
}

/** The data folder may stand in the environment, as for the service. */
function fromEnvironment(options: Options, env: Environment): Readonly<Record<string, unknown>> {
  const option = options['data-dir'];
  const given = variablesGiven(env).find(({ name }) => name === 'data-dir');
  if (option === undefined || given === undefined) return {};
  return { 'data-dir': readGiven(option, given) };
}

/** As the list of all commands shows it. */
const argumentText = (argument: Argument | undefined): string => {
  if (argument === undefined || argument.isHidden === true) return '';
  const { name, isOptional, isRepeated } = argument;
  const shown = `${name}${isRepeated === true ? '…' : ''}`;
  return isOptional === true ? `[${shown}]` : shown;
};

/** Help is asked for before anything else is looked at. */
export function declareCommand<O extends Options>(declaration: Declaration<O>): DeclaredCommand {
  const { usage, summary, about, exclusive = [], takesRest, make } = declaration;
  const { end = endOfStatuses } = declaration;
  const options: Options = { ...declaration.options, ...commonOptions };
  return {
    argument: argumentText(declaration.argument),
    summary,
    help: (word) => {
      const shown = {
        ...options,
        ...(options['data-dir'] && {
          'data-dir': { ...options['data-dir'], initialText: defaultDataDir() },
        }),
      };
      const ways = usage.map((way) => `${commandName} ${word} ${way}`.trimEnd());
      return [
        `Usage: ${ways.join('\n       ')}`,
        about,
        optionLines(shown).join('\n'),
        end.endsWith('.') ? end : `${end}.`,
      ].join('\n\n');
    },
    read: (args, env) => {
      const { given, positionals, rest } = parseArguments(args, options);
      const names = new Set(given.map(({ name }) => name));
      const isGiven = (name: string): boolean => names.has(name);
      const clash = exclusive.find((pair) => pair.every(isGiven));
      if (clash !== undefined) {
        const [option, other] = clash;
        throw new OptionError(cliWords('options_exclude', { option, other }));
      }
      if (isGiven('help')) return 'help';
      const all = takesRest === true ? positionals : [...positionals, ...rest];
      checkArguments(declaration, all, isGiven);
      const values = {
        ...Object.fromEntries(
          Object.entries(options).map(([name, { initial }]) => [name, initial]),
        ),
        ...fromEnvironment(options, env),
        ...Object.fromEntries(
          given.map((each) => [
            each.name,
            readGiven(options[each.name] ?? commonOptions.help, each),
          ]),
        ),
      };
      return make(values as ValuesOf<O & typeof commonOptions>, {
        all,
        argument: all[0] ?? '',
        rest,
        written: args,
        isGiven,
      });
    },
  };
}
