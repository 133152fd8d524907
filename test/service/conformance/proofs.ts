/** Which tests carry the ids that rows and claims name as their proof. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#test/support/machine.ts';
import { idIn, titlesIn } from './titles.ts';

/** The files whose tests carry an id, once for each test, by the id. */
export function carriersIn(
  sources: Iterable<readonly [file: string, source: string]>,
): ReadonlyMap<string, readonly string[]> {
  const carriers = new Map<string, string[]>();
  for (const [file, source] of sources) {
    // Most files have none, and reading a file as code takes much longer than this.
    const titles = /\.[a-z0-9-]+\]['"`]/.test(source) ? titlesIn(source) : [];
    for (const id of titles.map(idIn).filter((each) => each !== undefined)) {
      carriers.set(id, [...(carriers.get(id) ?? []), file]);
    }
  }
  return carriers;
}

const testFiles = globSync('test/**/*.test.ts', { cwd: projectDir });

export const carriers = carriersIn(
  testFiles.map((file) => [file, readFileSync(join(projectDir, file), 'utf8')]),
);

/** What is wrong with an id that a row or a claim names, or undefined. */
export function problemOf(id: string): string | undefined {
  const files = carriers.get(id) ?? [];
  if (files.length === 1) return undefined;
  if (files.length === 0) return `no test that runs carries [${id}]`;
  return `more than one test carries [${id}]: ${files.join(', ')}`;
}
