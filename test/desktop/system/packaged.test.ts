/** What `npm run package` makes, from the Electron that this suite runs on. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { chromium } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '#package.json' with { type: 'json' };
import { filesOfAsar } from '#test/support/desktop/asar.ts';
import {
  administrator,
  createProfile,
  filesBelow,
  hostOrganization,
  openApp,
} from '#test/support/desktop/desktop-app.ts';
import { electronLaunch, projectDir, type ElectronLaunch } from '#test/support/machine.ts';
import { WAIT_LIMIT_MS } from '#test/support/patience.ts';

const PACKAGING_LIMIT_MS = 120_000;

let output: string;
let executable: string;
beforeAll(async () => {
  output = await mkdtemp(join(tmpdir(), 'hearth-packaged-'));
  executable = launch().isPackage ? launch().executablePath : packageInto(output);
}, PACKAGING_LIMIT_MS);
afterAll(() => rm(output, { recursive: true }));

function launch(): ElectronLaunch {
  if (electronLaunch === undefined) throw new Error('no Electron on this machine');
  return electronLaunch;
}

/** A package needs no folder of an application named to it. */
const packagedLaunch = (): ElectronLaunch => ({
  executablePath: executable,
  args: launch().args.filter((arg) => arg.startsWith('--')),
  isPackage: true,
});

function packageInto(folder: string): string {
  const dist = dirname(launch().executablePath);
  // An Electron older than the database module asks for comes with a build of it.
  const binding = join(
    dist,
    'resources/app/node_modules/better-sqlite3/build/Release/better_sqlite3.node',
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(projectDir, 'scripts', 'package.ts'), '--dir'],
    {
      cwd: projectDir,
      env: {
        ...process.env,
        ELECTRON_OVERRIDE_DIST_PATH: dist,
        HEARTH_SQLITE_BINDING: existsSync(binding) ? binding : '',
        HEARTH_PACKAGE_OUTPUT: folder,
      },
      encoding: 'utf8',
    },
  );
  expect(status, stdout + stderr).toBe(0);
  return join(folder, 'linux-unpacked', 'hearth');
}

test('its fuses are set as they are configured', async () => {
  const wire = await getCurrentFuseWire(`${executable}.bin`);
  const on = [
    FuseV1Options.EnableCookieEncryption,
    FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
    FuseV1Options.OnlyLoadAppFromAsar,
  ];
  const off = [
    FuseV1Options.RunAsNode,
    FuseV1Options.EnableNodeOptionsEnvironmentVariable,
    FuseV1Options.EnableNodeCliInspectArguments,
    FuseV1Options.GrantFileProtocolExtraPrivileges,
  ];
  expect(on.map((fuse) => wire[fuse])).toEqual(on.map(() => FuseState.ENABLE));
  expect(off.map((fuse) => wire[fuse])).toEqual(off.map(() => FuseState.DISABLE));
});

test('it holds the whole build and what that needs, and nothing of how it was made', async () => {
  const resources = join(dirname(executable), 'resources');
  const files = filesOfAsar(join(resources, 'app.asar'));
  const paths = files.map(({ path }) => path);
  const built = await filesBelow(join(projectDir, 'out'));
  const shipped = built.filter((file) => !/\.map$|\.built$/.test(file));
  expect(paths).toEqual(
    expect.arrayContaining(shipped.map((file) => file.slice(projectDir.length))),
  );
  expect(new Set(paths.map((path) => path.split('/')[0]))).toEqual(
    new Set(['LICENSE', 'node_modules', 'out', 'package.json', 'resources']),
  );
  const unwanted = /\.(map|ts|c|cc|cpp|h|gyp)$|(^|\/)(tests?|__tests__)\/|^resources\/package\//;
  expect(paths.filter((path) => unwanted.test(path))).toEqual([]);
  const tools = /^node_modules\/(electron|electron-builder|playwright|svelte|typescript|vite)\//;
  expect(paths.filter((path) => tools.test(path))).toEqual([]);
  expect(existsSync(join(resources, 'app'))).toBe(false);
});

test('native modules lie beside the archive, where the system can load them, for this platform only', () => {
  const files = filesOfAsar(join(dirname(executable), 'resources', 'app.asar'));
  const native = files.filter(({ path }) => path.endsWith('.node'));
  expect(native.every(({ isUnpacked }) => isUnpacked)).toBe(true);
  const modules = ['better-sqlite3', 'keytar', '@node-rs/argon2'];
  for (const name of modules) {
    expect(native.filter(({ path }) => path.includes(`node_modules/${name}`))).not.toEqual([]);
  }
  expect(native.filter(({ path }) => /win32|darwin|musl|arm|ia32/.test(path))).toEqual([]);
});

test('an organization can be hosted and signed in to with it', async () => {
  const profile = await createProfile();
  const app = await openApp(profile, {}, packagedLaunch());
  try {
    await hostOrganization(app.page);
  } finally {
    await app.quit();
    await profile.remove();
  }
});

