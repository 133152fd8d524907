/** An organization moves between two computers by clicking alone, and everybody who is signed in stays so. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import keytar from 'keytar';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOST_SECRET, IDENTITY_KEY } from '#desktop/system/keychain.ts';
import {
  administrator,
  createProfile,
  type DesktopApp,
  keyInKeychain,
  openApp,
  type Profile,
  waitForMainView,
} from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { answerDialogs, askedDialogs } from '#test/support/desktop/desktop-window.ts';
import { type Answer, call, type Credentials } from '#test/support/service/service.ts';

let old: Profile;
let next: Profile;
let oldApp: DesktopApp | undefined;
let newApp: DesktopApp | undefined;
let ada: Credentials;
beforeAll(async () => {
  [old, next] = await Promise.all([createFoundedProfile(), createProfile()]);
});
afterAll(async () => {
  await oldApp?.quit();
  await newApp?.quit();
  await Promise.all([old.remove(), next.remove()]);
});

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

const write = (origin: string, content: string): Promise<Answer> => {
  const message = { type: 'stream', to: 'general', topic: 'plans', content };
  return call(origin, ada, 'POST', '/messages', message);
};

const statusOf = (answer: Promise<Answer>): Promise<number | string> =>
  answer.then(({ status }) => status, String);

async function openOfficePage(page: Page): Promise<void> {
  await page.keyboard.press('Control+,');
  await page.getByRole('tab', { name: 'Office' }).click();
}

test('a code is shown, and another computer asks with it', async () => {
  oldApp = await openApp(old);
  const { page } = oldApp;
  await waitForOffice(page);
  ada = { email: administrator.email, key: await keyInKeychain(old) };
  expect((await write(old.origin, 'The plan of Monday')).status).toBe(200);
  await openOfficePage(page);
  await press(page, 'Move to another computer…');
  const dialog = page.getByRole('dialog', { name: 'Move to another computer' });
  await dialog.getByRole('button', { name: 'Show a code' }).click();
  const code = await dialog.getByText('hearth://move/').textContent();
  await dialog.getByText('Good for 9:').waitFor();

  newApp = await openApp(next);
  await newApp.page.getByText('Move an organization to this computer').click();
  await newApp.page.getByLabel('Code', { exact: true }).fill('hearth://move/none');
  await press(newApp.page, 'Go on');
  await newApp.page.getByText('This is not the code of a move').waitFor();
  await newApp.page.getByLabel('Code', { exact: true }).fill(code ?? '');
  await press(newApp.page, 'Go on');
  await newApp.page.getByRole('heading', { name: administrator.realmName }).waitFor();
});

test('it is handed over once both show the same number, and lives at the other computer', async () => {
  const [before, after] = [oldApp!.page, newApp!.page];
  const number = await after.getByLabel('Number of this computer').textContent();
  const dialog = before.getByRole('dialog', { name: 'Move to another computer' });
  await dialog.getByText(number ?? 'none', { exact: true }).waitFor();
  expect((await write(old.origin, 'Still here')).status).toBe(200);
  await answerDialogs(oldApp!, 'Hand it over');
  await dialog.getByRole('button', { name: 'Yes, hand it over…' }).click();
  await after.getByRole('heading', { name: `Sign in to ${administrator.realmName}` }).waitFor();
  expect(await askedDialogs(oldApp!)).toEqual([expect.stringContaining(String(number))]);

  const late = await write(old.origin, 'Too late');
  expect([late.status, late.body['is_succeeded']]).toEqual([401, true]);
  expect((await write(next.origin, 'At the new one')).status).toBe(200);
  for (const name of [HOST_SECRET, IDENTITY_KEY]) {
    const kept = await keytar.getPassword(next.keychain, name);
    expect(kept).toBe(await keytar.getPassword(old.keychain, name));
  }
  expect(await readdir(join(next.dir, 'service'))).not.toContain('secret');
  await after.getByLabel('E-mail address').fill(administrator.email);
  await after.getByLabel('Password', { exact: true }).fill(administrator.password);
  await press(after, 'Sign in');
  await waitForMainView(after);
  await after.getByRole('button', { name: 'Recent conversations' }).click();
  await after.getByRole('main').getByText('plans').first().waitFor();
});

test('the computer of before is one like any other, and says where the organization is', async () => {
  const { page } = oldApp!;
  await page.getByText(`${administrator.realmName} now lives on`).first().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await press(page, 'Understood');
  expect((await write(next.origin, 'Read everywhere')).status).toBe(200);
  await page.getByRole('button', { name: 'Recent conversations' }).click();
  await page.getByRole('main').getByText('Read everywhere').first().waitFor();
  expect((await write(old.origin, 'Never again')).status).toBe(401);

  // Also after a start, when it is signed in to the other one alone.
  await oldApp!.quit();
  oldApp = await openApp(old);
  await waitForMainView(oldApp.page);
  expect((await write(next.origin, 'And later, too')).status).toBe(200);
  await oldApp.page.getByRole('main').getByText('And later, too').first().waitFor();
  // The window need not wait for the closed copy to listen.
  await expect.poll(() => statusOf(write(old.origin, 'Never again'))).toBe(401);
});
