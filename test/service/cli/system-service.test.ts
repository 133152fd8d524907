import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installService, serviceState, uninstallService } from '#cli/install-service.ts';
import { type ServicePlace, systemService } from '#cli/system-service.ts';

const place: ServicePlace = {
  platform: 'linux',
  env: {},
  home: '/home/ada',
  userId: 1000,
  isForSystem: false,
};

test.each<[Partial<ServicePlace>, string]>([
  [{}, '/home/ada/.config/systemd/user/hearth.service'],
  [{ env: { XDG_CONFIG_HOME: '/conf' } }, '/conf/systemd/user/hearth.service'],
  [{ env: { XDG_CONFIG_HOME: 'conf' } }, '/home/ada/.config/systemd/user/hearth.service'],
  [{ isForSystem: true }, '/etc/systemd/system/hearth.service'],
  [{ platform: 'darwin' }, '/home/ada/Library/LaunchAgents/org.hearth.serve.plist'],
  [{ platform: 'darwin', isForSystem: true }, '/Library/LaunchDaemons/org.hearth.serve.plist'],
])('with %j the file is %s', (change, file) => {
  expect(systemService({ ...place, ...change })?.file).toBe(file);
});

test('where Hearth knows no service, it says what else there is', async () => {
  const windows = { ...place, platform: 'win32' } as const;
  expect(systemService(windows)).toBeUndefined();
  await expect(installService(windows, ['x'])).rejects.toThrow(/"Start at login"/);
});

const strange = ['/opt/node 24/node', 'serve', '--data-dir', `/d"a\\t%h$HOME&<b>`];

test('what the system would expand is written so that it does not', () => {
  expect(systemService(place)?.text(strange)).toContain(
    String.raw`ExecStart="/opt/node 24/node" "serve" "--data-dir" "/d\"a\\t%%h$$HOME&<b>"`,
  );
  const mac = systemService({ ...place, platform: 'darwin' })?.text(strange);
  expect(mac).toContain(String.raw`<string>/d"a\t%h$HOME&amp;&lt;b&gt;</string>`);
});

test('a service of the whole computer runs as whoever asked for it', () => {
  const shared = { ...place, isForSystem: true, env: { SUDO_USER: 'ada' } };
  expect(systemService(shared)?.text(['x'])).toMatch(/\nUser=ada\n[^]*WantedBy=multi-user\.target/);
  expect(systemService({ ...shared, platform: 'darwin' })?.text(['x'])).toMatch(
    /<key>UserName<\/key>\s*<string>ada<\/string>/,
  );
  expect(systemService(place)?.text(['x'])).toMatch(/WantedBy=default\.target/);
});

describe.runIf(process.platform === 'linux')('on this computer', () => {
  let folder: string;
  let here: ServicePlace;
  const path = process.env['PATH'] ?? '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hearth-service-'));
    here = { ...place, home: folder };
    process.env['PATH'] = `${folder}${delimiter}${path}`;
  });
  afterEach(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });

  /** A system that writes down what it is asked, in place of the one under which the tests run. */
  function systemThat(answers: string): () => readonly string[] {
    const calls = join(folder, 'calls');
    const script = `#!/bin/sh\necho "$*" >> '${calls}'\n${answers}\n`;
    writeFileSync(join(folder, 'systemctl'), script);
    chmodSync(join(folder, 'systemctl'), 0o755);
    return () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []);
  }

  test('it is installed, seen, installed anew and removed', async () => {
    const asked = systemThat('exit 0');
    expect(await serviceState(here)).toMatchObject({ isInstalled: false, isRunning: null });
    const { file, unfinished } = await installService(here, ['/bin/true']);
    expect(unfinished).toBeNull();
    await installService(here, ['/bin/echo', 'again']);
    expect(readFileSync(file, 'utf8')).toContain('ExecStart="/bin/echo" "again"');
    expect(asked().slice(-3)).toEqual([
      '--user daemon-reload',
      '--user enable hearth.service',
      '--user restart hearth.service',
    ]);
    expect(await serviceState(here)).toEqual({ file, isInstalled: true, isRunning: true });
    expect(await uninstallService(here)).toBe(file);
    expect(asked().at(-1)).toBe('--user disable --now hearth.service');
    expect(existsSync(file)).toBe(false);
    expect(await uninstallService(here)).toBeNull();
  });

  test('what the system did not do is told, and the file is there', async () => {
    systemThat('[ "$2" = enable ] && exit 1; [ "$2" = is-active ] && exit 3; exit 0');
    const { file, unfinished } = await installService(here, ['/bin/true']);
    expect(unfinished).toEqual(['systemctl', '--user', 'enable', 'hearth.service']);
    expect(await serviceState(here)).toEqual({ file, isInstalled: true, isRunning: false });
    rmSync(join(folder, 'systemctl'));
    process.env['PATH'] = folder;
    expect(await serviceState(here)).toEqual({ file, isInstalled: true, isRunning: null });
  });

  test('a file that cannot be written is named', async () => {
    writeFileSync(join(folder, '.config'), 'no folder');
    await expect(installService(here, ['x'])).rejects.toThrow(/hearth\.service cannot be written/);
    await expect(installService(here, ['a\nb'])).rejects.toThrow(/line break/);
  });

  const hasChecker = spawnSync('systemd-analyze', ['--version']).status === 0;
  test.runIf(hasChecker)('systemd itself finds nothing wrong with the unit', async () => {
    systemThat('exit 0');
    const { file } = await installService(here, ['/bin/echo', 'a b', '100%', '$HOME']);
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--user', file], {
      encoding: 'utf8',
    });
    const about = `${stdout}${stderr}`
      .split('\n')
      .filter((line) => line.includes('hearth.service'));
    expect(about).toEqual([]);
  });
});
