/**
 * How a command is told a secret: by a file, by standard input or at a terminal. What stands on a command line everybody on the
 * computer can read.
 */
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { codeOf } from '#node/error-code.ts';
import { terminalLine } from '#node/terminal.ts';

export interface SecretSource {
  /** What it is, to follow "no" or "the". */
  readonly name: string;
  /** The option that names its file. */
  readonly option: string;
  /** Null where none was named. */
  readonly file: string | null;
}

export async function promptFor(question: string, signal: AbortSignal): Promise<string> {
  // Standard output has nothing but what was done.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl+D ends the input, and no answer comes any more.
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(terminalLine(question), { signal }), ended]);
  } finally {
    lines.close();
  }
}

const readHere = (question: string, signal: AbortSignal): Promise<string> =>
  process.stdin.isTTY ? promptFor(question, signal) : text(process.stdin);

/** @throws Error, in one sentence */
export async function readSecret(
  { name, option, file }: SecretSource,
  signal: AbortSignal,
): Promise<string> {
  const question = `${name.charAt(0).toUpperCase()}${name.slice(1)}: `;
  const given =
    file === null
      ? await readHere(question, signal)
      : await readFile(file, 'utf8').catch((error: unknown) => {
          throw new Error(`The file ${file} cannot be read (${codeOf(error)}).`, { cause: error });
        });
  if (given.trim() !== '') return given;
  if (file !== null) throw new Error(`The file ${file} has no ${name} in it.`);
  throw new Error(
    `No ${name} was given: type it at a terminal, pipe it into this command, or name a file that has it with ${option}.`,
  );
}
