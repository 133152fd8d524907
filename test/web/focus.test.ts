/** The way of Tab through the window: nothing is left out, nothing traps, and what has the focus shows it. */
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/window/browser.ts';
import { foundOffice, type Office } from '../support/life/office.ts';
import { drawPictures } from '../support/life/pictures.ts';
import { screens } from '../support/screens/index.ts';
import type { Stage } from '../support/screens/stage.ts';
import { calm, go, onMessage, openStage, read, SHELF, signIn } from '../support/screens/stage.ts';

let browser: Browser;
let office: Office;
let stage: Stage & { readonly context: BrowserContext };
let page: Page;
beforeAll(async () => {
  browser = await launchChromium();
  office = await foundOffice(await drawPictures(browser));
  stage = await openStage(browser, office, { width: 1100, height: 720 });
  ({ page } = stage);
  await signIn(stage);
  await page.evaluate(prepare);
});
afterAll(async () => {
  await browser.close();
  await office.service.stop();
});
beforeEach(() => calm(page));

interface Stop {
  readonly key: string;
  readonly label: string;
  /** It, or what it stands in, is drawn otherwise than without the focus. */
  readonly isShown: boolean;
}

declare global {
  interface Window {
    /** Elements keep the number that they get when they are met first. */
    stopOf: (element: HTMLElement) => Stop;
  }
}

/** Runs in the page: gives each element a name that no other has. */
function prepare(): void {
  const keys = new WeakMap<HTMLElement, string>();
  let count = 0;
  const isTransparent = (colour: string): boolean => colour === 'rgba(0, 0, 0, 0)';
  const isMarked = (element: Element | null | undefined): boolean => {
    if (!element) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    if ((outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow.includes('inset')) {
      return true;
    }
    return element.matches('[role="separator"]')
      ? !isTransparent(getComputedStyle(element, '::before').backgroundColor)
      : false;
  };
  window.stopOf = (element) => {
    if (element === document.body) return { key: '', label: 'the page', isShown: true };
    const key = keys.get(element) ?? String((count += 1));
    keys.set(element, key);
    const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40);
    // The frame of the compose box stands three levels above its text.
    const around: Element[] = [];
    for (let at: Element | null = element; at !== null && around.length < 4; at = at.parentElement)
      around.push(at);
    return { key, label: `${element.tagName} ${name}`, isShown: around.some(isMarked) };
  };
}

const stop = (): Promise<Stop> =>
  page.evaluate(() => window.stopOf((document.activeElement ?? document.body) as HTMLElement));

/** What Tab should reach: all that can be pressed or written in, but what arrows or keys of its own reach. */
const reachable = (): Promise<readonly Stop[]> =>
  page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex]',
    );
    const dialog = document.querySelector('dialog[open]');
    return [...all]
      .filter(
        (element) =>
          element.tabIndex >= 0 &&
          // One message is a stop; which one may change while the window does.
          element.closest('[data-message-id]') === null &&
          element.checkVisibility({ visibilityProperty: true }) &&
          !element.matches(':disabled, [inert] *, [type="radio"]:not(:checked)') &&
          (dialog?.contains(element) ?? true),
      )
      .map((element) => window.stopOf(element));
  });

const twoFrames = (): Promise<unknown> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

/** Presses Tab until the focus is where it was first; a page of its own lets it leave in between. */
async function round(key: 'Tab' | 'Shift+Tab'): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  for (let i = 0; i < 150; i += 1) {
    await page.keyboard.press(key);
    let next = await stop();
    if (next.key === '') {
      // At the end of the page, where Tab goes on in the browser: nothing takes the focus back.
      await twoFrames();
      next = await stop();
    }
    if (stops.some(({ key: known }) => known === next.key && known !== '')) return stops;
    stops.push(next);
  }
  throw new Error(`no way round: ${stops.map(({ label }) => label).join(' | ')}`);
}

const inside: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['the inbox', () => go(page, 'View', 'Inbox')],
  ['recent conversations', () => go(page, 'View', 'Recent conversations')],
  ['all streams', () => go(page, 'View', 'All streams')],
  ['a stream', () => read(page, 'Stream', 'website', 'The draft is online')],
  ['a topic', () => read(page, 'Topic', SHELF, 'Then let us show both')],
  ['a message', () => onMessage(stage, 'photo')],
];

