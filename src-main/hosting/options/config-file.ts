/** The configuration file: hearth.toml or hearth.json of the data folder, or the one that was named. */
import { dirname, extname, join } from 'node:path';
import { codeOf } from '#node/error-code.ts';
import { OptionError } from '#node/command-line/option.ts';
import { readIfThere } from '#node/files/read-if-exists.ts';
import { oneLine } from '#node/wording.ts';
import type { ConfigFile } from './option-sources.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

const NAMES = ['hearth.toml', 'hearth.json'] as const;

async function textIn(path: string): Promise<string | undefined> {
  try {
    const bytes = await readIfThere(path);
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined;
    if (codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new OptionError(cliWords('configuration_not_utf8', { file: path }));
    }
    const refused = { file: path, code: codeOf(error) };
    throw new OptionError(cliWords('configuration_not_readable', refused));
  }
}

async function parse(path: string, text: string): Promise<unknown> {
  if (extname(path) === '.json') return JSON.parse(text);
  // A service without a file does not wait for it.
  const { parse: parseToml, TomlError } = await import('smol-toml');
  try {
    return parseToml(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ''] = error.message.replace('Invalid TOML document: ', '').split('\n');
    const { line, column } = error;
    throw new ExplainedError(cliWords('configuration_syntax', { line, column, reason }), {
      cause: error,
    });
  }
}

async function configFile(path: string, text: string): Promise<ConfigFile> {
  try {
    const values = await parse(path, text);
    if (typeof values !== 'object' || values === null || Array.isArray(values)) {
      throw new ExplainedError(cliWords('configuration_not_object'));
    }
    return { path, folder: dirname(path), text, values: values as ConfigFile['values'] };
  } catch (error) {
    const misread = { file: path, reason: oneLine(error) };
    throw new OptionError(cliWords('configuration_not_understood', misread));
  }
}

async function findIn(dataDir: string): Promise<ConfigFile | undefined> {
  const found: ConfigFile[] = [];
  for (const path of NAMES.map((name) => join(dataDir, name))) {
    const text = await textIn(path);
    if (text !== undefined) found.push(await configFile(path, text));
  }
  const [one, other] = found;
  if (one === undefined || other === undefined) return one;
  const both = { file: one.path, other: other.path };
  throw new OptionError(cliWords('configuration_ambiguous', both));
}

/**
 * Undefined where there is none.
 * @param named  the one to read in place of those of the data folder
 * @throws OptionError
 */
export async function findConfigFile(
  named: string | null,
  dataDir: string,
): Promise<ConfigFile | undefined> {
  if (named === null) return findIn(dataDir);
  const text = await textIn(named);
  if (text === undefined) {
    throw new OptionError(cliWords('configuration_missing', { file: named }));
  }
  return configFile(named, text);
}
