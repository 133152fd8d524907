/** What a branch changes, for the forms of `npm run check` and `npm test` that look at that alone. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changesIn } from '#scripts/changes.ts';

let dir: string;

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  return execFileSync('git', [...identity, ...args], {
    cwd: dir,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_SYSTEM: devNull },
  }).trim();
}

const write = (name: string, text: string): void => writeFileSync(join(dir, name), text);

/** @returns the commit */
function commit(name: string, text: string): string {
  write(name, text);
  git('add', name);
  git('commit', '--quiet', '--message', name);
  return git('rev-parse', 'HEAD');
}

function newRepository(): string {
  dir = mkdtempSync(join(tmpdir(), 'hearth-changes-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  git('init', '--quiet', '--initial-branch', 'main');
  write('ignored', 'x');
  write('.gitignore', 'ignored\n');
  git('add', '.gitignore');
  return commit('old.ts', 'old');
}

test('on main nothing has changed until something is changed, which then has', () => {
  const since = newRepository();
  expect(changesIn(dir)).toEqual({ since, files: [], deleted: [] });
  write('old.ts', 'new');
  write('unknown file.ts', 'x');
  expect(changesIn(dir)).toEqual({ since, files: ['old.ts', 'unknown file.ts'], deleted: [] });
});

test('on a branch its commits count with what is staged, unstaged and unknown, and what main did meanwhile does not', () => {
  const since = newRepository();
  commit('meanwhile.ts', 'x');
  git('switch', '--quiet', '--create', 'branch', since);
  commit('committed.ts', 'x');
  commit('taken-back.ts', 'x');
  git('rm', '--quiet', 'taken-back.ts');
  git('mv', 'old.ts', 'renamed.ts');
  write('unknown.ts', 'x');
  mkdirSync(join(dir, 'folder'));
  write('folder/é.ts', 'x');
  expect(changesIn(dir)).toEqual({
    since,
    files: ['committed.ts', 'folder/é.ts', 'renamed.ts', 'unknown.ts'],
    deleted: ['old.ts'],
  });
});

test('where a branch is published, what is not published yet has changed, on main too', () => {
  const since = newRepository();
  git('update-ref', 'refs/remotes/origin/main', since);
  git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  commit('later.ts', 'x');
  expect(changesIn(dir)).toEqual({ since, files: ['later.ts'], deleted: [] });
});

test('without a branch to compare with, the last commit is it; without a commit nothing is known', () => {
  newRepository();
  git('branch', '--move', 'main', 'trunk');
  const since = commit('later.ts', 'x');
  write('old.ts', 'new');
  expect(changesIn(dir)).toEqual({ since, files: ['old.ts'], deleted: [] });
  rmSync(join(dir, '.git'), { recursive: true });
  git('init', '--quiet');
  expect(changesIn(dir)).toBeUndefined();
});