describe('Tab', () => {
  test.each(inside)(
    'Tab goes through %s and back, shows where it is, and leaves out nothing',
    async (_, open) => {
      await open();
      // The way to the newest message comes and goes with the place of the list.
      const wanted = (await reachable()).filter(({ label }) => !label.includes('Jump to newest'));
      const forth = await round('Tab');
      const seen = new Set(forth.map(({ key }) => key));
      expect(wanted.filter(({ key }) => !seen.has(key))).toEqual([]);
      expect(forth.filter(({ isShown }) => !isShown)).toEqual([]);
      const back = await round('Shift+Tab');
      expect(back.length).toBeGreaterThan(forth.length / 2);
    },
  );

  const dialogNames = [
    'settings-profile',
    'settings-notifications',
    'settings-people',
    'new-stream',
    'new-private',
    'shortcuts',
    'stream-settings-members',
    'message-move',
  ];
  test.each(screens.filter(({ name }) => dialogNames.includes(name)))(
    'Tab stays inside the dialog $name and goes round in it',
    async ({ open, leave }) => {
      await open(stage);
      const wanted = await reachable();
      const stops = await round('Tab');
      const seen = new Set(stops.map(({ key }) => key));
      expect(wanted.filter(({ key }) => !seen.has(key))).toEqual([]);
      expect(stops.filter(({ isShown }) => !isShown)).toEqual([]);
      await leave?.(stage);
    },
  );
});

describe('after a dialog, the focus is where it was', () => {
  const focused = (): Promise<string> =>
    page.evaluate(
      () =>
        document.activeElement?.getAttribute('data-message-id') ??
        document.activeElement?.tagName ??
        '',
    );
  test.each([
    'Control+k',
    'Control+/',
    'Control+,',
    'Control+Shift+K',
    'Shift+Escape',
    'i',
    'u',
    ':',
    'Shift+H',
  ])('after a dialog opened by %s on a message the focus is where it was', async (key) => {
    await onMessage(stage, 'price');
    const before = await focused();
    await page.keyboard.press(key);
    await page.waitForFunction(
      (id) => document.activeElement?.getAttribute('data-message-id') !== id,
      before,
    );
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe(before);
  });
});

/** A window of 1100 × 720 pixels, enlarged by the browser, has half as many of its own. */
test('everything can be read at twice its size without scrolling sideways', async () => {
  await page.setViewportSize({ width: 550, height: 360 });
  for (const [, open] of inside) {
    await open();
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(scrollWidth).toBeLessThanOrEqual(550);
    await page.locator('main h1').waitFor();
  }
  await page.setViewportSize({ width: 1100, height: 720 });
});

test('with the largest text that settings offer, titles and columns keep their room', async () => {
  await page.evaluate(
    () => (document.documentElement.style.fontSize = `${String(16 * (20 / 14))}px`),
  );
  for (const [, open] of inside) {
    await open();
    const box = await page.locator('main h1').boundingBox();
    expect(box?.width).toBeGreaterThan(60);
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(scrollWidth).toBeLessThanOrEqual(1100);
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
});

test('nothing moves for somebody who asked for less motion', async () => {
  await read(page, 'Topic', SHELF, 'Then let us show both');
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        return [transitionDuration, animationDuration].some((each) =>
          each.split(', ').some((one) => Number.parseFloat(one) > 0.01),
        );
      })
      .map((element) => element.outerHTML.slice(0, 100)),
  );
  expect(moving).toEqual([]);
});

test('with colours that the system forces, what is chosen and what has the focus is still seen', async () => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await go(page, 'View', 'Inbox');
  const current = page.getByRole('navigation').locator('.is-current');
  const border = await current.evaluate((element) => getComputedStyle(element).borderTopWidth);
  expect(border).toBe('2px');
  await page.keyboard.press('F6');
  expect((await stop()).isShown).toBe(true);
  await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' });
});
