import type { Page } from 'playwright';
import { LayoutCheck } from './layout-check.ts';

const script = `new (${LayoutCheck.toString()})().faults()`;

/** Lists and layers follow a change of the window over some frames, on a busy computer over many. */
const LOOKS = 40;

const frames = (page: Page): Promise<unknown> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

/**
 * What is wrong with where things are in the page: the document scrolls or something sticks out of it, a list scrolls
 * sideways, a control is clipped or covered, a text is cut without a sign. Each in one line, none when all is well.
 * @param looks  how often it is looked at before a fault counts
 */
export async function layoutFaults(page: Page, looks = LOOKS): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  for (let look = 0; look < looks; look += 1) {
    faults = await page.evaluate<readonly string[]>(script);
    if (faults.length === 0) break;
    await frames(page);
  }
  return faults;
}

/** The same in windows of other widths, as if the window were drawn narrower while the screen is shown. */
export async function layoutFaultsAt(
  page: Page,
  widths: readonly number[],
): Promise<readonly string[]> {
  const before = page.viewportSize() ?? { width: 1100, height: 720 };
  const found: string[] = [];
  for (const width of widths) {
    if (width !== page.viewportSize()?.width) await page.setViewportSize({ ...before, width });
    const faults = await layoutFaults(page);
    found.push(...faults.map((fault) => `${String(width)} px: ${fault}`));
  }
  if (before.width !== page.viewportSize()?.width) await page.setViewportSize(before);
  return found;
}
