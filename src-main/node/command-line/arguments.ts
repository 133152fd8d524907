/** A command line, by its options. */
import { parseArgs } from 'node:util';
import { suggestion } from './nearest.ts';
import { type Given, type Option, OptionError, type Options } from './option.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

export interface ParsedArguments {
  readonly given: readonly Given[];
  /** What is no option. */
  readonly positionals: readonly string[];
  /** What stands behind `--`. */
  readonly rest: readonly string[];
}

/** `--host --dev` is a forgotten value, not a host named `--dev`. */
const isMissing = ({ value, inlineValue }: OptionToken): boolean =>
  value === undefined || value === '' || (inlineValue !== true && value.startsWith('--'));

function textOf(option: Option, { name, value, ...token }: OptionToken): string {
  if (option.argument === '') {
    if (value === undefined) return 'true';
    if (option.read(value, '') !== undefined) return value;
    const { expected } = option;
    throw new OptionError(cliWords('option_takes_no_value', { option: name, expected, value }));
  }
  if (isMissing({ name, value, ...token })) {
    throw new OptionError(cliWords('option_needs_value', { option: name }));
  }
  return value ?? '';
}

/** The options as written, each with all of its values. @throws OptionError */
export function parseArguments(args: readonly string[], options: Options): ParsedArguments {
  const known = Object.fromEntries(
    Object.entries(options).map(([name, { argument }]) => [
      name,
      { type: argument === '' ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, tokens: true });
  const texts = new Map<string, string[]>();
  const positionals: string[] = [];
  const rest: string[] = [];
  let isRest = false;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') isRest = true;
    else if (token.kind === 'positional') (isRest ? rest : positionals).push(token.value);
    else {
      const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
      if (option === undefined) {
        const names = Object.keys(options).filter((name) => options[name]?.isHidden !== true);
        const hint = suggestion(
          token.rawName,
          names.map((name) => `--${name}`),
        );
        throw new OptionError(cliWords('option_unknown', { option: token.rawName, hint }));
      }
      texts.set(token.name, [...(texts.get(token.name) ?? []), textOf(option, token)]);
    }
  }
  const given = [...texts].map(([name, all]) => ({
    name,
    texts: all,
    at: `--${name}`,
    // That of the process, which is asked for only where a path is relative.
    folder: '',
  }));
  return { given, positionals, rest };
}
