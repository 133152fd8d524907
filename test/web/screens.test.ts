/**
 * Every screen held against the rules of axe, and of layout: the window never scrolls, and nothing lies over a control.
 * Those that people see first are drawn in narrow, usual and wide letters; with `npm run test:long` all are.
 * The window is drawn narrower while a screen is shown; those that have elements of their own there are opened there, too.
 * In an office of a thousand people, those are looked at that a crowd can fill. `npm run test:long` opens every screen
 * in windows of each width, and in offices of several sizes.
 */
import axe from 'axe-core';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allRules, colourRules, layoutRules, unseenParts } from '../support/axe-rules.ts';
import type { People } from '../support/life/crowd.ts';
import { foundOffice } from '../support/life/office.ts';
import { drawPictures, type Pictures } from '../support/life/pictures.ts';
import { isLong } from '../support/long.ts';
import { fontNames, inFont } from '../support/screens/fonts.ts';
import { layoutFaultsAt } from '../support/screens/layout.ts';
import type { Screen } from '../support/screens/stage.ts';
import { unwritten } from '../support/screens/unwritten.ts';
import { walk } from '../support/screens/walk.ts';
import { launchChromium } from '../support/window/browser.ts';
import { type RunningService, startService } from '../support/service/service.ts';

/** Screens that have elements of their own in a narrower window: an overlay, a way back, a list that is the main thing. */
const unlike: ReadonlySet<string> = new Set(
  'inbox list topic private column column-person search streams compose-files image'.split(' '),
);

interface Walk {
  /** Undefined: as it was founded. */
  readonly people?: People;
  /** How wide the window is while a screen is opened. */
  readonly width: number;
  /** How wide it is made then, to look at the layout. */
  readonly widths?: readonly number[];
  /** The same, to hold the screens that are unlike against all rules. */
  readonly unlikeAt?: number;
  /** The same, to hold every screen against what a width can break. */
  readonly drawnAt?: number;
  /** Which screens are held against all rules, in both themes; the others are against what a width can break. */
  readonly whole: 'all' | 'unlike' | 'none';
  /** Default: all. */
  readonly only?: (name: string) => boolean;
}

/** A window of ordinary size, one without its right column, a telephone, and as narrow as text has to reflow (WCAG 1.4.10). */
const [ORDINARY, MIDDLE, TELEPHONE, NARROWEST] = [1100, 700, 360, 320] as const;

const telephone: Walk = { width: TELEPHONE, widths: [NARROWEST], whole: 'unlike' };
const isUnlike = (name: string): boolean => unlike.has(name);
const walks: readonly Walk[] = isLong
  ? [
      { width: ORDINARY, whole: 'all' },
      { width: MIDDLE, whole: 'unlike', only: isUnlike },
      telephone,
      ...([3, 30, 300, 1000] as const).flatMap((people): readonly Walk[] => [
        { people, width: ORDINARY, widths: [MIDDLE, TELEPHONE], whole: 'none' },
        { people, width: TELEPHONE, widths: [NARROWEST], whole: 'none' },
      ]),
    ]
  : [
      {
        ...{ width: ORDINARY, widths: [NARROWEST], unlikeAt: MIDDLE, drawnAt: TELEPHONE },
        whole: 'all',
      },
      { ...telephone, only: isUnlike },
      {
        ...{ people: 1000, width: ORDINARY, widths: [TELEPHONE], whole: 'none' },
        only: (name) => isUnlike(name) || name.startsWith('crowd-'),
      },
    ];

let browser: Browser;
let pictures: Pictures;
let fresh: RunningService;
beforeAll(async () => {
  browser = await launchChromium();
  pictures = await drawPictures(browser);
  fresh = await startService();
});
afterAll(async () => {
  await browser.close();
  await fresh.stop();
});

const scrollerOfMessage =
  /^<(?:pre|table|span class="katex-display")(?: dir="[a-z]+")? tabindex="-1"/;

/**
 * The bar that moves the border between two landmarks belongs to neither of them. And the button that leads to the
 * newest message floats above the others: what it covers is scrolled from under it. What scrolls in a message is
 * reached by Tab once the message is chosen, like everything in it.
 */
const isExcused = (rule: string, html: string, why: string): boolean =>
  (rule === 'region' && html.includes('role="separator"')) ||
  (rule === 'scrollable-region-focusable' && scrollerOfMessage.test(html)) ||
  (rule === 'target-size' && why.includes('partially obscured') && html.includes('class="pill'));

/** Each violation in one line that says where it is. @param theme  the page's */
async function violationsOf(
  page: Page,
  theme: 'light' | 'dark',
  runOnly: readonly string[],
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const how = [theme, page.viewportSize()?.width, ...runOnly].join(' ');
  const parts = `(${unseenParts.toString()})((globalThis.held ??= new Set()), ${JSON.stringify(how)})`;
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${parts}, ${options})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html, failureSummary = '' }) => !isExcused(id, html, failureSummary))
      .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
  );
}

async function faultsOf(
  page: Page,
  { name, start }: Screen,
  each: Walk,
): Promise<readonly string[]> {
  const found: string[] = [];
  const note = (where: string, lines: readonly string[]): void => {
    found.push(...lines.map((line) => `${name}, ${where}: ${line}`));
  };
  const isWhole = each.whole === 'all' || (each.whole === 'unlike' && isUnlike(name));
  if (each.whole !== 'none') {
    note('light', await violationsOf(page, 'light', isWhole ? allRules : layoutRules));
  }
  if (isWhole) {
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    note('dark', await violationsOf(page, 'dark', colourRules));
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  }
  const widths = [each.width, ...(each.widths ?? [])];
  note('layout', await layoutFaultsAt(page, widths));
  note('words', await unwritten(page));
  if (widths.includes(NARROWEST) && (isLong || start !== 'signed-in')) {
    for (const font of fontNames) {
      const look = () => layoutFaultsAt(page, [NARROWEST]);
      note(`${font} letters`, await inFont(page, font, look));
    }
  }
  const at = async (width: number | undefined, rules: readonly string[]): Promise<void> => {
    if (width === undefined) return;
    await page.setViewportSize({ width, height: 720 });
    note('layout', await layoutFaultsAt(page, [width]));
    note(String(width), await violationsOf(page, 'light', rules));
    await page.setViewportSize({ width: each.width, height: 720 });
  };
  if (isUnlike(name)) await at(each.unlikeAt, allRules);
  await at(each.drawnAt, layoutRules);
  return found;
}

const titled = walks.map((each) => {
  const whose =
    each.people === undefined ? 'as it was founded' : `with ${String(each.people)} people`;
  return [`${whose}, in a window of ${String(each.width)} pixels`, each] as const;
});

describe.concurrent.each(titled)('%s', (_title, each) => {
  test('no screen breaks a rule, scrolls, or clips or covers what it shows', async () => {
    const { people, width } = each;
    const office = await foundOffice(pictures, people === undefined ? {} : { people });
    const found: string[] = [];
    await walk(browser, {
      ...{ width, height: 720, office, newOrigin: fresh.origin },
      only: ({ name }) => each.only?.(name) ?? true,
      visit: async (screen, { page }) => {
        found.push(...(await faultsOf(page, screen, each)));
      },
    }).catch((error: unknown) => found.push(String(error)));
    await office.service.stop();
    expect(found).toEqual([]);
  }, 900_000);
});
