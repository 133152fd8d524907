/** What looks for faults of layout finds them, and nothing else. */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/window/browser.ts';
import { layoutFaults } from '../support/screens/layout.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

async function pageOf(html: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } });
  await page.setContent(`<style>body { margin: 0 } button { height: 40px }</style>${html}`);
  return page;
}

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
])('the search for layout faults finds %s', async (_what, fault, html) => {
  const page = await pageOf(html);
  const found = await layoutFaults(page, 1);
  await page.close();
  expect(found).toHaveLength(1);
  expect(found[0]).toContain(fault);
});

test('the search for layout faults finds nothing where a list scrolls, a dialog covers, and a long name ends in an ellipsis', async () => {
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
