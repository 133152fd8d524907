/** What npm runs: as the shells of all systems read it, and as a signal reaches it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '#package.json' with { type: 'json' };
import { projectDir } from '../support/machine.ts';
import { runService, stop, temporaryFolder } from './service-process.ts';

const scripts: Readonly<Record<string, string>> = manifest.scripts;

/** A program and its words, without a sign that one of the shells reads as something else. */
const PLAIN_WORDS = /^[\w-]+(?: [\w./:=-]+)*$/;

test.each(Object.entries(scripts))('cmd.exe reads npm run %s as sh does', (_name, script) => {
  expect(script).toMatch(PLAIN_WORDS);
  const [program = ''] = script.split(' ');
  // cmd.exe looks in the folder of the project first, sh among its own words.
  const places = [join('node_modules', '.bin', program), `${program}.cmd`];
  expect(places.filter((place) => existsSync(join(projectDir, place)))).not.toEqual([]);
});

type Send = (pid: number) => void;

const ways: readonly (readonly [string, Send])[] = [
  ['SIGTERM to npm', (pid) => process.kill(pid, 'SIGTERM')],
  ['SIGINT to npm', (pid) => process.kill(pid, 'SIGINT')],
  // The terminal sends it to all that runs in front.
  ['Ctrl+C', (pid) => process.kill(-pid, 'SIGINT')],
];

test.each(ways)('%s ends a service cleanly, and npm after it', async (_name, send) => {
  const dataDir = temporaryFolder();
  const words = ['npm', 'run', '--silent', 'serve', '--', '--data-dir', dataDir, '--port', '0'];
  const service = runService(words, { detached: true });
  const pid = service.child.pid ?? 0;
  onTestFinished(() => {
    if (service.child.exitCode === null) process.kill(-pid, 'SIGKILL');
  });
  const origin = await service.origin;
  send(pid);
  expect(await service.ended).toMatchObject({ code: 0, signal: null });
  await expect(fetch(origin)).rejects.toThrow('fetch failed');
  // A database that is closed has no journal beside it.
  expect(readdirSync(dataDir).filter((name) => name.endsWith('-wal'))).toEqual([]);
});

test('what starts a service waits for nothing that reads TypeScript', async () => {
  const launcher = join(projectDir, 'scripts', 'serve.js');
  const args = ['--data-dir', temporaryFolder(), '--port', '0'];
  const service = runService([process.execPath, '--no-strip-types', launcher, ...args]);
  await service.origin;
  expect(await stop(service)).toMatchObject({ code: 0, stderr: '' });
});
