/** The desktop application as a person runs it: real Electron, a profile of its own, a real desktop session. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Dirent } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import keytar from 'keytar';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { freePort } from '../ports.ts';
import { electronLaunch, type ElectronLaunch } from '../machine.ts';
import { WAIT_LIMIT_MS } from '../patience.ts';
import { endInTime } from './ending.ts';
import { drivableCopy } from './packaged-app.ts';

export const administrator = {
  realmName: 'Lantern Office',
  fullName: 'Ada Admin',
  email: 'ada@example.com',
  password: 'correct horse battery',
} as const;

export interface Profile {
  readonly dir: string;
  /** Where it hosts. */
  readonly port: number;
  readonly origin: string;
  /** The name under which its secrets are in the keychain. */
  readonly keychain: string;
  /** Links that the system was asked to open, in order. */
  readonly openedLinks: () => Promise<readonly string[]>;
  readonly remove: () => Promise<void>;
}

export interface DesktopApp {
  readonly electron: ElectronApplication;
  readonly page: Page;
  /** Everything that the main process wrote to standard error. */
  readonly stderr: () => string;
  /** Its exit code, once it ended. */
  readonly ended: Promise<number | null>;
  /**
   * Asks it to quit, as its menu does.
   * @throws Error, where it does not end, or where something failed in its main process that nothing caught
   */
  readonly quit: () => Promise<number | null>;
}

