/** The lists of names that data has on disk, on the wire and under keys, one file a kind. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lines of a list; empty ones and those that begin with `#` are for readers. */
export function listed(kind: string): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, `${kind}.txt`), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
