/** What a person feels in the window: switching, writing, scrolling. */
import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright';
import { type DesktopApp, openApp, waitForMainView } from '#test/support/desktop/desktop-app.ts';
import { electronLaunch } from '#test/support/machine.ts';
import {
  coverWithCopies,
  loadOlder,
  switchConversations,
  switchCopies,
  takeFrames,
  takeKeys,
  uncover,
  unfoldStreams,
  watchFrames,
  watchKeys,
} from '#test/bench/desktop/in-page.ts';
import type { World } from '#test/bench/desktop/world.ts';
import { limited, type Row, shown } from '#test/bench/report.ts';
import { limitedHere, type Paced, paced } from '../own-machine.ts';
import { streamName } from '#test/bench/seed.ts';
import { compare, median, percentile, type Round } from '#test/bench/statistics.ts';

const SWITCH_LIMIT_MS = 50;
const KEY_LIMIT_MS = 16;
const DROPPED_LIMIT_PERCENT = 1;
const UNFOLDED = 2;
const FRAME_MS = 1000 / 60;
const WHEEL_PX = 200;
const KEY_PAUSE_MS = 60;
const TEXT = 'the quick brown fox jumps over the lazy dog ';

export interface WindowPlan {
  readonly rounds: number;
  /** Counted in one round. */
  readonly switches: number;
  readonly keys: number;
  readonly scrollMs: number;
  readonly loaded: number;
}

export async function measureSwitching(
  { raw }: World,
  { page }: Pick<DesktopApp, 'page'>,
  { rounds, switches }: WindowPlan,
): Promise<readonly Row[]> {
  await page.evaluate(unfoldStreams, UNFOLDED);
  const slowest: Paced<number>[] = [];
  const beside: Record<'p95' | 'p50', Round[]> = { p95: [], p50: [] };
  for (let round = -1; round < rounds; round++) {
    const { result: times, slowness } = await paced(raw, () =>
      page.evaluate(switchConversations, switches),
    );
    const copied = await page.evaluate(switchCopies, switches);
    if (round < 0) continue;
    const p95 = { figure: percentile(times, 0.95), reference: percentile(copied, 0.95) };
    slowest.push({ result: p95.figure, slowness });
    beside.p95.push(p95);
    beside.p50.push({ figure: median(times), reference: median(copied) });
  }
  const name = 'switching conversation to painted';
  const against = 'copies of two conversations, painted in turn';
  const row = (part: keyof typeof beside): Row => ({
    ...{ name: `${name}, ${part}`, unit: 'ms' },
    ...compare(beside[part]),
    ...{ against, target: null },
  });
  return [limitedHere(`${name}, p95`, SWITCH_LIMIT_MS, slowest), row('p95'), row('p50')];
}

/** All messages of all streams, with so many of them loaded. */
async function openFeed(page: Page, loaded: number): Promise<void> {
  await page.locator('nav li:nth-child(3) [data-row]').first().click();
  await page.locator('main [data-message-id]').first().waitFor();
  await page.evaluate(loadOlder, loaded);
}

/** In a view of many conversations it asks first where the text goes. */
async function openComposeBox(page: Page): Promise<void> {
  const compose = page.locator('[data-region=compose]');
  await compose.getByRole('button').first().click();
  await compose.locator('input').first().waitFor();
  await page.keyboard.type(streamName(0));
  await page.keyboard.press('Enter');
  await compose.locator('textarea').click();
}

async function typeFor(devtools: CDPSession, keys: number): Promise<void> {
  for (let i = 0; i < keys; i++) {
    const text = TEXT[i % TEXT.length] ?? ' ';
    const key = { key: text, text, unmodifiedText: text };
    await devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
    await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', key: text });
    await delay(KEY_PAUSE_MS);
  }
}

/** The display's own rhythm would be measured too: without it a frame comes as soon as there is something to paint. */
const UNBOUND = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

export async function measureTyping(
  { profile, raw }: World,
  { rounds, keys, loaded }: WindowPlan,
): Promise<readonly Row[]> {
  if (electronLaunch === undefined) throw new Error('there is no Electron');
  const launch = { ...electronLaunch, args: [...electronLaunch.args, ...UNBOUND] };
  const app = await openApp(profile, {}, launch);
  const { page } = app;
  await waitForMainView(page);
  await openFeed(page, loaded);
  const devtools = await page.context().newCDPSession(page);
  await openComposeBox(page);
  await page.evaluate(watchKeys);
  const slowest: Paced<number>[] = [];
  for (let round = -1; round < rounds; round++) {
    const { result: times, slowness } = await paced(raw, async () => {
      await typeFor(devtools, keys);
      return page.evaluate(takeKeys);
    });
    if (round >= 0) slowest.push({ result: percentile(times, 0.95), slowness });
  }
  await page.locator('[data-region=compose] textarea').fill('');
  await app.quit();
  const name = `key press to painted, ${loaded.toLocaleString('en-US')} messages loaded, p95`;
  return [limitedHere(name, KEY_LIMIT_MS, slowest)];
}

/** Frames that were not there in time, in percent of those that should have been. */
function droppedPercent(deltas: readonly number[]): number {
  const due = deltas.map((delta) => Math.max(1, Math.round(delta / FRAME_MS)));
  const total = due.reduce((sum, frames) => sum + frames, 0);
  return (100 * (total - deltas.length)) / total;
}

async function wheelFor(devtools: CDPSession, ms: number, deltaY: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) {
    const at = { x: 700, y: 300 };
    await devtools.send('Input.dispatchMouseEvent', {
      type: 'mouseWheel',
      ...at,
      deltaX: 0,
      deltaY,
    });
    await delay(FRAME_MS);
  }
}

export async function measureScrolling(
  { page }: Pick<DesktopApp, 'page'>,
  { rounds, scrollMs, loaded }: WindowPlan,
): Promise<readonly Row[]> {
  await openFeed(page, loaded);
  const devtools = await page.context().newCDPSession(page);
  /** Milliseconds between frames. */
  const scroll = async (deltaY: number): Promise<readonly number[]> => {
    await page.evaluate(watchFrames);
    await wheelFor(devtools, scrollMs, deltaY);
    return page.evaluate(takeFrames);
  };
  const dropped: number[] = [];
  const copied: number[] = [];
  const worst: number[] = [];
  for (let round = -1; round < rounds; round++) {
    // From where loading ended, at the top, down; then up again.
    const isUp = round % 2 === 0;
    const deltaY = isUp ? -WHEEL_PX : WHEEL_PX;
    const deltas = await scroll(deltaY);
    const heightPx = (WHEEL_PX * scrollMs) / FRAME_MS;
    await page.evaluate(coverWithCopies, { heightPx, isAtEnd: isUp });
    const ofCopies = await scroll(deltaY);
    await page.evaluate(uncover);
    if (round < 0) continue;
    dropped.push(droppedPercent(deltas));
    copied.push(droppedPercent(ofCopies));
    worst.push(Math.max(...deltas));
  }
  const name = `frames dropped while scrolling ${loaded.toLocaleString('en-US')} messages`;
  return [
    limited({ name, unit: '%' }, dropped, DROPPED_LIMIT_PERCENT),
    shown({ name: 'frames dropped where the browser scrolls copies of them', unit: '%' }, copied),
    shown({ name: 'longest time between two frames meanwhile', unit: 'ms' }, worst),
  ];
}
