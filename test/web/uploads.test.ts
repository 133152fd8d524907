/** Files that a browser sends from the disk. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { composeBox, filePathIn } from '../support/desktop/desktop-places.ts';
import { launchChromium, openTab } from '../support/window/browser.ts';
import { basicAuth, credentials, startServiceForTest } from '../support/service/service.ts';

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('a browser sends a long file a slice at a time, takes up what broke off, and saves it again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-web-upload-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const bytes = randomBytes(20 * 1024 * 1024);
  await writeFile(join(folder, 'film.bin'), bytes);
  const service = await startServiceForTest({ dev: true });
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const tab = await openTab(browser, service.origin);
  const { page } = tab;
  const sentBytes: number[] = [];
  let isBroken = false;
  await page.route(/\/api\/v1\/uploads\/[\w-]+\?offset=/, async (route) => {
    const { length = 0 } = route.request().postDataBuffer() ?? {};
    sentBytes.push(length);
    if (sentBytes.length !== 3 || isBroken) return route.continue();
    isBroken = true;
    return route.abort('connectionreset');
  });
  await tab.signIn('ben@example.com');
  await tab.openStream('general');
  await page.locator('main input[type="file"]').setInputFiles(join(folder, 'film.bin'));
  await expect.poll(() => composeBox(page).inputValue()).toContain('[film.bin](/user_uploads/');
  const path = filePathIn(await composeBox(page).inputValue());
  const response = await fetch(new URL(path, service.origin), {
    headers: { authorization: basicAuth(await credentials(service.origin, 'ben@example.com')) },
  });
  expect(digestOf(new Uint8Array(await response.arrayBuffer()))).toBe(digestOf(bytes));
  await composeBox(page).press('Enter');
  const downloading = page.waitForEvent('download');
  await tab.messages.getByRole('link', { name: 'film.bin' }).click();
  const saved = await downloading;
  expect(saved.suggestedFilename()).toBe('film.bin');
  expect(digestOf(await readFile(await saved.path()))).toBe(digestOf(bytes));
  expect(isBroken).toBe(true);
  expect(sentBytes.reduce((sum, length) => sum + length)).toBeGreaterThan(bytes.length);
  expect(Math.max(...sentBytes)).toBeLessThanOrEqual(8 * 1024 * 1024);
  expect(tab.complaints).toEqual([]);
});
