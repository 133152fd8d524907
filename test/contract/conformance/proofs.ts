/** Whether the tests exist that are named as proof of a row. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '../../support/machine.ts';
import type { Reference } from './rows/row.ts';
import { type Title, titlesIn } from './titles.ts';

const titlesByFile = new Map<string, readonly Title[] | undefined>();

function titlesOf(file: string): readonly Title[] | undefined {
  if (!titlesByFile.has(file)) {
    const [path] = globSync(file, { cwd: join(projectDir, 'test') });
    const read = (): string => readFileSync(join(projectDir, 'test', file), 'utf8');
    titlesByFile.set(file, path === undefined ? undefined : titlesIn(read()));
  }
  return titlesByFile.get(file);
}

/** What is wrong with a reference, or undefined. */
export function problemOf([file, title, group]: Reference): string | undefined {
  const titles = titlesOf(file);
  if (titles === undefined) return `there is no ${file}`;
  const found = titles.filter(
    (each) => each.title === title && (group === undefined || each.groups.includes(group)),
  );
  // Tests that share a title in one group belong together; elsewhere the row has to say which is meant.
  if (found.length === 1 || (found.length > 1 && group !== undefined)) return undefined;
  const where = group === undefined ? file : `${file}, '${group}'`;
  return `${where} has ${found.length === 0 ? 'no' : 'more than one'} test '${title}'`;
}
