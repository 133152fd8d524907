import { globSync } from 'node:fs';
import { dirname, extname } from 'node:path';
import { projectDir } from '../project-dir.ts';

/** Every file of the project's code, as paths below its folder, in order. */
export const codeFiles: readonly string[] = globSync(
  ['{src-*,scripts,test}/**/*.{ts,js,cjs,svelte}', '*.{ts,js}'],
  { cwd: projectDir, exclude: ['test/canary', 'test/earlier'] },
)
  .map((name) => name.replaceAll('\\', '/'))
  .sort();

/** Of these files the first one of each folder and kind. */
export function oneOfEachFolder(files: readonly string[]): readonly string[] {
  const byFolder = Map.groupBy(files, (path) => `${dirname(path)} ${extname(path)}`);
  return [...byFolder.values()].flatMap((paths) => paths.slice(0, 1));
}

/** Prints what should have been refused, or was missed, and ends with a failure if there is anything. */
export function report(problems: readonly string[]): void {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
