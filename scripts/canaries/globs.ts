/**
 * Whether each file is looked at: a test by one project of vitest, code by a program of types that `npm run check` makes, by
 * the linter with that program's types, and by `npm run check -- --changed` after a change of it.
 */
import { existsSync, globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import type { TestProjectConfiguration } from 'vitest/config';
import vitest from '#test/vitest.config.ts';
import { programs, stepsFor } from '../checks.ts';
import { projectDir } from '../project-dir.ts';
import { codeFiles, report } from './files.ts';

const problems: string[] = [];

const slashed = (name: string): string => name.replaceAll('\\', '/');

/** Which of vitest's projects have which tests. What cannot run on this machine counts too. */
function testsOf(project: TestProjectConfiguration): readonly string[] {
  const include = typeof project === 'object' && 'test' in project ? project.test.include : [];
  return globSync(include ?? [], { cwd: projectDir }).map(slashed);
}

const testFiles = (vitest.test?.projects ?? []).flatMap(testsOf);
for (const path of codeFiles.filter((name) => name.endsWith('.test.ts'))) {
  const count = testFiles.filter((name) => name === path).length;
  if (count !== 1) problems.push(`${path} belongs to ${count} projects of test/vitest.config.ts`);
}

/** Files that the `tsconfig.json` of a folder names itself. */
function filesOf(folder: string): ReadonlySet<string> {
  const file = join(projectDir, folder, 'tsconfig.json');
  const { config } = ts.readConfigFile(file, (name) => ts.sys.readFile(name)) as {
    config: unknown;
  };
  const { fileNames } = ts.parseJsonConfigFileContent(
    config,
    ts.sys,
    dirname(file),
    undefined,
    file,
    undefined,
    [{ extension: '.svelte', isMixedContent: true, scriptKind: ts.ScriptKind.Deferred }],
  );
  return new Set(fileNames.map((name) => slashed(relative(projectDir, name))));
}

const known = new Map<string, ReadonlySet<string>>();
function knownFilesOf(folder: string): ReadonlySet<string> {
  const files = known.get(folder) ?? filesOf(folder);
  known.set(folder, files);
  return files;
}

/** The program in which eslint looks for a file. */
function nearest(path: string): string {
  let folder = dirname(path);
  while (!existsSync(join(projectDir, folder, 'tsconfig.json'))) folder = dirname(folder);
  return folder;
}

const configuration = new Set(['eslint.config.js', 'test/layers.cjs']);
for (const path of codeFiles.filter((name) => !configuration.has(name))) {
  const own = programs.filter((folder) => knownFilesOf(folder).has(path));
  if (own.length === 0) problems.push(`no program of types that is checked has ${path}`);
  if (!knownFilesOf(nearest(path)).has(path)) {
    problems.push(
      `eslint looks for ${path} in ${nearest(path)}/tsconfig.json, which does not name it`,
    );
  }
  const steps = stepsFor({ files: [path], deleted: [] }).map(({ name }) => name);
  for (const folder of own) {
    if (!steps.some((name) => name === `types ${folder}` || name === `svelte ${folder}`)) {
      problems.push(`npm run check -- --changed does not check the types of ${folder} for ${path}`);
    }
  }
}

report(problems);
