/** What the host's own window says and offers when its service does not run. */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import keytar from 'keytar';
import type { Locator } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IDENTITY_KEY } from '#desktop/system/keychain.ts';
import {
  administrator,
  openApp,
  openAppAt,
  waitForMainView,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { addColleague } from '#test/support/desktop/desktop-colleague.ts';
import {
  composeBox,
  freshness,
  main,
  message,
  open,
  row,
  send,
} from '#test/support/desktop/desktop-places.ts';
import { freePort, occupy } from '#test/support/ports.ts';
import { answerDialogs } from '#test/support/desktop/desktop-window.ts';
import { startService } from '#test/support/service/service.ts';
import { startTrayHost } from '#test/support/desktop/tray-host.ts';

let profile: Profile;
let app: DesktopApp;
beforeEach(async () => {
  profile = await createFoundedProfile();
  app = await openApp(profile);
  await waitForOffice(app.page);
});
afterEach(async () => {
  await app.quit();
  await profile.remove();
});

const said = (sentence: string | RegExp): Locator => main(app.page).getByText(sentence);
const button = (name: string): Locator => main(app.page).getByRole('button', { name });
const isConnected = (): Promise<void> => freshness(app.page).getByText('Connected').waitFor();
const isServing = (origin: string): Promise<boolean> =>
  fetch(origin).then(
    () => true,
    () => false,
  );

async function ownAccount(): Promise<Readonly<Record<string, unknown>>> {
  const list = JSON.parse(await readFile(join(profile.dir, 'accounts.json'), 'utf8')) as {
    readonly accounts: readonly Readonly<Record<string, unknown>>[];
  };
  return list.accounts[0]!;
}

/** The address for colleagues, as the account menu has it. */
async function shownAddress(): Promise<string> {
  const opener = app.page.getByRole('button', { name: /^Account of / });
  await opener.click();
  const address = await app.page.locator('[popover] code').first().innerText();
  await app.page.keyboard.press('Escape');
  return address;
}

test('a taken port is said beside what was read before, and the service is back once the port is free', async () => {
  const ben = await addColleague(profile, 'Ben Member');
  await ben.write('read before');
  await row(app.page, 'Ben Member').click();
  await message(app.page, 'read before').waitFor();
  await app.quit();
  const other = await occupy(profile.port);
  let asked = 0;
  other.on('connection', () => (asked += 1));
  app = await openApp(profile);
  await said(`Another program uses port ${String(profile.port)}`).waitFor();
  await message(app.page, 'read before').waitFor();
  await freshness(app.page).getByText('Hosting does not work').waitFor();
  await send(app.page, 'written meanwhile');
  await button('Try again').click();
  await said(`Another program uses port ${String(profile.port)}`).waitFor();
  // Whoever has the port is asked nothing, and told no key.
  expect(asked).toBe(0);
  other.close();
  await once(other, 'close');
  await isConnected();
  await ben.hears('written meanwhile');
  expect(await button('Try again').count()).toBe(0);
});

test('a service that is stopped from the tray, or dies, is started again from the window', async () => {
  const host = await startTrayHost();
  try {
    await app.quit();
    app = await openApp(profile);
    await waitForMainView(app.page);
    const tray = await host.item();
    await answerDialogs(app, 'Stop hosting');
    await expect.poll(tray.menu).toContain('Hosting on this computer');
    await tray.clickItem('Stop hosting…');
    await said('Hosting of Lantern Office is stopped').waitFor();
    expect(await isServing(profile.origin)).toBe(false);
    await app.electron.evaluate(() => {
      const { Worker } = process.getBuiltinModule('node:worker_threads');
      const { once: listen } = Worker.prototype;
      Worker.prototype.once = function (this: object, ...args: unknown[]) {
        // The service's, and none that is asked something and ends.
        (globalThis as { worker?: object }).worker ??= this;
        return (listen as (...all: unknown[]) => unknown).apply(this, args);
      } as typeof listen;
    });
    await button('Start hosting').click();
    await isConnected();
    expect(await isServing(profile.origin)).toBe(true);
    // It is said for about a second.
    const isSaid = said('The service of Lantern Office ended unexpectedly').waitFor();
    const isTerminated = app.electron.evaluate(() => {
      const { worker } = globalThis as { worker?: { terminate: () => Promise<number> } };
      return worker!.terminate();
    });
    await Promise.all([isSaid, isTerminated]);
    await isConnected();
    expect(await isServing(profile.origin)).toBe(true);
  } finally {
    host.stop();
  }
});

test('another port is chosen in the window, and kept with everything that belongs to the account', async () => {
  await open(app.page, 'general');
  await composeBox(app.page).fill('half a thought');
  await app.quit();
  const [chosen, given] = [await freePort(), await freePort()];
  const other = await occupy(profile.port);
  app = await openApp(profile);
  const before = await ownAccount();
  await button('Other port…').click();
  const dialog = app.page.getByRole('dialog', { name: 'Host on another port' });
  await dialog.getByLabel('Port').fill('80');
  await dialog.getByRole('button', { name: 'Start hosting' }).click();
  await dialog.getByText('A port is a number from 1024 to 65535.').waitFor();
  await dialog.getByLabel('Port').fill(String(chosen));
  await dialog.getByRole('button', { name: 'Start hosting' }).click();
  await isConnected();
  expect(await shownAddress()).toBe(`http://127.0.0.1:${String(chosen)}`);
  expect(await composeBox(app.page).inputValue()).toBe('half a thought');
  await app.quit();
  other.close();

  app = await openAppAt(profile, null);
  await isConnected();
  expect(await isServing(`http://127.0.0.1:${String(chosen)}`)).toBe(true);
  expect(await composeBox(app.page).inputValue()).toBe('half a thought');
  await app.quit();

  app = await openAppAt(profile, given);
  await isConnected();
  expect(await shownAddress()).toBe(`http://127.0.0.1:${String(given)}`);
  expect(await composeBox(app.page).inputValue()).toBe('half a thought');
  await expect
    .poll(ownAccount)
    .toEqual({ ...before, address: `http://127.0.0.1:${String(given)}` });
});

test('messages that another process has open are said, and the service starts once they are free', async () => {
  await app.quit();
  const dataDir = join(profile.dir, 'service');
  const officeKey = await keytar.getPassword(profile.keychain, IDENTITY_KEY);
  await writeFile(join(dataDir, 'office-key'), officeKey!, { mode: 0o600 });
  const service = await startService({ dataDir });
  app = await openApp(profile);
  await said('Another program has the messages of Lantern Office open').waitFor();
  await service.stop();
  await isConnected();
});

test('signing out of the hosted organization leads back to it', async () => {
  const before = await ownAccount();
  await app.page.getByRole('button', { name: /^Account of / }).click();
  await app.page.getByRole('button', { name: 'Sign out' }).click();
  await app.page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await app.page.getByRole('heading', { name: 'Sign in to Lantern Office' }).waitFor();
  expect(await isServing(profile.origin)).toBe(true);
  await app.quit();
  const other = await occupy(profile.port);
  app = await openApp(profile);
  await said(`Another program uses port ${String(profile.port)}`).waitFor();
  other.close();
  await app.page.getByRole('heading', { name: 'Sign in to Lantern Office' }).waitFor();
  await app.page.getByLabel('E-mail address').fill(administrator.email);
  await app.page.getByLabel('Password', { exact: true }).fill(administrator.password);
  await app.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await waitForMainView(app.page);
  expect(await ownAccount()).toEqual(before);
});

test('the only administrator chooses a new password on the computer that hosts, after a question', async () => {
  const { page } = app;
  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill(administrator.email);
  await answerDialogs(app, 'Cancel');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('Nothing was changed.').waitFor();
  await answerDialogs(app, 'Choose a new password');
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByLabel('New password', { exact: true }).fill('battery staple');
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await waitForMainView(page);
  expect(await ownAccount()).toMatchObject({ isHosted: true });
});
