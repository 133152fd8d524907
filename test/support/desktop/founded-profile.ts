/** A profile that hosts an organization: founded by clicks once for what was built, and copied for each test that wants one. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import keytar from 'keytar';
import type { Page } from 'playwright';
import { IDENTITY_KEY } from '#desktop/system/keychain.ts';
import { makeServerIdentity } from '#node/tls/server-identity.ts';
import { electronLaunch, projectDir } from '../machine.ts';
import {
  createProfile,
  filesBelow,
  hostOrganization,
  openApp,
  type Profile,
  saveSecrets,
  waitForMainView,
} from './desktop-app.ts';
import { madeOnce } from './made-once.ts';

/** What goes with its keys to another place; a start makes the rest anew. */
const KEPT = [
  ...['accounts.json', 'decisions.json', 'hosting.json', 'window.json'],
  ...['service/hearth.db', 'service/hearth-search.db'],
];
/** Beside them: its address, and what the keychain has of it. */
const KNOWN = 'known.json';

interface Known {
  readonly origin: string;
  readonly port: number;
  readonly secrets: Readonly<Record<string, string>>;
}

let founded: Promise<string> | undefined;

/** As its administrator has left it after founding; with a port of its own, and an office key that no other one has. */
export async function createFoundedProfile(): Promise<Profile> {
  founded ??= application().then((files) => madeOnce({ name: 'founded-profile', files }, found));
  const [profile, folder] = await Promise.all([createProfile(), founded]);
  const { origin, port, secrets } = JSON.parse(
    await readFile(join(folder, KNOWN), 'utf8'),
  ) as Known;
  const here = (text: string): string =>
    text.replaceAll(origin, profile.origin).replace(`"port": ${port}`, `"port": ${profile.port}`);
  await mkdir(join(profile.dir, 'service'), { recursive: true, mode: 0o700 });
  for (const name of KEPT) {
    const [from, to] = [join(folder, name), join(profile.dir, name)];
    await cp(from, to);
    if (name.endsWith('.json')) await writeFile(to, here(await readFile(to, 'utf8')));
  }
  await saveSecrets(profile, {
    ...Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [here(name), secret])),
    [IDENTITY_KEY]: makeServerIdentity().exported(),
  });
  return profile;
}

/** Waits until its window shows it, and its service answers: a window that knows its account does not wait for that. */
export async function waitForOffice(page: Page): Promise<void> {
  await waitForMainView(page);
  await page.getByRole('navigation').getByText('Connected').waitFor();
}

async function found(folder: string): Promise<void> {
  const profile = await createProfile();
  const app = await openApp(profile);
  await hostOrganization(app.page);
  await app.quit();
  await mkdir(join(folder, 'service'));
  for (const name of KEPT) await cp(join(profile.dir, name), join(folder, name));
  // The window that founded it does not come back for what happens now.
  const database = new Database(join(folder, 'service', 'hearth.db'));
  database.prepare('DELETE FROM queue').run();
  database.close();
  const kept = await keytar.findCredentials(profile.keychain);
  const secrets = Object.fromEntries(kept.map(({ account, password }) => [account, password]));
  const { origin, port } = profile;
  await writeFile(join(folder, KNOWN), JSON.stringify({ origin, port, secrets } satisfies Known));
  await profile.remove();
}

/** The Electron, and the application that is on it. */
async function application(): Promise<readonly string[]> {
  if (electronLaunch === undefined) throw new Error('no Electron on this machine');
  const { executablePath } = electronLaunch;
  const resources = join(dirname(executablePath), 'resources');
  const archive = join(resources, 'app.asar');
  if (existsSync(archive)) return [executablePath, archive];
  const staged = join(resources, 'app', 'out');
  return [
    executablePath,
    ...(await filesBelow(existsSync(staged) ? staged : join(projectDir, 'out'))),
  ];
}
