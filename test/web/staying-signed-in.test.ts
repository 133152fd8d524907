/** How long a sign-in lasts in a browser, and what was written with it. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningService } from '../support/service/service.ts';
import { startService } from '../support/service/service.ts';
import type { Tab } from '../support/window/browser.ts';
import { launchChromium, openTab } from '../support/window/browser.ts';
import { row } from '../support/desktop/desktop-places.ts';

let browser: Browser;
let service: RunningService;
beforeAll(async () => {
  browser = await launchChromium();
  service = await startService({ dev: true });
});
afterAll(async () => {
  await browser.close();
  expect(await service.stop()).toBe(0);
});

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const isAskedToSignIn = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();

/** Names in a storage of the page that tell of an account. */
const traces = (page: Page, storage: 'localStorage' | 'sessionStorage'): Promise<string[]> =>
  page.evaluate(
    (name) =>
      Object.keys(globalThis[name as 'localStorage']).filter((each) =>
        /^hearth\.(?:key|accounts|outbox|place)/.test(each),
      ),
    storage,
  );

async function signIn(email: string, isStaying: boolean): Promise<Tab> {
  const tab = await openTab(browser, service.origin);
  if (isStaying) await tab.page.getByRole('checkbox', { name: 'Stay signed in' }).check();
  await tab.signIn(email);
  await tab.isSaid('Connected');
  await tab.openStream('general');
  return tab;
}

async function another(tab: Tab): Promise<Page> {
  const page = await tab.page.context().newPage();
  await page.goto(service.origin);
  return page;
}

/** Settles when it is kept where a reload finds it. */
async function writeDraft(tab: Tab, storage: 'localStorage' | 'sessionStorage'): Promise<void> {
  await box(tab.page).fill('not finished yet');
  await expect
    .poll(() => traces(tab.page, storage))
    .toContainEqual(expect.stringMatching(/ draft /));
}

test('who does not ask to stay signed in is signed out with the tab, and the draft ends with it [staying-signed-in.not-ask-stay]', async () => {
  const ada = await signIn('ada@example.com', false);
  await writeDraft(ada, 'sessionStorage');
  await ada.page.reload();
  await ada.isSaid('Connected');
  await row(ada.page, 'general').click();
  await expect.poll(() => box(ada.page).inputValue()).toBe('not finished yet');
  const other = await another(ada);
  await isAskedToSignIn(other);
  await ada.page.close();
  expect(await traces(other, 'localStorage')).toEqual([]);
  await other.reload();
  await isAskedToSignIn(other);
  await other.getByLabel('E-mail address').fill('ada@example.com');
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await row(other, 'general').click();
  await box(other).waitFor();
  expect(await box(other).inputValue()).toBe('');
  expect(ada.complaints).toEqual([]);
});

test('who stays signed in finds the draft when the tab was closed; signing out in one tab ends it in all', async () => {
  const ben = await signIn('ben@example.com', true);
  await writeDraft(ben, 'localStorage');
  await ben.page.close();
  const [page, second] = [await another(ben), await another(ben)];
  for (const each of [page, second]) {
    await row(each, 'general').click();
    await expect.poll(() => box(each).inputValue()).toBe('not finished yet');
  }
  await page.getByRole('button', { name: 'Account of Ben Member' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText('You will lose 1 draft.').waitFor();
  await question.getByRole('button', { name: 'Sign out' }).click();
  for (const each of [page, second]) {
    await isAskedToSignIn(each);
    expect(await traces(each, 'localStorage')).toEqual([]);
    expect(await traces(each, 'sessionStorage')).toEqual([]);
  }
  expect(ben.complaints).toEqual([]);
});

test('a page that asks to sign in follows another tab that stays signed in', async () => {
  const tab = await openTab(browser, service.origin);
  const waiting = await another(tab);
  await isAskedToSignIn(waiting);
  await tab.page.getByRole('checkbox', { name: 'Stay signed in' }).check();
  await tab.signIn('cleo@example.com');
  await row(waiting, 'general').waitFor();
  expect(tab.complaints).toEqual([]);
});

test('a tab that would lose a message asks before it is closed', async () => {
  const ada = await signIn('ada@example.com', false);
  const { page } = ada;
  await page.context().setOffline(true);
  await ada.write('Soon', 'still on its way');
  await expect
    .poll(() => traces(page, 'sessionStorage'))
    .toContainEqual(expect.stringMatching(/ item /));
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => {
    location.href = '/api/';
  });
  expect((await asked).type()).toBe('beforeunload');
});
