/**
 * The application with its window, on a computer and a desktop of their own: it does what a person would do, as the test asks
 * for it over the channel of its process.
 */
import process from 'node:process';
import type { Locator, Page } from 'playwright';
import { createProfile, type Profile, type RunningApp, startApp } from '../desktop/desktop-app.ts';
import { receivedNotifications } from '../desktop/desktop-notifications.ts';

/** A thing in the window, by its role and how its name begins. */
export interface Thing {
  readonly role: Parameters<Page['getByRole']>[0];
  readonly name: string;
}

export interface DeskQuestion {
  readonly id: number;
  readonly name: keyof typeof answers;
  readonly args: readonly unknown[];
}

export interface DeskAnswer {
  /** 0 says that questions are listened to. */
  readonly id: number;
  readonly value?: unknown;
  readonly problem?: string;
}

let profile: Profile | undefined;
let app: RunningApp | undefined;
let page: Page;

const find = ({ role, name }: Thing): Locator =>
  page.getByRole(role, { name: new RegExp(`^${name}`) }).first();

const hasFocus = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element === document.activeElement);

async function close(): Promise<void> {
  await app?.quit();
  app = undefined;
}

const answers = {
  /** As the system starts it: for a link, or for nothing in particular. */
  async start(...links: readonly string[]) {
    profile ??= await createProfile();
    app = await startApp(profile, { options: links });
    page = await app.electron.firstWindow();
  },
  click: (thing: Thing) => find(thing).click(),
  isFocused: async (thing: Thing) => {
    await find(thing).waitFor();
    return hasFocus(find(thing));
  },
  isPainted: () =>
    page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length > 0),
  isAmongTabs: () => page.evaluate(() => document.activeElement?.getAttribute('role') === 'tab'),
  type: (text: string) => page.keyboard.type(text),
  press: (key: string) => page.keyboard.press(key),
  sees: (thing: Thing) => find(thing).waitFor(),
  textOf: (thing: Thing) => find(thing).innerText(),
  reads: (text: string) => page.getByText(text).first().waitFor(),
  lookAway: () =>
    app?.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur()),
  clipboard: () => app?.electron.evaluate(({ clipboard }) => clipboard.readText()),
  notifications: () => receivedNotifications(),
  close,
  async quit() {
    await close();
    await profile?.remove();
  },
} as const;

process.on('message', ({ id, name, args }: DeskQuestion) => {
  const answer = answers[name] as (...given: readonly unknown[]) => Promise<unknown>;
  answer(...args).then(
    (value) => process.send?.({ id, value } satisfies DeskAnswer),
    (error: unknown) => process.send?.({ id, problem: String(error) } satisfies DeskAnswer),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 0 } satisfies DeskAnswer);
