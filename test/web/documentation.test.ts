import axe from 'axe-core';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { colourRules } from '../support/axe-rules.ts';
import { launchChromium } from '../support/window/browser.ts';
import { type RunningService, startService } from '../support/service/service.ts';

/** Another theme changes colours, another width where things are: the elements are the same. */
const rules: readonly (readonly ['light' | 'dark', 1280 | 400, readonly string[] | undefined])[] = [
  ['light', 1280, undefined],
  ['light', 400, ['target-size', 'scrollable-region-focusable']],
  ['dark', 1280, colourRules],
];

let browser: Browser;
let service: RunningService;
beforeAll(async () => {
  browser = await launchChromium();
  service = await startService({ dev: true });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

test.each(rules)(
  'the documentation in the %s theme is %i pixels wide without a fault',
  async (theme, width, only) => {
    const viewport = { width, height: 800 };
    const context = await browser.newContext({ colorScheme: theme, viewport, bypassCSP: true });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    for (const path of ['/api/', '/api/requests', '/api/bots', '/api/events']) {
      await page.goto(service.origin + path);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      // With the contents unfolded; the fields of answers are the same few elements over and over.
      await page.evaluate(
        "document.querySelectorAll('nav details, article:first-of-type details').forEach((each) => { each.open = true; })",
      );
      await page.evaluate(axe.source);
      const options = { resultTypes: ['violations'], ...(only && { runOnly: only }) };
      const results = await page.evaluate<axe.AxeResults>(
        `axe.run(document, ${JSON.stringify(options)})`,
      );
      expect(results.violations.map(({ id, nodes }) => [path, id, nodes[0]?.html])).toEqual([]);
    }
  },
);

test('the documentation is reached by the keyboard and refuses nothing of its own', async () => {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text());
  });
  await page.goto(`${service.origin}/api/requests`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.getByRole('link', { name: 'Errors', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/#errors$/);
  expect(new URL(page.url()).hash).toBe('#errors');
  const color = await page.evaluate(
    "getComputedStyle(document.querySelector('pre')).borderTopWidth",
  );
  expect(color).toBe('1px');
  expect(complaints).toEqual([]);
});
