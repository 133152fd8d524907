import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { BridgeDouble } from '#test/support/window/bridge-double.ts';
import { openWindow } from '../open-window.ts';

test('whoever chooses a password reads how hard it is to guess for somebody who knows them', async () => {
  await openWindow(new BridgeDouble({ accounts: [] }));
  await page.getByRole('button', { name: /^Host an organization/ }).click();
  const password = page.getByLabelText('Password', { exact: true });
  const said = (text: string) => page.getByText(text, { exact: true });
  await password.fill('password1');
  await expect.element(said('Very easy to guess')).toBeVisible();
  await password.fill('Quillmore#42');
  await expect.element(said('Hard to guess')).toBeVisible();
  await page.getByLabelText('Organization name').fill('Quillmore');
  await expect.element(said('Easy to guess')).toBeVisible();
  await password.fill('violet gravel teapot ninety');
  await expect.element(said('Very hard to guess')).toBeVisible();
  await password.fill('');
  await expect.element(page.getByText(/to guess$/)).not.toBeInTheDocument();
});
