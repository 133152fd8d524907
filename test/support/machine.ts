import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { installedElectron } from '#scripts/electron-binary.ts';
import { projectDir } from '#scripts/run.ts';

/** What this machine can run: asked by the configuration, by `npm test` and by the tests themselves. */

export { projectDir };

export interface ElectronLaunch {
  readonly executablePath: string;
  /** Arguments that come first: the application's folder and what the sandbox of this machine asks for. */
  readonly args: readonly string[];
  /** Whether it is what `npm run package` makes, fuses and all. */
  readonly isPackage: boolean;
}

/** For Chromium and Electron alike. As root, which is how containers usually run, neither starts its sandbox. */
const isRoot = process.getuid?.() === 0;
const plainArgs = [...(isRoot ? ['--no-sandbox'] : []), '--disable-gpu'];

export const chromiumArgs: readonly string[] = [
  ...plainArgs,
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What `scripts/test-electron/session` makes a desktop with. */
const desktop = ['xvfb-run', 'dbus-run-session', 'gnome-keyring-daemon', 'dunst'];

/** Executable of a whole Chromium, with notifications and a store of certificates; undefined where there is none. */
export const browserPath = findBrowser();

/** The one that pages are driven in: without all that is around a page where there is such a build, at a quarter less work. */
export const chromiumPath = findShell() ?? browserPath;

/** How Electron is started for the desktop suite; undefined where there is none. */
export const electronLaunch = findElectron();

/** Why the suites that need Chromium are left out; undefined where they can run. */
export const chromiumReason =
  chromiumPath === undefined
    ? 'no Chromium: set HEARTH_CHROMIUM, install one, or run `npx playwright install chromium`'
    : undefined;

/** Why the desktop suite is left out; undefined where it can run. */
export const desktopReason = findDesktopReason();

/** How many files of the desktop suite run beside each other, each in a session of its own. */
export const desktopsAtOnce = (): number =>
  availableParallelism() > 1 && missingOf(undefined, ...desktop).length === 0 ? 2 : 1;

/** What of the service suite cannot run here, with the reason; undefined where all of it can. */
export const launchReason =
  process.platform === 'win32'
    ? 'what test/process starts itself, because Windows ends no process cleanly by a signal'
    : undefined;

/** Payloads that services really sent, each folder an integration's: not part of the project. */
export const payloadsDir = join(projectDir, '../shared/data/webhooks');

/** The same in words where they are not beside the project; undefined where they are. */
export const payloadsReason = existsSync(join(payloadsDir, 'index.json'))
  ? undefined
  : 'what services really sent, which is not beside the project (test/service/webhooks/facts.test.ts)';

/** Why the network suite is left out; undefined where it can run. */
export const networkReason = findNetworkReason();

/** Files of the network suite that cannot run here, and what they miss; none where it is left out as a whole. */
export const networkFilesLeftOut = networkReason === undefined ? findNetworkFilesLeftOut() : [];

/** The same in words; undefined where all of it can run. */
export const networkLeftOut =
  networkFilesLeftOut.length === 0
    ? undefined
    : networkFilesLeftOut
        .map(({ file, missing }) => `${file}, because there is no ${missing.join(', no ')}`)
        .join('; ');

interface FileLeftOut {
  readonly file: string;
  readonly missing: readonly string[];
}

function findNetworkFilesLeftOut(): readonly FileLeftOut[] {
  // Each computer has a session of its own.
  const noElectron = electronLaunch === undefined ? 'Electron' : undefined;
  const windows = missingOf(noElectron, ...desktop);
  const noChromium = chromiumPath === undefined ? 'Chromium' : undefined;
  const browser = missingOf(noChromium, 'certutil', 'openssl');
  const services = missingOf(undefined, 'avahi-daemon', 'avahi-browse', 'dbus-daemon');
  return [
    { file: 'test/network/clicks.test.ts', missing: windows },
    { file: 'test/network/browser.test.ts', missing: browser },
    { file: 'test/network/avahi.test.ts', missing: services },
  ].filter(({ missing }) => missing.length > 0);
}

function missingOf(known: string | undefined, ...programs: readonly string[]): readonly string[] {
  const missing = programs.filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status !== 0,
  );
  return known === undefined ? missing : [known, ...missing];
}

function findNetworkReason(): string | undefined {
  const attempt = 'ip link add bridge0 type bridge && ip link add here type veth peer name there';
  const { status } = spawnSync(
    'unshare',
    ['--user', '--map-root-user', '--net', '--', 'sh', '-c', attempt],
    { stdio: 'ignore' },
  );
  return status === 0
    ? undefined
    : 'this system lets nobody make networks of their own (unshare, ip)';
}

function findBrowser(): string | undefined {
  const asked = process.env['HEARTH_CHROMIUM'];
  if (asked !== undefined && asked !== '') return asked;
  return ['/usr/bin/chromium', '/usr/bin/google-chrome', chromium.executablePath()].find((path) =>
    existsSync(path),
  );
}

function findShell(): string | undefined {
  const isAsked = (process.env['HEARTH_CHROMIUM'] ?? '') !== '';
  const shell = '/usr/bin/chromium-headless-shell';
  return !isAsked && existsSync(shell) ? shell : undefined;
}

function findElectron(): ElectronLaunch | undefined {
  const packaged = process.env['HEARTH_PACKAGED'] ?? '';
  if (packaged !== '') return { executablePath: packaged, args: plainArgs, isPackage: true };
  const asked = process.env['HEARTH_ELECTRON'] ?? '';
  if (asked !== '') return { executablePath: asked, args: plainArgs, isPackage: false };
  const installed = installedElectron();
  return installed === undefined
    ? undefined
    : { executablePath: installed, args: [...plainArgs, projectDir], isPackage: false };
}

function findDesktopReason(): string | undefined {
  if (process.platform !== 'linux') {
    return 'it reads notifications back from dunst, which runs on Linux only';
  }
  if (electronLaunch === undefined) {
    return 'no Electron: set HEARTH_ELECTRON or run `npx install-electron`';
  }
  const missing = ['DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'].filter((name) => !process.env[name]);
  if (missing.length > 0) return `no desktop session: ${missing.join(' and ')} not set`;
  if (spawnSync('dunstctl', ['count', 'displayed'], { stdio: 'ignore' }).status !== 0) {
    return 'no notification daemon that `dunstctl` can ask';
  }
  return undefined;
}
