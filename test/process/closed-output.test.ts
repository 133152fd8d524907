/** What is printed where nobody reads any more, as with `| head`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
