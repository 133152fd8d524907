/** Every screen in offices of a few people and of a thousand: the window never scrolls, and nothing lies over a control. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '../support/window/browser.ts';
import type { People } from '../support/life/crowd.ts';
import { foundOffice } from '../support/life/office.ts';
import { drawPictures, type Pictures } from '../support/life/pictures.ts';
import { isLong } from '../support/long.ts';
import { layoutFaults, layoutFaultsAt } from '../support/screens/layout.ts';
import { walk } from '../support/screens/walk.ts';
import { type RunningService, startService } from '../support/service/service.ts';

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

/** How wide the window is while a screen is opened, and how wide it is made then: text has to reflow at 320 pixels. */
type Walk = readonly [people: People, width: 1100 | 360, others: readonly number[]];
const walks: readonly Walk[] = isLong
  ? ([3, 30, 300, 1000] as const).flatMap((people): readonly Walk[] => [
      [people, 1100, [700, 360]],
      [people, 360, [320]],
    ])
  : // The accessibility suite looks at narrow windows of a small office.
    [[1000, 1100, []]];

async function pageOf(html: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
  await page.setContent(`<style>body { margin: 0 } button { height: 40px }</style>${html}`);
  return page;
}

describe('what looks for faults of layout', () => {
  test.each([
    ['a document that scrolls', 'the document scrolls:', '<div style="height: 400px">'],
    [
      'what sticks out of a document that clips it',
      'sticks out of the window',
      '<style>html, body { height: 100%; overflow: clip }</style><p style="width: 500px">text</p>',
    ],
    [
      'a clipped button',
      'clipped by',
      '<div style="overflow: hidden; height: 30px"><button>Save</button></div>',
    ],
    [
      'a covered button',
      'covered by',
      '<button>Save</button><div style="position: absolute; inset: 0 0 auto; height: 20px">',
    ],
    [
      'a list that scrolls sideways',
      'scrolls sideways',
      '<ul style="overflow: auto; width: 100px"><li style="width: 200px">name</li></ul>',
    ],
    [
      'a name that ends without a sign',
      'text is cut',
      '<p style="overflow: hidden; white-space: nowrap; width: 50px">Wilhelmina Featherstone</p>',
    ],
    [
      'a name of which nothing is left',
      'nothing is left',
      '<p style="overflow: hidden; white-space: nowrap; width: 9px; text-overflow: ellipsis">Wilhelmina</p>',
    ],
    [
      'text that is wider than its button',
      'text sticks out',
      '<button style="width: 40px; white-space: nowrap">Wilhelmina Featherstone</button>',
    ],
  ])('finds %s', async (_what, fault, html) => {
    const page = await pageOf(html);
    const found = await layoutFaults(page);
    await page.close();
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(fault);
  });

  test('finds nothing where a list scrolls, a dialog covers, and a long name ends in an ellipsis', async () => {
    const page = await pageOf(`
      <div style="overflow: auto; height: 100px"><button>One</button><div style="height: 200px"></div>
        <button>Two</button></div>
      <button style="overflow: hidden; white-space: nowrap; width: 60px; text-overflow: ellipsis">
        Wilhelmina Featherstone</button>
      <dialog><button>Close</button></dialog>`);
    await page.evaluate(() => document.querySelector('dialog')?.showModal());
    expect(await layoutFaults(page)).toEqual([]);
    await page.evaluate(() => document.querySelector('dialog')?.close());
    expect(await layoutFaults(page)).toEqual([]);
    await page.close();
  });
});

describe.concurrent.each(walks)(
  'with %i people, in a window of %i pixels',
  (people, width, others) => {
    test('no screen scrolls, clips or covers what it shows, nor does it when the window gets narrower', async () => {
      const office = await foundOffice(pictures, { people });
      const found: string[] = [];
      await walk(browser, {
        ...{ width, height: 720, office, newOrigin: fresh.origin },
        visit: async ({ name }, { page }) => {
          const faults = await layoutFaultsAt(page, [width, ...others]);
          found.push(...faults.map((fault) => `${name}, ${fault}`));
        },
      }).catch((error: unknown) => found.push(String(error)));
      await office.service.stop();
      expect(found).toEqual([]);
    }, 900_000);
  },
);
