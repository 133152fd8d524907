import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { BridgeDouble } from '#test/support/window/bridge-double.ts';
import { openWindow } from '../open-window.ts';
import { press } from './open-settings.ts';

test('whoever hosts lets bots reach single names inside, reads why one is refused, and takes them away', async () => {
  const bridge = new BridgeDouble();
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('tab', { name: 'Office' }).click();
  await expect.element(page.getByText('They reach nothing inside of this network.')).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Let them reach' });
  bridge.fail('webhookTargets', '127.0.0.1:80: this computer is never reached');
  await field.fill('127.0.0.1:80');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByText('127.0.0.1:80: this computer is never reached'))
    .toBeVisible();
  await expect.element(field).toHaveValue('127.0.0.1:80');
  bridge.restore('webhookTargets');
  await field.fill('jenkins.lan:8080');
  await press('Allow');
  await expect.element(page.getByText('jenkins.lan:8080', { exact: true })).toBeVisible();
  await expect.element(field).toHaveValue('');
  await press('Remove jenkins.lan:8080');
  await expect.element(page.getByText('They reach nothing inside of this network.')).toBeVisible();
  await expect.element(field).toHaveFocus();
});
