import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium, openTab } from '#test/support/window/browser.ts';
import { openApp, type DesktopApp, type Profile } from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import {
  addColleague,
  colleaguePassword,
  type Colleague,
} from '#test/support/desktop/desktop-colleague.ts';
import { row } from '#test/support/desktop/desktop-places.ts';
import { call } from '#test/support/service/service.ts';

let profile: Profile;
let app: DesktopApp;
let browser: Browser;
let ben: Colleague;
let cleo: Colleague;

beforeAll(async () => {
  profile = await createFoundedProfile();
  app = await openApp(profile);
  await waitForOffice(app.page);
  ben = await addColleague(profile, 'Ben Member');
  cleo = await addColleague(profile, 'Cleo Member');
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await app.quit();
  await profile.remove();
});

async function openTopic(page: Page): Promise<void> {
  await row(page, 'general').click();
  await row(page, 'lunch').click();
}

async function write(page: Page, content: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill(content);
  await box.press('Enter');
}

const shown = (page: Page, content: string): Promise<void> =>
  page.getByRole('main').getByText(content, { exact: true }).waitFor();

/** What the third one, who is not at a window, finds when it looks. */
async function newestInTopic(): Promise<string> {
  const { body } = await call(profile.origin, cleo, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
    narrow: [
      ['stream', 'general'],
      ['topic', 'lunch'],
    ],
  });
  return (body['messages'] as readonly { readonly content: string }[])[0]?.content ?? '';
}

/** Keeps a picture of both windows where the environment names a folder for it. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['HEARTH_SCREENSHOTS'];
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}

test('a message appears in the window and in a browser, and an answer from each at the others', async ({
  annotate,
}) => {
  const tab = await openTab(browser, profile.origin);
  await tab.signIn(ben.email, colleaguePassword);
  await tab.isSaid('Connected');
  await call(profile.origin, cleo, 'POST', '/messages', {
    type: 'stream',
    to: 'general',
    topic: 'lunch',
    content: 'Who is in for lunch?',
  });
  await Promise.all([openTopic(app.page), openTopic(tab.page)]);
  await Promise.all([
    shown(app.page, 'Who is in for lunch?'),
    shown(tab.page, 'Who is in for lunch?'),
  ]);

  const fromWindowAt = performance.now();
  await write(app.page, 'I am, from the window');
  await shown(tab.page, 'I am, from the window');
  const toBrowserMs = performance.now() - fromWindowAt;
  expect(await newestInTopic()).toBe('I am, from the window');

  const fromBrowserAt = performance.now();
  await write(tab.page, 'Me too, from the browser');
  await shown(app.page, 'Me too, from the browser');
  const toWindowMs = performance.now() - fromBrowserAt;
  expect(await newestInTopic()).toBe('Me too, from the browser');

  await picture(app.page, 'desktop');
  await picture(tab.page, 'browser');
  expect(tab.complaints).toEqual([]);
  await annotate(
    `typed to shown: window to browser ${toBrowserMs.toFixed(0)} ms, ` +
      `browser to window ${toWindowMs.toFixed(0)} ms`,
  );
});