test('as it is shipped the desktop opens its window, and Node options and the inspector are refused', async () => {
  const profile = await createProfile();
  const { args } = packagedLaunch();
  const app = spawn(
    executable,
    [...args, '--inspect=0', '--remote-debugging-port=0', `--user-data-dir=${profile.dir}`],
    {
      env: { ...process.env, NODE_OPTIONS: '--inspect=0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const ended = once(app, 'exit');
  try {
    const said: string[] = [];
    let address: string | undefined;
    for await (const line of createInterface(app.stderr)) {
      said.push(line);
      address = /^DevTools listening on (ws:\S+)$/.exec(line)?.[1];
      if (address !== undefined) break;
    }
    if (address === undefined) throw new Error(said.join('\n'));
    const browser = await chromium.connectOverCDP(address);
    const page =
      browser.contexts()[0]!.pages()[0] ?? (await browser.contexts()[0]!.waitForEvent('page'));
    await page.getByRole('heading', { name: 'Welcome to Hearth' }).waitFor();
    await browser.close();
    expect(said.filter((line) => line.startsWith('Debugger listening'))).toEqual([]);
  } finally {
    app.kill();
    await ended;
    await profile.remove();
  }
});

test('it cannot be made to run the code of others', () => {
  const script = 'process.stdout.write("code of others ran")';
  const outputOf = (electron: string): string =>
    spawnSync(electron, ['-e', script], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', DISPLAY: '' },
      encoding: 'utf8',
      timeout: WAIT_LIMIT_MS,
    }).stdout;
  // The attempt succeeds where the fuse is as Electron comes.
  if (!launch().isPackage) expect(outputOf(launch().executablePath)).toBe('code of others ran');
  expect(outputOf(executable)).not.toContain('code of others ran');
});

/** As over a connection to a computer that nobody sits at. */
function withoutDisplay(home: string) {
  const { DISPLAY: _display, DBUS_SESSION_BUS_ADDRESS: _bus, ...rest } = process.env;
  // Commands need no switch, as root neither.
  const args = packagedLaunch().args.filter((arg) => arg !== '--no-sandbox');
  const env = { ...rest, HOME: home, XDG_CONFIG_HOME: '', PATH: `${home}:${rest['PATH'] ?? ''}` };
  return {
    run: (...words: readonly string[]) =>
      spawnSync(executable, [...args, ...words], { env, encoding: 'utf8', timeout: WAIT_LIMIT_MS }),
    start: (...words: readonly string[]) =>
      spawn(executable, [...args, ...words], { env, stdio: ['ignore', 'pipe', 'ignore'] }),
  };
}

const flags = '--js-flags=--max-semi-space-size=16 --no-memory-reducer';

test('commands are carried out where there is no display, by the words that people type', async () => {
  const home = await mkdtemp(join(tmpdir(), 'hearth-commands-'));
  const { run, start } = withoutDisplay(home);
  const place = ['--data-dir', join(home, 'office')];
  const service = start('serve', ...place, '--port', '0');
  const ended = once(service, 'exit');
  try {
    let origin = '';
    for await (const line of createInterface(service.stdout)) {
      origin = /^serving (\S+)$/.exec(line)?.[1] ?? '';
      if (origin !== '') break;
    }
    // As the system starts it, too.
    const facts = await Promise.all(
      ['cmdline', 'environ'].map((name) =>
        readFile(`/proc/${String(service.pid)}/${name}`, 'utf8'),
      ),
    );
    expect(facts.map((fact) => fact.split('\0'))).toEqual([
      expect.arrayContaining([flags]),
      expect.arrayContaining(['MALLOC_ARENA_MAX=1']),
    ]);
    const { realmName, fullName, email, password } = administrator;
    const fields = { realm_name: realmName, full_name: fullName, email, password };
    const answer = await fetch(`${origin}/api/v1/organization`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    });
    expect(await answer.json()).toMatchObject({ result: 'success' });

    const link = run('reset-password', email, ...place, '--json');
    expect(JSON.parse(link.stdout)).toMatchObject({ email, is_served: true });
    expect(run('recovery-code', ...place)).toMatchObject({ status: 0 });
    const copy = run('backup', home, ...place);
    expect(copy).toMatchObject({ status: 0, stdout: expect.stringMatching(/^sealed 0 messages/) });
  } finally {
    service.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);

  expect(run('--help').stdout).toMatch(/^Usage: hearth COMMAND/);
  expect(run('--version')).toMatchObject({ status: 0, stdout: `hearth ${manifest.version}\n` });
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const window = run(...asRoot);
  expect(window).toMatchObject({ status: 1, signal: null });
  expect(window.stderr).toContain('There is no display for a window.');
  const incomplete = run('backup');
  expect(incomplete.status).toBe(2);
  expect(incomplete.stderr).toContain('DIR is missing (see backup --help)');

  await writeFile(join(home, 'systemctl'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  expect(run('service', 'install', ...place)).toMatchObject({ status: 0 });
  const unit = await readFile(join(home, '.config/systemd/user/hearth.service'), 'utf8');
  const words = [`${executable}.bin`, flags, ...asRoot, 'serve', ...place].map(
    (word) => `"${word}"`,
  );
  expect(unit).toContain(`ExecStart=${words.join(' ')}\n`);
  // As the system starts it.
  expect(run(flags, 'serve', '--help').stdout).toMatch(/^Usage: hearth serve/);
  await rm(home, { recursive: true });
});