export async function createProfile(): Promise<Profile> {
  const root = await mkdtemp(join(tmpdir(), 'hearth-desktop-'));
  const dir = join(root, 'profile');
  const port = await freePort();
  const keychain = `Hearth ${dir}`;
  await createBrowser(root);
  return {
    dir,
    port,
    origin: `http://127.0.0.1:${port}`,
    keychain,
    openedLinks: async () =>
      (await readFile(join(root, 'opened'), 'utf8')).split('\n').slice(0, -1),
    remove: async () => {
      for (const { account } of await keytar.findCredentials(keychain)) {
        await keytar.deletePassword(keychain, account);
      }
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Gives the profile's keychain what another one had. @param secrets  by account */
export async function saveSecrets(
  { keychain }: Profile,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [account, secret] of Object.entries(secrets)) {
    await keytar.setPassword(keychain, account, secret);
  }
}

/** What the system starts for a link: it notes the link instead of showing it. */
async function createBrowser(root: string): Promise<void> {
  const opened = join(root, 'opened');
  await mkdir(join(root, 'bin'));
  await writeFile(opened, '');
  await writeFile(join(root, 'bin', 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`, {
    mode: 0o755,
  });
}

export type RunningApp = Pick<DesktopApp, 'electron' | 'stderr' | 'ended' | 'quit'>;

/** How it is started: with further arguments and variables, from another place. */
export interface StartOptions {
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly launch?: ElectronLaunch | undefined;
  /** Null leaves it to what the application knows. */
  readonly port?: number | null;
}

/** Starts the application on a profile, and does not wait for a window. */
export async function startApp(
  profile: Profile,
  { options = [], env = {}, launch = electronLaunch, port = profile.port }: StartOptions = {},
): Promise<RunningApp> {
  if (launch === undefined) throw new Error('no Electron on this machine');
  const { executablePath, args, isPackage } = launch;
  const bin = join(profile.dir, '..', 'bin');
  const given = port === null ? [] : ['--port', String(port)];
  const own = ['--disable-gpu', `--user-data-dir=${profile.dir}`, ...given];
  const electron = await _electron.launch({
    executablePath: isPackage ? await drivableCopy(executablePath) : executablePath,
    args: [...args, ...own, ...options],
    env: { ...environment(), PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, ...env },
  });
  electron.context().setDefaultTimeout(WAIT_LIMIT_MS);
  const child = electron.process();
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  await warmDriver(electron);
  return {
    electron,
    stderr: () => stderr,
    ended,
    quit: async () => {
      await endInTime(child, quitAsked(electron), () => stderr);
      if (stderr.includes('nothing caught this error')) throw new Error(stderr);
      return ended;
    },
  };
}

/**
 * The first evaluation brings the driver's own code with it. The garbage that makes may be collected together with the
 * answer, which is then never given; only a question that changes nothing can be asked again.
 */
async function warmDriver(electron: ElectronApplication): Promise<void> {
  for (;;) {
    try {
      await electron.evaluate(() => undefined);
      return;
    } catch (error) {
      if (!String(error).includes('garbage collected')) throw error;
    }
  }
}

async function quitAsked(electron: ElectronApplication): Promise<void> {
  await agreeToQuit(electron);
  await electron.close();
}

/** Whoever is asked whether to quit all the same says so. */
export async function agreeToQuit(electron: ElectronApplication): Promise<void> {
  try {
    await electron.evaluate(({ dialog }) => {
      dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
    });
  } catch {
    // It has ended already, or is about to.
  }
}

/** Starts the application on a profile and waits for its window. */
export async function openApp(
  profile: Profile,
  env: Readonly<Record<string, string>> = {},
  launch: ElectronLaunch | undefined = electronLaunch,
): Promise<DesktopApp> {
  const app = await startApp(profile, { env, launch });
  return { ...app, page: await app.electron.firstWindow() };
}

/** The same with another port than the profile's, or with none. */
export async function openAppAt(profile: Profile, port: number | null): Promise<DesktopApp> {
  const app = await startApp(profile, { port });
  return { ...app, page: await app.electron.firstWindow() };
}

/** Starts it once more, with a profile that is open or with options that it refuses, and waits for its end. */
export async function openAgain(
  profile: Profile,
  options: readonly string[] = [],
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  if (electronLaunch === undefined) throw new Error('no Electron on this machine');
  const { executablePath, args } = electronLaunch;
  const child = spawn(
    executablePath,
    [...args, '--disable-gpu', `--user-data-dir=${profile.dir}`, ...options],
    { env: environment(), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}

function environment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  return Object.fromEntries(entries.flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
}

/** Fills in the form that creates the administrator's organization, and sends it. */
export async function submitOrganization(page: Page): Promise<void> {
  await page.getByText('Host an organization on this computer').click();
  await page.getByLabel('Organization name').fill(administrator.realmName);
  await page.getByLabel('Your name').fill(administrator.fullName);
  await page.getByLabel('E-mail address').fill(administrator.email);
  await page.getByLabel('Password', { exact: true }).fill(administrator.password);
  await page.getByRole('button', { name: 'Create organization' }).click();
}

/** Creates the administrator's organization through the form, and waits for the main view. */
export async function hostOrganization(page: Page): Promise<void> {
  await submitOrganization(page);
  await waitForMainView(page);
}

export async function waitForMainView(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
}

/** The administrator's API key, as the keychain has it. */
export async function keyInKeychain(profile: Profile): Promise<string> {
  const accounts = await keytar.findCredentials(profile.keychain);
  const found = accounts.find(({ account }) => account.endsWith(`@${profile.origin}`));
  if (found === undefined) throw new Error(`no key among ${accounts.map((a) => a.account).join()}`);
  return found.password;
}

/** All regular files below a folder, in which others may be removed meanwhile. */
export async function filesBelow(dir: string): Promise<readonly string[]> {
  return filesOf(await readdir(dir, { withFileTypes: true }));
}

async function filesOf(entries: readonly Dirent[]): Promise<readonly string[]> {
  const found = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isDirectory()) return entry.isFile() ? [path] : [];
    return filesOf(await readdir(path, { withFileTypes: true }).catch(noneIfRemoved));
  });
  return (await Promise.all(found)).flat();
}

function noneIfRemoved(error: NodeJS.ErrnoException): readonly Dirent[] {
  if (error.code !== 'ENOENT') throw error;
  return [];
}

/** Files that hold the secret in any form that a program would write it in. */
export async function filesHolding(dir: string, secret: string): Promise<readonly string[]> {
  const forms = formsOf(secret);
  const holding: string[] = [];
  for (const file of await filesBelow(dir)) {
    // Chromium removes its own temporary files while we look.
    const content = await readFile(file).catch(() => Buffer.alloc(0));
    if (forms.some((form) => content.includes(form))) holding.push(file);
  }
  return holding;
}

function formsOf(secret: string): readonly Buffer[] {
  const raws = [Buffer.from(secret, 'utf8')];
  if (/^([0-9a-f]{2})+$/.test(secret)) raws.push(Buffer.from(secret, 'hex'));
  const texts = raws.flatMap((raw) => [
    raw.toString('hex'),
    raw.toString('hex').toUpperCase(),
    ...[0, 1, 2].flatMap((shift) => base64At(raw, shift)),
  ]);
  const encoded = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]);
  return [...raws, Buffer.from(secret, 'utf16le'), ...encoded];
}

/** The part of the base64 of `raw` that does not depend on what surrounds it, `shift` bytes into a group. */
function base64At(raw: Buffer, shift: number): readonly string[] {
  const text = Buffer.concat([Buffer.alloc(shift), raw])
    .toString('base64')
    .replaceAll('=', '');
  const inner = text.slice(shift === 0 ? 0 : 4, text.length - 2);
  return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
}
