/** How commands end where nobody reads what they print, as with `| head`, and where they wait for what they read. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { entryOf } from '../support/entries.ts';
import { temporaryFolder } from './service-process.ts';

test('a command ends as it would, in silence', async () => {
  const child = spawn(process.execPath, [entryOf('hearth'), '--help'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(stderr).toBe('');
});

test('a service goes on', async () => {
  const args = [entryOf('serve'), '--data-dir', temporaryFolder(), '--port', '0'];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The start warns of it.
    env: { ...process.env, HEARTH_PROT: '1' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stderr.destroy();
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  await once(child.stdout, 'data');
  expect(stdout).toMatch(/^serving http/);
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
});

test('a signal ends a command that waits for what it is to read', async () => {
  const fifo = join(temporaryFolder(), 'people.csv');
  execFileSync('mkfifo', [fifo]);
  const child = spawn(process.execPath, [entryOf('hearth'), 'user', 'add', '--csv', fifo], {
    stdio: 'ignore',
  });
  // It opens once the command reads.
  const file = await open(fifo, 'w');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
  await file.close();
});
