import type { Browser, Locator } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, openTab } from '../support/window/browser.ts';
import { ids, Mate } from '../support/window/office-mates.ts';
import { startServiceForTest } from '../support/service/service.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
});

test('the right column follows who is here, away, deactivated and reactivated', async () => {
  const { origin } = await startServiceForTest({ dev: true });
  const mates = ['ada', 'ben', 'cleo', 'gus'] as const;
  const [ada, ben, cleo, gus] = await Promise.all(mates.map((name) => Mate.of(() => origin, name)));
  const tab = await openTab(browser, origin);
  await tab.signIn('ben@example.com');
  await tab.isSaid('Connected');
  await tab.openStream('general');
  await tab.page.getByRole('heading', { level: 1, name: 'general' }).waitFor();
  await tab.page.getByRole('main').focus();
  await tab.page.keyboard.press('w');
  const column = tab.page.getByRole('complementary', { name: 'People and details' });
  const rowOf = (name: string): Locator => column.getByRole('button', { name });

  await gus?.ask('POST', '/users/me/presence', { status: 'active' });
  await cleo?.ask('POST', '/users/me/presence', { status: 'active' });
  await rowOf('Gus Guest , here').waitFor();
  await rowOf('Cleo Member , here').waitFor();
  await cleo?.ask('POST', '/users/me/status', { away: true });
  await rowOf('Cleo Member , away').waitFor();
  await ben?.ask('POST', '/users/me/status', { away: true });
  await rowOf('Ben Member (you) , away').waitFor();

  const countOf = async (): Promise<number> =>
    parseInt(await column.getByRole('heading', { level: 2 }).innerText());
  const before = await countOf();
  await ada?.ask('DELETE', `/users/${String(ids.cleo)}`);
  await expect.poll(countOf).toBe(before - 1);
  // As somebody who comes only now, and was told nothing of her.
  await tab.page.reload();
  await expect.poll(countOf).toBe(before - 1);
  await ada?.ask('POST', `/users/${String(ids.cleo)}/reactivate`);
  await expect.poll(countOf).toBe(before);
  await rowOf('Cleo Member').waitFor();
  // The key of before does not come back with her.
  const again = await Mate.of(() => origin, 'cleo');
  await again.ask('POST', '/users/me/presence', { status: 'active' });
  await rowOf('Cleo Member , away').waitFor();
  expect(tab.complaints).toEqual([]);
});

test('the page opened by a link asks for a new password, signs in with it, and keeps the link nowhere', async () => {
  const { origin } = await startServiceForTest({ dev: true });
  const ada = await Mate.of(() => origin, 'ada');
  const { link } = await ada.ask('POST', `/users/${String(ids.cleo)}/password_link`);
  const tab = await openTab(browser, String(link));
  await tab.page.getByRole('heading', { level: 1, name: 'Choose your password' }).waitFor();
  expect(tab.page.url()).toBe(`${origin}/`);
  await tab.page.getByLabel('New password', { exact: true }).fill('battery staple');
  await tab.page.getByRole('button', { name: 'Save and sign in' }).click();
  await tab.isSaid('Connected');
  await tab.page.getByRole('button', { name: 'Account of Cleo Member' }).waitFor();
  const kept = await tab.page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  expect(kept).not.toContain('battery staple');
  expect(kept).not.toContain(String(link).split('#')[1]);

  const again = await openTab(browser, String(link));
  await again.page.getByLabel('New password', { exact: true }).fill('another staple');
  await again.page.getByRole('button', { name: 'Save and sign in' }).click();
  await again.page.getByText(/This link was used already/).waitFor();
  await again.page.getByRole('button', { name: 'Back' }).click();
  await again.signIn('cleo@example.com', 'battery staple');
  await again.isSaid('Connected');
  expect([...tab.complaints, ...again.complaints]).toEqual([]);
});

test('whoever was added chooses a password of their own before anything is shown, and is never asked again [people.added-chooses-password]', async () => {
  const { origin } = await startServiceForTest({ dev: true });
  const ada = await Mate.of(() => origin, 'ada');
  const given = { email: 'nora@example.com', password: 'welcome here' };
  await ada.ask('POST', '/users', { ...given, full_name: 'Nora New' });
  const { page, ...tab } = await openTab(browser, origin);
  await tab.signIn(given.email, given.password);
  await page.getByRole('heading', { level: 1, name: 'Choose your password' }).waitFor();
  const own = page.getByLabel('New password', { exact: true });
  const save = page.getByRole('button', { name: 'Save and sign in' });
  await own.fill(given.password);
  await save.click();
  await page.getByText(/Choose another password than the one/).waitFor();
  await own.fill('battery staple');
  await save.click();
  await tab.isSaid('Connected');

  const again = await openTab(browser, origin);
  await again.signIn(given.email, 'battery staple');
  await again.isSaid('Connected');
  expect([...tab.complaints, ...again.complaints]).toEqual([]);
});
