/** Every screen held against the rules of axe, in both themes and three widths, and against reflow at 320 pixels. */
import axe from 'axe-core';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/browser.ts';
import { foundOffice, type Office } from '../support/life/office.ts';
import { drawPictures } from '../support/life/pictures.ts';
import { walk } from '../support/screens/walk.ts';
import { type RunningService, startService } from '../support/service.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What another theme can change: the elements are the same. */
const colourRules = ['color-contrast', 'link-in-text-block'];
/** A window of ordinary size, one without its right column, and a telephone. */
const widths = [1100, 700, 360] as const;
/** As narrow as text has to reflow (WCAG 1.4.10). */
const NARROWEST = 320;

let browser: Browser;
let office: Office;
let fresh: RunningService;
beforeAll(async () => {
  browser = await launchChromium();
  office = await foundOffice(await drawPictures(browser));
  fresh = await startService();
});
afterAll(async () => {
  await browser.close();
  await Promise.all([office.service.stop(), fresh.stop()]);
});

const scrollerOfMessage = /^<(?:pre|table|span class="katex-display") tabindex="-1"/;

/**
 * The bar that moves the border between two landmarks belongs to neither of them. And the button that leads to the
 * newest message floats above the others: what it covers is scrolled from under it. What scrolls in a message is
 * reached by Tab once the message is chosen, like everything in it.
 */
const isExcused = (rule: string, html: string, why: string): boolean =>
  (rule === 'region' && html.includes('role="separator"')) ||
  (rule === 'scrollable-region-focusable' && scrollerOfMessage.test(html)) ||
  (rule === 'target-size' && why.includes('partially obscured') && html.includes('class="pill'));

/** Each violation in one line that says where it is. */
async function violationsOf(page: Page, options: axe.RunOptions): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const run = `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`;
  const { violations } = await page.evaluate<axe.AxeResults>(run);
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html, failureSummary = '' }) => !isExcused(id, html, failureSummary))
      .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  );
}

async function overflowAt(page: Page, width: number): Promise<readonly string[]> {
  const { height } = page.viewportSize() ?? { height: 720 };
  await page.setViewportSize({ width, height });
  const found = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [`${String(scrollWidth)} px wide`] : [];
  });
  return found;
}

describe.concurrent.each(widths)('in a window of %i pixels', (width) => {
  test('no screen breaks a rule, in light or dark', { timeout: 400_000 }, async () => {
    const found: string[] = [];
    await walk(browser, {
      width,
      height: 720,
      office,
      newOrigin: fresh.origin,
      visit: async ({ name }, { page }) => {
        const note = (theme: string, lines: readonly string[]): void => {
          found.push(...lines.map((line) => `${name}, ${theme}: ${line}`));
        };
        note('light', await violationsOf(page, { runOnly: tags }));
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
        note('dark', await violationsOf(page, { runOnly: colourRules }));
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        if (width !== widths[2]) return;
        note('320 pixels', await overflowAt(page, NARROWEST));
        await page.setViewportSize({ width, height: 720 });
      },
    });
    expect(found).toEqual([]);
  });
});
