/** What the window shows first after a start is what it showed when the application ended. */
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import keytar from 'keytar';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createProfile,
  openApp,
  waitForMainView,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import {
  freshness,
  heading,
  message,
  openTopic,
  row,
} from '#test/support/desktop/desktop-places.ts';
import {
  dora,
  joinOffice,
  startRemoteOffice,
  type RemoteOffice,
} from '#test/support/desktop/desktop-remote.ts';

let profile: Profile;
let app: DesktopApp;
let office: RemoteOffice;

beforeAll(async () => {
  [profile, office] = await Promise.all([createProfile(), startRemoteOffice()]);
  await office.say(office.ben, 'general', 'lunch', 'soup today', 'or bread');
  app = await openApp(profile);
  await joinOffice(app.page, office);
});
afterAll(async () => {
  await app.quit();
  await Promise.all([profile.remove(), office.remove()]);
});

beforeEach(async () => {
  await office.start();
  await openTopic(app.page, 'general', 'lunch');
  await message(app.page, 'or bread').waitFor();
  await expect.poll(() => freshness(app.page).textContent()).toMatch(/Connected/);
});

async function keptFiles(): Promise<readonly string[]> {
  return (await readdir(profile.dir)).filter((name) => name.startsWith('first-answers'));
}

async function start(): Promise<void> {
  app = await openApp(profile);
  await waitForMainView(app.page);
}

const isWindowShown = (): Promise<boolean> =>
  app.electron.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true,
  );

test('a start shows what was shown before anything is opened, and then what there is', async () => {
  await app.quit();
  expect(await keptFiles()).toEqual(['first-answers.bin']);
  // What a start would read of the account is gone, and whoever is asked for it does not answer yet.
  await rm(join(profile.dir, 'accounts'), { recursive: true });
  office.pause();
  await start();
  expect(await keptFiles()).toEqual([]);
  await heading(app.page, /lunch/).waitFor();
  await row(app.page, 'general').waitFor();
  await message(app.page, 'or bread').waitFor();
  await expect.poll(isWindowShown).toBe(true);
  office.resume();
  await office.say(office.ben, 'general', 'lunch', 'and tea');
  await message(app.page, 'and tea').waitFor();
  await message(app.page, 'soup today').waitFor();
});

test('what came while the application was not running is there, once', async () => {
  await app.quit();
  await office.say(office.ben, 'general', 'lunch', 'while you were out');
  await start();
  await message(app.page, 'while you were out').waitFor();
  for (const text of ['or bread', 'while you were out']) {
    expect(await message(app.page, text).count()).toBe(1);
  }
});

test('after a kill a start reads everything anew', async () => {
  const child = app.electron.process();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  expect(await keptFiles()).toEqual([]);
  await start();
  await message(app.page, 'or bread').waitFor();
});

test('an account whose key is gone says so, shows what is kept, and is signed in to again', async () => {
  await app.quit();
  const [secret] = await keytar.findCredentials(profile.keychain);
  if (secret === undefined) throw new Error('there is no key');
  await keytar.deletePassword(profile.keychain, secret.account);
  await start();
  await app.page.getByText('The key of this account is no longer in the keychain.').waitFor();
  await message(app.page, 'or bread').waitFor();
  await app.page.getByRole('button', { name: 'Sign in again' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByRole('textbox', { name: 'Password' }).fill(dora.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => freshness(app.page).textContent()).toMatch(/Connected/);
});
