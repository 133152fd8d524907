import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { BridgeDouble } from '#test/support/window/bridge-double.ts';
import { openWindow, row } from '../open-window.ts';

/** Opens the settings by their key, at one of their pages. */
export async function openSettings(
  bridge: BridgeDouble,
  tab: string,
  size?: { readonly width: number; readonly height: number },
): Promise<void> {
  await openWindow(bridge, size);
  await expect.element(row(/general/)).toBeVisible();
  await userEvent.keyboard('{Control>},{/Control}');
  await page.getByRole('tab', { name: tab, exact: true }).click();
}

/** Opens the settings of a stream by the menu of its row. */
export async function openStreamSettings(
  bridge: BridgeDouble,
  name: RegExp,
  tab: string,
  size?: { readonly width: number; readonly height: number },
): Promise<void> {
  await openWindow(bridge, size);
  await row(name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: /Stream settings/ }).click();
  await page.getByRole('tab', { name: tab, exact: true }).click();
}

export const setting = (name: string | RegExp) => page.getByRole('switch', { name });
export const choice = (name: string | RegExp) => page.getByRole('combobox', { name });
export const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
/** In the dialog that asks, and not behind it. */
export const confirm = (name: string) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();
