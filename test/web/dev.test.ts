/** The page of `npm run dev`, under the policy that it has in a release. */
import { expect, test } from 'vitest';
import { launchChromium, openTab } from '../support/window/browser.ts';
import { startDev } from '../support/dev-process.ts';
import { temporaryDir } from '../support/service/store.ts';

test('the page from its sources has its styles, breaks no rule of its policy, and hears of changes', async () => {
  const dev = await startDev(temporaryDir());
  await expect.poll(() => dev.line('page')).toBeDefined();
  const browser = await launchChromium();
  try {
    const { page, complaints } = await openTab(browser, 'about:blank');
    // Everything that the page imports is compiled when it is first asked for.
    page.setDefaultTimeout(120_000);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    await page.goto(dev.line('page') ?? '');
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { name: 'Inbox' });
    await heading.waitFor();
    expect(await heading.evaluate((element) => getComputedStyle(element).fontFamily)).not.toMatch(
      /^(?:Times|serif)/,
    );
    await expect.poll(() => said).toContain('[vite] connected.');
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
  }
}, 360_000);
