/** What a test asks of the window of the desktop application, and of the application while it has none. */
import type { Page } from 'playwright';
import { expect } from 'vitest';
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

/** The window that `open` brings up; contents without a window, which play sounds, are none. */
export async function reopened(app: Running, open: () => Promise<unknown>): Promise<Page> {
  await open();
  const find = (): Page | undefined =>
    app.electron.windows().find((page) => page.url().endsWith('/index.html'));
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  const page = find()!;
  await page.waitForLoadState();
  return page;
}

/** Picks an item of the application's menu, by its labels from the top. */
export async function pickMenu({ electron }: Running, ...path: readonly string[]): Promise<void> {
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
