/** How commands end where nobody reads what they print, as with `| head`, and where they wait for what they read. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entryOf } from '../support/entries.ts';
import { runService, stop, temporaryFolder } from './service-process.ts';

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
  const service = runService([process.execPath, ...args], {
    // The start warns of it.
    env: { ...process.env, HEARTH_PROT: '1' },
  });
  service.child.stderr?.destroy();
  expect(await service.origin).toMatch(/^http/);
  expect(await stop(service)).toMatchObject({ code: 0, signal: null });
});

test('a signal ends a command that waits for what it is to read', async () => {
  const fifo = join(temporaryFolder(), 'people.csv');
  execFileSync('mkfifo', [fifo]);
  const child = spawn(process.execPath, [entryOf('hearth'), 'user', 'add', '--csv', fifo], {
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  const released = ended.then(async () => {
    const reading = await open(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    await reading.close();
  });
  // It opens once the command reads, or has ended without that.
  const file = await open(fifo, 'w');
  child.kill('SIGINT');
  // A command that stays comes to the end of the file.
  await file.close();
  await released;
  expect(await ended).toEqual([null, 'SIGINT']);
});
