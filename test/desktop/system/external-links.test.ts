import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openAgain,
  openApp,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { addColleague, type Colleague } from '#test/support/desktop/desktop-colleague.ts';
import { freeWindow, pickMenu, reopened } from '#test/support/desktop/desktop-window.ts';
import { startTrayHost, type TrayHost } from '#test/support/desktop/tray-host.ts';

let profile: Profile;
let app: DesktopApp;
let ben: Colleague;
let tray: TrayHost;
beforeAll(async () => {
  profile = await createFoundedProfile();
  tray = await startTrayHost();
  app = await openApp(profile);
  await waitForOffice(app.page);
  ben = await addColleague(profile, 'Ben Member');
  await ben.write('find me by a link');
});
afterAll(async () => {
  await app.quit();
  tray.stop();
  await profile.remove();
});

const heading = (name: string | RegExp) => app.page.getByRole('heading', { level: 1, name });

test('a link that the system hands over opens its conversation', async () => {
  const host = new URL(profile.origin).host;
  const link = `hearth://${host}/#narrow/pm-with/${ben.userId}-pm`;
  expect((await openAgain(profile, ['--', link])).code).toBe(0);
  await heading('Ben Member').waitFor();
  await app.page.getByRole('main').getByText('find me by a link').waitFor();
});

test('a link opens the window that was closed, and leads to its conversation', async () => {
  const link = `hearth://${new URL(profile.origin).host}/#narrow/pm-with/${ben.userId}-pm`;
  await freeWindow(app);
  const page = await reopened(app, () => openAgain(profile, ['--', link]));
  app = { ...app, page };
  await heading('Ben Member').waitFor();
});

test('a link to an organization that is not joined fills in its address and signs in to nothing', async () => {
  await openAgain(profile, ['--', 'hearth://chat.example.com:9981/#narrow/stream/1']);
  const address = app.page
    .getByLabel(/address of the organization|organization address|Address/i)
    .first();
  await expect.poll(() => address.inputValue()).toBe('chat.example.com:9981');
  expect(await app.page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  await app.page.getByRole('button', { name: 'Back' }).click();
  await heading('Ben Member').waitFor();
});

test.each([
  'hearth://chat.example.com/../../etc',
  'hearth://ada:secret@chat.example.com/',
  'hearth://chat.example.com/#javascript:alert(1)',
])('the link %s changes nothing', async (link) => {
  const before = app.stderr().split('was refused').length;
  await openAgain(profile, ['--', link]);
  await expect.poll(() => app.stderr().split('was refused').length).toBe(before + 1);
  await heading('Ben Member').waitFor();
  expect(app.stderr()).not.toContain(link);
});

test('an item of the menu acts in the page', async () => {
  await pickMenu(app, 'Go', 'Go to…');
  await app.page.getByRole('dialog').getByRole('combobox').waitFor();
  await app.page.keyboard.press('Escape');
  await app.page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('an item of the menu opens the window first where there is none', async () => {
  await freeWindow(app);
  const page = await reopened(app, () => pickMenu(app, 'Help', 'Keyboard shortcuts'));
  app = { ...app, page };
  await page.getByRole('dialog', { name: /keyboard|shortcuts/i }).waitFor();
});
