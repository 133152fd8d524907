/** Where screens are shown: tabs of a real Chromium on the office, at its moment, and ways to get about in them. */
import type { Browser, BrowserContext, Locator, Page } from 'playwright';
import { closeSearch } from '../window/close-search.ts';
import { WAIT_LIMIT_MS } from '../patience.ts';
import { reader, type Office } from '../life/office.ts';

/** Which of three situations a screen begins in. */
export type Start = 'signed-in' | 'signed-out' | 'new-service';

export interface Stage {
  readonly page: Page;
  readonly office: Office;
}

/** One thing that people see, by the name of its picture. */
export interface Screen {
  readonly name: string;
  /** What the picture shows. */
  readonly title: string;
  readonly start: Start;
  /** From any other screen of the same start. */
  readonly open: (stage: Stage) => Promise<void>;
  /** Puts back what `calm` does not. */
  readonly leave?: (stage: Stage) => Promise<void>;
  /** Where a picture would show the same as in a wide window, or the other way round. */
  readonly picture?: 'wide' | 'narrow' | 'both' | 'none';
}

export interface StageOptions {
  readonly width: number;
  readonly height: number;
  readonly theme?: 'light' | 'dark';
}

export async function openStage(
  browser: Browser,
  office: Office,
  { width, height, theme = 'light' }: StageOptions,
): Promise<Stage & { readonly context: BrowserContext }> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  // What one screen shows must still be unread in the next one.
  await context.addInitScript(() =>
    localStorage.setItem('hearth.preferences', JSON.stringify({ markRead: 'never' })),
  );
  const page = await context.newPage();
  await page.clock.setFixedTime(office.nowMs);
  page.setDefaultTimeout(WAIT_LIMIT_MS);
  return { context, page, office };
}

export async function signIn({ page, office }: Stage): Promise<void> {
  await page.goto(office.origin);
  await page.getByLabel('E-mail address').fill(reader.email);
  await page.getByLabel('Password', { exact: true }).fill(reader.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('[data-region="messages"]').waitFor({ state: 'attached' });
}

const openLayers =
  '[data-region="messages"] form, ' +
  'dialog[open], [popover]:popover-open, [role="menu"], [role="listbox"]:not([hidden])';

/** Closes whatever stands above the page, as Escape does. */
export async function calm(page: Page): Promise<void> {
  // Nothing is pointed at.
  await page.mouse.move(0, 0);
  for (let i = 0; i < 6; i += 1) {
    if ((await page.locator(openLayers).count()) === 0) break;
    await page.keyboard.press('Escape');
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  if (await page.getByRole('button', { name: 'Close the search' }).isVisible()) {
    await closeSearch(page);
  }
}

type Kind = 'Stream' | 'Topic' | 'Person' | 'Private messages' | 'View' | 'Command';

/** By the switcher, which is there at every width. A private conversation with one person has that person's name. */
export async function go(page: Page, kind: Kind, name: string): Promise<void> {
  await calm(page);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Stream, topic or person' });
  await field.fill(name);
  const found = page.getByRole('option').filter({ hasText: name });
  const wanted = (kind === 'Person' ? found : found.filter({ hasText: kind })).first();
  await wanted.waitFor();
  // By keys, so that what takes the focus afterwards shows it.
  for (let i = 0; i < 30 && (await wanted.getAttribute('aria-selected')) !== 'true'; i += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  if (kind !== 'Command') await page.locator('main h1').filter({ hasText: name }).waitFor();
}

export const messages = (page: Page): Locator => page.locator('[data-message-id]');

/** A conversation with its messages. */
export async function read(page: Page, kind: Kind, name: string, text: string): Promise<void> {
  await go(page, kind, name);
  await messages(page).filter({ hasText: text }).first().waitFor();
}

export const message = ({ page, office }: Stage, key: string): Locator =>
  page.locator(`[data-message-id="${String(office.ids.get(key))}"]`);

export const SHELF = 'Hallway shelf';

/** Opens the topic of the shelf, where most happens, with the focus on one message. */
export async function onMessage(stage: Stage, key: string): Promise<Locator> {
  if (await isThere(stage, key)) return message(stage, key);
  // From another place, so that it opens at its first unread message wherever it was left.
  await go(stage.page, 'View', 'Inbox');
  await read(stage.page, 'Topic', SHELF, 'Then let us show both');
  const row = message(stage, key);
  if (await keepsFocus(row)) return row;
  // The list holds only what is near: from the last message upwards it comes in, step by step.
  const { page } = stage;
  await messages(page).last().focus();
  for (let steps = 0; steps < 60; steps += 1) {
    const before = await page.evaluate(focusedId);
    if (before === String(stage.office.ids.get(key)) && (await keepsFocus(row))) return row;
    await page.keyboard.press('ArrowUp');
    await page.waitForFunction(
      (id) => document.activeElement?.getAttribute('data-message-id') !== id,
      before,
    );
  }
  throw new Error(`the message ${key} does not keep the focus`);
}

/** The topic is open, and the message in its list. */
async function isThere(stage: Stage, key: string): Promise<boolean> {
  await calm(stage.page);
  const heading = stage.page.locator('main h1').filter({ hasText: SHELF });
  return (await heading.isVisible()) && (await keepsFocus(message(stage, key)));
}

const focusedId = (): string | null | undefined =>
  document.activeElement?.getAttribute('data-message-id');

/** The row may be taken away while it is looked at: whatever is not there has no focus. */
async function keepsFocus(row: Locator): Promise<boolean> {
  const [element] = await row.elementHandles();
  return (await element?.evaluate(hasTakenFocus)) ?? false;
}

/** In one step: the list takes rows away that are far from what is focused. */
async function hasTakenFocus(element: HTMLElement | SVGElement): Promise<boolean> {
  element.scrollIntoView({ block: 'nearest' });
  element.focus();
  for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  return document.activeElement === element;
}

export const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });

/** Beside the messages in a wide window, above them in others. */
export async function showColumn(page: Page): Promise<Locator> {
  const column = page.getByRole('complementary', { name: 'People and details' });
  if (!(await column.isVisible())) {
    await page.getByRole('button', { name: 'People and details', exact: true }).click();
  }
  await column.waitFor();
  return column;
}

/** As it is without being asked for. */
export async function restoreColumn({ page }: Stage): Promise<void> {
  await calm(page);
  await page.getByRole('button', { name: 'Hide people and details' }).first().click();
}
