/** A tab that is open while the computer that hosts its organization sleeps: it has no other place to take its files from. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectDir } from '../support/machine.ts';
import { startServiceForTest } from '../support/service/service.ts';
import { launchChromium, openTab, type Tab } from '../support/window/browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

interface Held {
  readonly files: RegExp;
  /** When whoever asked for one is told so. */
  readonly until: Promise<unknown>;
}

/** @param held  what it does not get */
async function openAda(origin: string, held?: Held): Promise<Tab> {
  const tab = await openTab(browser, origin);
  if (held !== undefined) {
    await tab.page.route(held.files, async (route) => {
      await held.until;
      await route.abort();
    });
    await tab.page.reload();
  }
  await tab.signIn('ada@example.com');
  await tab.isSaid('Connected');
  return tab;
}

/** All of the build, but for what only the desktop's page asks for. */
const scripts = readdirSync(join(projectDir, 'out/renderer/assets')).filter(
  (name) => name.endsWith('.js') && !name.startsWith('index-'),
);

const missingIn = async ({ page }: Tab): Promise<readonly string[]> => {
  const urls = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  );
  const fetched = new Set(urls.map((url) => url.split('/').at(-1)));
  return scripts.filter((name) => !fetched.has(name));
};

test('a tab that has been open for a while opens what nobody had opened, with the service stopped', async () => {
  const service = await startServiceForTest({ dev: true });
  const tab = await openAda(service.origin);
  await expect.poll(() => missingIn(tab)).toEqual([]);
  await service.stop();
  await tab.isSaid('Offline');
  await tab.page.keyboard.press('?');
  await tab.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await tab.page.keyboard.press('Escape');
  await tab.page.keyboard.press('d');
  await tab.page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
  await tab.page.keyboard.press('Control+,');
  await tab.page.getByRole('dialog', { name: 'Settings' }).waitFor();
  expect(tab.complaints).toEqual([]);
});

test('what a tab has not got yet says so while nobody answers, leaves the keys alone, and opens later', async () => {
  const service = await startServiceForTest({ dev: true });
  const files = /\/(?:shortcut-list|drafts)-[^/]*\.js$/;
  const late = Promise.withResolvers<undefined>();
  const tab = await openAda(service.origin, { files, until: late.promise });
  const { page } = tab;
  // Nobody waits for it any more when it fails: what was opened instead stays.
  await page.keyboard.press('?');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.waitFor();
  const failed = page.waitForEvent('requestfailed', (request) =>
    request.url().includes('shortcut-list'),
  );
  late.resolve(undefined);
  await failed;
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await settings.isVisible()).toBe(true);
  expect(await page.getByRole('alert').count()).toBe(0);
  await page.keyboard.press('Escape');
  await settings.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  const said = page.getByRole('alert').filter({ hasText: /could not be loaded from the service/ });
  await said.waitFor();
  await page.keyboard.press('d');
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor();
  // The page says so in its own place, below what was said of the dialog.
  await expect.poll(() => said.count()).toBe(2);
  await page.unroute(files);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  expect(tab.complaints).toEqual([]);
});
