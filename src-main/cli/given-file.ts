import { readFile } from 'node:fs/promises';
import { codeOf } from '#node/error-code.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';

/** What is in a file that an option names. @throws ExplainedError where it cannot be read */
export async function readGivenFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const told = cliWords('file_not_readable', { file, code: codeOf(error) });
    throw new ExplainedError(told, { cause: error });
  }
}
