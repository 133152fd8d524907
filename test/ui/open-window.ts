import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import App from '#renderer/app.svelte';
import { account, type BridgeDouble } from '../support/window/bridge-double.ts';

/** The whole window on a bridge that lives in memory. */
export async function openWindow(
  bridge: BridgeDouble,
  size: { readonly width: number; readonly height: number } = { width: 1100, height: 720 },
): Promise<void> {
  await page.viewport(size.width, size.height);
  document.documentElement.lang = 'en';
  const target = document.createElement('div');
  target.id = 'app';
  document.body.append(target);
  await render(App, { target, props: { bridge } });
}

/** How a window was left in which the right column was asked for. */
export const withColumn = { accountId: account.id, place: JSON.stringify({ showsRight: true }) };

export const textBox = () => page.getByRole('textbox', { name: 'Message', exact: true });
export const topicBox = () => page.getByRole('combobox', { name: 'Topic' });
export const row = (name: RegExp) =>
  page.getByRole('navigation').getByRole('button', { name }).first();
export const messageList = () => page.getByRole('list', { name: 'Messages' });
export const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });

/** Goes to a conversation by its row and waits until it is shown. */
export async function open(name: RegExp, title: string | RegExp): Promise<void> {
  await row(name).click();
  await expect.element(heading(title)).toBeVisible();
}
