/**
 * How a command is told a secret: by a file, by standard input or at a terminal. What stands on a command line everybody on the
 * computer can read.
 */
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { terminalLine } from '#node/terminal.ts';
import { readGivenFile } from './given-file.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

export interface SecretSource {
  /** What it is, to follow "no" or "the". */
  readonly name: string;
  /** The option that names its file. */
  readonly option: string;
  /** Null where none was named. */
  readonly file: string | null;
}

export async function promptFor(question: string): Promise<string> {
  // Standard output has nothing but what was done.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl+D ends the input, and no answer comes any more.
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(terminalLine(question)), ended]);
  } finally {
    lines.close();
  }
}

const readHere = (question: string): Promise<string> =>
  process.stdin.isTTY ? promptFor(question) : text(process.stdin);

/** @throws ExplainedError */
export async function readSecret({ name, option, file }: SecretSource): Promise<string> {
  const question = `${name.charAt(0).toUpperCase()}${name.slice(1)}: `;
  const given = file === null ? await readHere(question) : (await readGivenFile(file)).toString();
  if (given.trim() !== '') return given;
  throw new ExplainedError(
    file === null
      ? cliWords('secret_not_given', { secret: name, option })
      : cliWords('secret_file_empty', { file, secret: name }),
  );
}
