import { readFile } from 'node:fs/promises';
import { codeOf } from '../error-code.ts';

/** Undefined where there is no file. */
export function readIfThere(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}
