import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  administrator,
  openApp,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { addColleague, type Colleague } from '#test/support/desktop/desktop-colleague.ts';
import {
  composeBox,
  freshness,
  heading,
  main,
  open,
  openSettings,
  openTopic,
  organization,
  rail,
  row,
  send,
  signIn,
} from '#test/support/desktop/desktop-places.ts';
import {
  dora,
  startRemoteOffice,
  type RemoteOffice,
} from '#test/support/desktop/desktop-remote.ts';

const hosted = administrator.realmName;
const remote = 'Dev';

let profile: Profile;
let app: DesktopApp;
let office: RemoteOffice;
let carla: Colleague;

beforeAll(async () => {
  [profile, office] = await Promise.all([createFoundedProfile(), startRemoteOffice()]);
  app = await openApp(profile);
  await waitForOffice(app.page);
  carla = await addColleague(profile, 'Carla Member');
});
afterAll(async () => {
  await app.quit();
  await Promise.all([profile.remove(), office.remove()]);
});

const lunch = [
  ['stream', 'general'],
  ['topic', 'lunch'],
] as const;

test('with one organization there is no rail', async () => {
  expect(await rail(app.page).count()).toBe(0);
});

test('another organization is joined beside the own one, and a rail leads to both', async () => {
  const { page } = app;
  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('button', { name: 'Add an organization' }).click();
  await signIn(page, { origin: office.origin, email: dora.email, password: dora.password });
  await organization(page, remote).waitFor();
  await expect.poll(() => organization(page, remote).getAttribute('aria-current')).toBe('true');
  await expect.poll(() => freshness(page).textContent()).toContain('Connected');
  await page.keyboard.press('Control+1');
  await expect.poll(() => organization(page, hosted).getAttribute('aria-current')).toBe('true');
  await expect.poll(() => page.title()).toContain(hosted);
  await page.keyboard.press('Control+Tab');
  await expect.poll(() => organization(page, remote).getAttribute('aria-current')).toBe('true');
  await expect.poll(() => page.title()).toContain(remote);
});

test('each is live while the other one is shown', async () => {
  const { page } = app;
  await organization(page, remote).click();
  await carla.write('over here, in the lantern office');
  await organization(page, hosted)
    .filter({ hasText: /\b1 (?:unread message|for you)/ })
    .waitFor();
  await organization(page, hosted).click();
  await open(page, 'Carla Member');
  await main(page).getByText('over here, in the lantern office').waitFor();
  await office.tell(office.ben, 'and over there, at the others');
  await organization(page, remote)
    .filter({ hasText: /\b1 (?:unread message|for you)/ })
    .waitFor();
  await organization(page, remote).click();
  await open(page, 'Ben Member');
  await main(page).getByText('and over there, at the others').waitFor();
});

test('a service that stops leaves its organization readable as of a time, and the other one live', async () => {
  const { page } = app;
  await office.say(office.ben, 'general', 'lunch', 'who is in?');
  await openTopic(page, 'general', 'lunch');
  await main(page).getByText('who is in?').waitFor();
  await office.stop();
  await expect.poll(() => freshness(page).textContent()).toMatch(/As of \d/);
  await main(page).getByText('who is in?').waitFor();
  await organization(page, remote).filter({ hasText: 'needs your attention' }).waitFor();
  await send(page, 'me, when the line is back');
  await expect.poll(() => freshness(page).textContent()).toMatch(/As of .* · 1 unsent/);
  await main(page)
    .getByRole('status')
    .filter({ hasText: /As of .* · 1 unsent/ })
    .waitFor();

  await organization(page, hosted).click();
  await expect.poll(() => freshness(page).textContent()).toContain('Connected');
  await open(page, 'Carla Member');
  await send(page, 'the others are away');
  await carla.hears('the others are away');
});

test('once the service is back, its organization is live again and has what was written', async () => {
  const { page } = app;
  await office.start();
  await organization(page, remote).click();
  // It is as it was left.
  await heading(page, 'lunch').waitFor();
  await expect.poll(() => freshness(page).textContent()).toMatch(/^\s*Connected\s*$/);
  await expect
    .poll(() => office.contents(office.ben, lunch))
    .toEqual(['who is in?', 'me, when the line is back']);
  await office.say(office.ben, 'general', 'lunch', 'see you at noon');
  await main(page).getByText('see you at noon').waitFor();
  await composeBox(page).waitFor();
});

test('settings list both, show the other one and sign out of one', async () => {
  const { page } = app;
  let settings = await openSettings(page, 'Organizations');
  await settings.getByRole('listitem').filter({ hasText: hosted }).getByText('Hosted on').waitFor();
  await settings.getByRole('button', { name: `Show ${hosted}` }).click();
  await expect.poll(() => organization(page, hosted).getAttribute('aria-current')).toBe('true');
  settings = await openSettings(page, 'Organizations');
  await settings.getByRole('button', { name: `Sign out of ${remote}` }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: 'Sign out', exact: true })
    .click();
  await expect.poll(() => rail(page).count()).toBe(0);
  await page.keyboard.press('Escape');
  await row(page, 'Carla Member').waitFor();
  await expect.poll(() => heading(page, /./).count()).toBe(1);
});
