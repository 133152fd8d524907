/** Where compiled code is kept, by a process of its own: Node is asked for one folder only once. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { cacheDir } from '#node/paths.ts';
import { projectDir } from '../support/machine.ts';
import { temporaryFolder } from './service-process.ts';

const module = pathToFileURL(join(projectDir, 'src-main', 'node', 'compile-cache.ts')).href;
const program = `
  import { getCompileCacheDir } from 'node:module';
  import { cacheCompiledCode } from '${module}';
  cacheCompiledCode();
  process.stdout.write(getCompileCacheDir() ?? 'nowhere');
`;

let root: string;
let env: Readonly<Record<string, string>>;
let folder: string;
beforeEach(() => {
  root = temporaryFolder();
  env = { HOME: root, TMPDIR: join(root, 'tmp') };
  mkdirSync(env['TMPDIR']!);
  folder = join(cacheDir({ platform: process.platform, env, home: root }), 'compiled');
});

/** Where a process keeps it. */
const keptIn = (): string =>
  execFileSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
    { env, encoding: 'utf8' },
  );

test("compiled code is in a folder of its account's alone, and not among temporary files", () => {
  expect(dirname(keptIn())).toBe(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(env['TMPDIR']!)).toEqual([]);
});

test.each([0o770, 0o702])(
  'nothing that a folder has to which others may write (%o) is run [compile-cache.nothing-folder-write]',
  (mode) => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, mode);
    expect(keptIn()).toBe('nowhere');
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('a home that takes no folder is no obstacle', () => {
  env = { ...env, HOME: join(root, 'file') };
  writeFileSync(env['HOME']!, '');
  expect(keptIn()).toBe('nowhere');
});

test('a folder that has become large begins anew', () => {
  const old = join(folder, 'of-another-node');
  mkdirSync(old, { recursive: true, mode: 0o700 });
  for (let n = 0; n < 999; n += 1) writeFileSync(join(old, String(n)), '');
  chmodSync(folder, 0o700);
  keptIn();
  expect(existsSync(old)).toBe(true);
  writeFileSync(join(old, '999'), '');
  expect(dirname(keptIn())).toBe(folder);
  expect(existsSync(old)).toBe(false);
});
