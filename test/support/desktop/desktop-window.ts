/** What a test asks of the window of the desktop application, and of the application while it has none. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { Preferences } from '#shared/bridge/models/preferences.ts';
import type { DesktopApp } from './desktop-app.ts';

type Running = Pick<DesktopApp, 'electron'>;

/** Closes it as its frame does. */
export async function closeWindow({ electron }: Running): Promise<void> {
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close());
}

export const windowCount = ({ electron }: Running): Promise<number> =>
  electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

/** Closes it and waits until its page is freed. */
export async function freeWindow(app: Running): Promise<void> {
  await closeWindow(app);
  await expect.poll(() => windowCount(app)).toBe(0);
}

/** The new window that `open` brings up; contents without a window, which play sounds, are none. */
export async function reopened(app: Running, open: () => Promise<unknown>): Promise<Page> {
  // Playwright may still list the page of a window that was closed a moment ago.
  const known = new Set(app.electron.windows());
  await open();
  const isNew = (page: Page): boolean => !known.has(page) && !page.isClosed();
  const find = (): Page | undefined =>
    app.electron.windows().find((page) => isNew(page) && page.url().endsWith('/index.html'));
  await expect.poll(find).toBeDefined();
  const page = find()!;
  await page.waitForLoadState();
  return page;
}

/** A choice of this computer as it holds, which is once it is on the disk: its control shows it before that. */
export const keptChoice = <K extends keyof Preferences>(
  page: Page,
  name: K,
): Promise<Preferences[K]> =>
  page.evaluate(async (key: keyof Preferences) => {
    const { bridge } = window as unknown as {
      bridge: { preferences: () => Promise<{ value: Preferences }> };
    };
    return (await bridge.preferences()).value[key];
  }, name) as Promise<Preferences[K]>;

/** The menu comes up after the page. */
export async function untilMenu({ electron }: Running): Promise<void> {
  const isThere = (): Promise<boolean> =>
    electron.evaluate(({ Menu }) => Menu.getApplicationMenu() !== null);
  await expect.poll(isThere).toBe(true);
}

/** Picks an item of the application's menu, by its labels from the top. */
export async function pickMenu(app: Running, ...path: readonly string[]): Promise<void> {
  const { electron } = app;
  await untilMenu(app);
  await electron.evaluate(({ Menu, BrowserWindow }, labels) => {
    let items = Menu.getApplicationMenu()!.items;
    for (const label of labels.slice(0, -1)) {
      items = items.find((item) => item.label.replace('&', '') === label)!.submenu!.items;
    }
    const item = items.find(({ label }) => label === labels.at(-1))!;
    const click = item.click as (event: object, window?: Electron.BaseWindow) => void;
    click({}, BrowserWindow.getFocusedWindow() ?? undefined);
  }, path);
}

/** Answers the message boxes of the application from now on with the button of that label. */
export async function answerDialogs({ electron }: Running, label: string): Promise<void> {
  await electron.evaluate(({ dialog }, wanted) => {
    const seen: string[] = [];
    (globalThis as { asked?: string[] }).asked = seen;
    dialog.showMessageBox = (async (...args: unknown[]) => {
      const options = args.at(-1) as Electron.MessageBoxOptions;
      seen.push(`${options.message} ${options.detail ?? ''}`);
      const response = options.buttons?.indexOf(wanted) ?? -1;
      return { response: response < 0 ? options.cancelId : response, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
  }, label);
}

/** What they asked since `answerDialogs`. */
export const askedDialogs = ({ electron }: Running): Promise<readonly string[]> =>
  electron.evaluate(() => (globalThis as { asked?: string[] }).asked ?? []);

/** Settles once the window is, or is no longer, the one that the person looks at. */
export async function setFocus({ electron }: Running, isFocused: boolean): Promise<void> {
  await electron.evaluate(({ BrowserWindow }, wanted) => {
    const window = BrowserWindow.getAllWindows()[0]!;
    if (window.isFocused() === wanted) return null;
    const changed = new Promise((resolve) => {
      window.once(wanted ? 'focus' : ('blur' as 'focus'), () => resolve(null));
    });
    if (wanted) window.focus();
    else window.blur();
    return changed;
  }, isFocused);
}
