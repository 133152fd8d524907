/** The service that the system starts, as the command line sees it. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { engineFlags } from '#node/own-command.ts';
import { entryOf } from '../support/entries.ts';
import { temporaryFolder } from './service-process.ts';

/** What a unit had that an earlier version installed. */
const formerFlags = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=50',
  '--no-memory-reducer',
  '--v8-pool-size=1',
];

describe.runIf(process.platform === 'linux')('hearth service', () => {
  /** With a home, and a system, of its own. */
  function commandIn(home: string) {
    writeFileSync(join(home, 'systemctl'), '#!/bin/sh\nexit 0\n');
    chmodSync(join(home, 'systemctl'), 0o755);
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: '', PATH: `${home}:/usr/bin:/bin` };
    return (...args: readonly string[]) => {
      const words = [entryOf('hearth'), 'service', ...args];
      const { status, stdout, stderr } = spawnSync(process.execPath, words, {
        env,
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    };
  }

  test('a service is installed with what it is to be served with, seen, and removed', () => {
    const home = temporaryFolder();
    const service = commandIn(home);
    const dataDir = join(home, 'office');
    const installed = service('install', '--data-dir', dataDir, '--', '--host', '0.0.0.0');
    const file = join(home, '.config/systemd/user/hearth.service');
    expect(installed).toMatchObject({ status: 0, stderr: '' });
    expect(installed.stdout).toContain(`installed as ${file}. It starts when you sign in`);
    const unit = readFileSync(file, 'utf8');
    expect(unit).toContain('\nEnvironment=MALLOC_ARENA_MAX=1\n');
    const line = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '';
    const options = ['--data-dir', dataDir, '--host', '0.0.0.0'];
    const words = [...engineFlags, entryOf('hearth'), 'serve', ...options];
    expect(engineFlags.length).toBeLessThanOrEqual(2);
    expect(line).toBe([process.execPath, ...words].map((word) => `"${word}"`).join(' '));
    const { stdout } = spawnSync(process.execPath, [...words, '--help'], { encoding: 'utf8' });
    expect(stdout).toMatch(/^Usage: npm run serve/);
    expect(JSON.parse(service('status', '--json').stdout)).toEqual({
      ...{ result: 'success', file, is_installed: true, is_running: true, warnings: [] },
    });
    expect(service('uninstall').stdout).toBe(`removed ${file}; the data folder stays\n`);
    expect(service('status').stdout).toBe('not installed\n');
  });

  test('a unit of an earlier version goes on serving', () => {
    const words = [...formerFlags, entryOf('hearth'), 'serve', '--help'];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npm run serve/);
  });

  test('hearth service does not take an organization whose keys a keychain has', () => {
    const home = temporaryFolder();
    writeFileSync(join(home, 'hearth.db'), '');
    const refused = commandIn(home)('install', '--data-dir', home);
    expect(refused).toMatchObject({ status: 1, stdout: '' });
    expect(refused.stderr).toMatch(/are in the keychain of a desktop/);
  });
});
