/**
 * Every screen held against the rules of axe: all of them in a window of ordinary size, where it is narrower those that
 * another place or size of the same elements can break. There nothing is cut off at 320 pixels either.
 */
import axe from 'axe-core';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRules, colourRules, layoutRules } from '../support/axe-rules.ts';
import { launchChromium } from '../support/window/browser.ts';
import { foundOffice, type Office } from '../support/life/office.ts';
import { drawPictures } from '../support/life/pictures.ts';
import { layoutFaultsAt } from '../support/screens/layout.ts';
import { walk } from '../support/screens/walk.ts';
import { type RunningService, startService } from '../support/service/service.ts';

/** Screens that have elements of their own in a narrower window: an overlay, a way back, a list that is the main thing. */
const unlike: ReadonlySet<string> = new Set(
  'inbox list topic private column column-person search streams compose-files image'.split(' '),
);
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

describe.concurrent.each(widths)('in a window of %i pixels', (width) => {
  test('no screen breaks a rule, in light or dark', { timeout: 400_000 }, async () => {
    const found: string[] = [];
    await walk(browser, {
      width,
      height: 720,
      office,
      newOrigin: fresh.origin,
      // Between the two others it is only what lies beside or above the messages that differs.
      only: ({ name }) => width !== widths[1] || unlike.has(name),
      visit: async ({ name }, { page }) => {
        const note = (theme: string, lines: readonly string[]): void => {
          found.push(...lines.map((line) => `${name}, ${theme}: ${line}`));
        };
        const isWhole = width === widths[0] || unlike.has(name);
        note('light', await violationsOf(page, { runOnly: isWhole ? allRules : layoutRules }));
        if (isWhole) {
          await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
          note('dark', await violationsOf(page, { runOnly: colourRules }));
          await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        }
        if (width === widths[2]) note('narrowest', await layoutFaultsAt(page, [NARROWEST]));
      },
    });
    expect(found).toEqual([]);
  });
});
