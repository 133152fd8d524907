/** The browser client in a real Chromium. */
import type { Browser, ConsoleMessage, Locator, Page } from 'playwright';
import { chromium } from 'playwright';
import { onTestFinished } from 'vitest';
import { buildIfStale } from '#scripts/stale-build.ts';
import { row } from '../desktop/desktop-places.ts';
import { chromiumArgs, chromiumPath } from '../machine.ts';
import { WAIT_LIMIT_MS } from '../patience.ts';

/**
 * With the interface built as it is in the work tree. It is not on the desktop's bus: what it would show there is taken
 * for the application's by whoever asks the desktop what was shown.
 */
export async function launchChromium({
  executablePath = chromiumPath,
  args = [],
  env = {},
}: LaunchOptions = {}): Promise<Browser> {
  await buildIfStale();
  return chromium.launch({
    args: [...chromiumArgs, ...args],
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:', ...env },
    ...(executablePath === undefined ? {} : { executablePath }),
  });
}

export interface LaunchOptions {
  readonly executablePath?: string | undefined;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A person's tab: its storage is shared with no other. */
export interface Tab {
  readonly page: Page;
  /** Uncaught errors and what the browser refused, such as scripts that a policy forbids. */
  readonly complaints: readonly string[];
  readonly signIn: (email: string, password?: string) => Promise<void>;
  readonly openStream: (name: string) => Promise<void>;
  readonly write: (topic: string, content: string) => Promise<void>;
  /** The messages shown, in order. */
  readonly messages: Locator;
  /** Settles when the page says that it is in this state. */
  readonly isSaid: (state: 'Connected' | 'Offline') => Promise<void>;
}

/** Requests that fail while a service is down are reported by the browser, whatever the page makes of them. */
const isComplaint = (message: ConsoleMessage): boolean =>
  message.type() === 'error' && !message.text().startsWith('Failed to load resource');

/** Closed when the test that called it ends. */
export async function openTab(browser: Browser, origin: string): Promise<Tab> {
  const context = await browser.newContext();
  context.setDefaultTimeout(WAIT_LIMIT_MS);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.stack ?? String(error)));
  page.on('console', (message) => {
    if (isComplaint(message)) complaints.push(message.text());
  });
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(origin);
  return { page, complaints, messages: page.locator('[data-message-id]'), ...actions(page) };
}

/** Offline, the time up to which everything is known is said as soon as there is one. */
const said = { Connected: /^Connected/, Offline: /^(?:Offline|As of )/ } as const;

function actions(page: Page): Pick<Tab, 'signIn' | 'openStream' | 'write' | 'isSaid'> {
  return {
    signIn: async (email, password = '') => {
      await page.getByLabel('E-mail address').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    },
    openStream: async (name) => {
      await row(page, name).click();
    },
    write: async (topic, content) => {
      await page.getByRole('combobox', { name: 'Topic' }).fill(topic);
      const box = page.getByRole('textbox', { name: 'Message' });
      await box.fill(content);
      await box.press('Enter');
    },
    isSaid: (state) => page.getByRole('navigation').getByText(said[state]).first().waitFor(),
  };
}
