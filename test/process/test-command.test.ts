/** `npm test` itself: what it prints, and how it watches. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { chromiumReason, projectDir } from '../support/machine.ts';
import { temporaryFolder } from './service-process.ts';

const SMALL = 'keys/chords';

const children = new Set<ChildProcess>();

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

function startTests(...args: readonly string[]) {
  // The run that this test is part of is none of its concern.
  const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...env } = process.env;
  const child = spawn(process.execPath, [join(projectDir, 'scripts', 'test.ts'), ...args], {
    cwd: projectDir,
    env: { ...env, NO_COLOR: '1', HEARTH_TEST_CACHE: temporaryFolder() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: unknown) => (output += String(text)));
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      children.delete(child);
      resolve(code);
    });
  });
  return { child, output: () => output, ended };
}

test('the table says of each suite how many seconds it took', async () => {
  const run = startTests('unit', '--', SMALL);
  expect(await run.ended).toBe(0);
  expect(run.output()).toMatch(
    /\nsuite +passed +failed +skipped +seconds\nunit +\d+ +0 +0 +\d+\.\d\n/,
  );
});

test('the fast run leaves out what needs a build, and of the service what has not changed', async () => {
  const run = startTests('--fast', '--', SMALL);
  expect(await run.ended).toBe(0);
  expect(run.output()).toMatch(/\nunit +\d+ +0 .*\nservice +0 +0 +0 .*no test ran.*\n\n\d+ passed/);
});

test('watching runs the files that are asked for and goes on until it is ended', async () => {
  const run = startTests('--watch', 'unit', '--', SMALL);
  await expect.poll(run.output).toMatch(/Waiting for file changes/);
  expect(run.output()).toMatch(/Test Files +1 passed/);
  run.child.kill('SIGINT');
  expect(await run.ended).toBe(0);
});

test('a suite that does not exist is refused with those that do', async () => {
  const run = startTests('--watch', 'everything');
  expect(await run.ended).toBe(1);
  expect(run.output()).toBe(
    'no suite and no test file is called everything; the suites are unit, service, process, ui, network, web, desktop\n',
  );
});

/** Two suites that run one after the other, and a file that both have. */
test.skipIf(chromiumReason !== undefined)(
  'an interrupted run ends, without going on to the next suite',
  async () => {
    const run = startTests('ui', 'web', '--', 'people.test');
    await expect.poll(run.output).toMatch(/RUN/);
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(1);
    expect(run.output()).not.toMatch(/^web/m);
  },
);
