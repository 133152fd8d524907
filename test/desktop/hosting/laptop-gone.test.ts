/** A laptop that hosts is gone, and another one goes on with its last backup, by clicking alone. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import keytar from 'keytar';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOST_SECRET, RECOVERY_CODE } from '#desktop/system/keychain.ts';
import {
  administrator,
  createProfile,
  type DesktopApp,
  filesHolding,
  keyInKeychain,
  openApp,
  type Profile,
  waitForMainView,
} from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { answerDialogs, askedDialogs } from '#test/support/desktop/desktop-window.ts';
import { basicAuth, call } from '#test/support/service/service.ts';

let old: Profile;
let next: Profile;
let app: DesktopApp | undefined;
let code = '';
beforeAll(async () => {
  [old, next] = await Promise.all([createFoundedProfile(), createProfile()]);
});
afterAll(async () => {
  await app?.quit();
  await Promise.all([old.remove(), next.remove()]);
});

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** How an administrator is answered who comes from another computer. */
async function askedFromElsewhere(): Promise<number> {
  const auth = basicAuth({ email: administrator.email, key: await keyInKeychain(next) });
  const headers = { authorization: auth, 'x-forwarded-for': '192.0.2.1' };
  return (await fetch(`${next.origin}/api/v1/users/me`, { headers })).status;
}

const closed = (page: Page) =>
  page.getByRole('main').getByText(/is closed to everybody but administrators/);

test('a backup is made by clicking, and its code is written down', async () => {
  app = await openApp(old);
  const { page } = app;
  await waitForOffice(page);
  const auth = { email: administrator.email, key: await keyInKeychain(old) };
  const message = { type: 'stream', to: 'general', topic: 'plans', content: 'The plan of Monday' };
  await call(old.origin, auth, 'POST', '/messages', message);
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'Backups' }).click();
  await press(page, 'Back up now');
  await page.getByText('1 message, ').waitFor();
  await page.getByText('Nobody has written it down yet.').waitFor();

  await answerDialogs(app, 'Show the code');
  await press(page, 'Show the code…');
  const dialog = page.getByRole('dialog', { name: 'Recovery code' });
  await dialog.getByRole('listitem').last().waitFor();
  code = (await dialog.getByRole('listitem').allTextContents()).join(' ');
  expect(await askedDialogs(app)).toEqual([expect.stringMatching(/^Show the recovery code\?/)]);
  expect(await keytar.getPassword(old.keychain, RECOVERY_CODE)).toBe(code);
  await dialog.getByRole('button', { name: 'I have written them down' }).click();
  await dialog.getByLabel('Recovery code').fill(code.toUpperCase());
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('The recovery code is written down.').waitFor();
  expect(await keytar.getPassword(old.keychain, RECOVERY_CODE)).toBeNull();
  await app.quit();
  expect(await filesHolding(old.dir, code)).toEqual([]);
});

test('another computer restores it from the first page, closed to others', async () => {
  app = await openApp(next);
  const { page, electron } = app;
  const folder = join(old.dir, 'backups');
  const [file = ''] = await readdir(folder);
  await electron.evaluate(
    ({ dialog }, path) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
    },
    join(folder, file),
  );
  await page.getByText('Restore an organization').click();
  await press(page, 'Choose a file…');
  await page.getByText(file).waitFor();
  await page.getByLabel('Recovery code').fill(code);
  await press(page, 'Open the backup');
  await page.getByRole('heading', { name: administrator.realmName }).waitFor();
  await press(page, 'Restore');
  await page.getByText(/Sign in as an administrator to open it\.$/).waitFor();
  await page.getByRole('heading', { name: `Sign in to ${administrator.realmName}` }).waitFor();
  await page.getByLabel('E-mail address').fill(administrator.email);
  await page.getByLabel('Password', { exact: true }).fill(administrator.password);
  await press(page, 'Sign in');
  await waitForMainView(page);
  await page.getByRole('button', { name: 'Recent conversations' }).click();
  await page.getByRole('main').getByText('plans').first().waitFor();
  await closed(page).waitFor();
  await page.getByText(/^Changes since .* may be missing\.$/).waitFor();
  expect(await askedFromElsewhere()).toBe(503);
  const secret = await keytar.getPassword(next.keychain, HOST_SECRET);
  expect(secret).toBe(await keytar.getPassword(old.keychain, HOST_SECRET));
  expect(await filesHolding(next.dir, secret ?? '')).toEqual([]);
});

test('keys that the keychain has lost come back by the code, and what was restored is still closed until somebody opens it', async () => {
  await app?.quit();
  await keytar.deletePassword(next.keychain, HOST_SECRET);
  app = await openApp(next);
  const { page } = app;
  await press(page, 'Recovery code…');
  await page.getByRole('dialog').getByLabel('Recovery code').fill(code);
  await page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { status } = await fetch(`${next.origin}/api/v1/server_settings`);
  expect(status).toBe(200);
  expect(await askedFromElsewhere()).toBe(503);
  await press(page, 'Open to everybody');
  await closed(page).waitFor({ state: 'detached' });
  await expect.poll(askedFromElsewhere).toBe(200);
});

test('its keys are in other hands: it goes on with others, and a password is typed once', async () => {
  if (app === undefined) throw new Error('there is no window');
  const { page } = app;
  const before = await keytar.getPassword(next.keychain, HOST_SECRET);
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'Backups' }).click();
  await press(page, 'Report it as stolen…');
  const dialog = page.getByRole('dialog', { name: 'Continue with new keys' });
  await dialog.getByLabel('Recovery code').fill(code);
  await answerDialogs(app, 'Everybody signs in anew');
  await dialog.getByRole('button', { name: 'Continue with new keys' }).click();
  await page.getByText(/^The organization goes on with other keys/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sign in again' }).click();
  const password = page.getByLabel('Password', { exact: true });
  await password.fill(administrator.password);
  await press(page, 'Sign in');
  await password.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Recent conversations' }).click();
  await page.getByRole('main').getByText('plans').first().waitFor();
  const secret = await keytar.getPassword(next.keychain, HOST_SECRET);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(secret).not.toBe(before);
  expect(await filesHolding(next.dir, secret ?? '')).toEqual([]);
  const auth = { email: administrator.email, key: await keyInKeychain(next) };
  expect((await call(next.origin, auth, 'GET', '/users/me')).status).toBe(200);
});
