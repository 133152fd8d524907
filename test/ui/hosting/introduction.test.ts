import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { account, BridgeDouble } from '#test/support/window/bridge-double.ts';
import { heading, openWindow } from '../open-window.ts';

const link = {
  token: `7-${'aB3'.repeat(10)}xY`,
  addresses: ['https://192.168.1.20:9981'],
  pin: 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst',
  realmName: 'Lantern Office',
};

async function join(bridge: BridgeDouble): Promise<void> {
  await openWindow(bridge);
  bridge.push('invitationOpened', link);
  await page.getByLabelText('Your name').fill('Ben Member');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect.element(heading('Welcome to Office')).toBeVisible();
}

test('whoever has joined sees three pictures, and Escape ends them', async () => {
  await join(new BridgeDouble({ accounts: [] }));
  expect(page.getByRole('main').getByRole('img').elements()).toHaveLength(3);
  await userEvent.keyboard('{Escape}');
  await expect.element(heading('Inbox')).toBeVisible();
  // And they come back for whoever looks for help.
  await userEvent.keyboard('?');
  await page.getByRole('button', { name: 'About streams and topics' }).click();
  await expect.element(heading('Welcome to Office')).toBeVisible();
  await userEvent.keyboard('?');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(heading('Welcome to Office')).toBeVisible();
  await page.getByRole('button', { name: 'Start' }).click();
  await expect.element(heading('Inbox')).toBeVisible();
});

test('they stand in nobody’s way: whatever is chosen instead is there at once', async () => {
  await join(new BridgeDouble({ accounts: [] }));
  await page
    .getByRole('navigation')
    .getByRole('button', { name: /^general/ })
    .first()
    .click();
  await expect.element(heading(/general/)).toBeVisible();
});

test('whoever signs in to an account that they had is not shown them', async () => {
  const bridge = new BridgeDouble({
    ...{ shell: 'browser', canHost: false, accounts: [] },
    fixedAddress: account.address,
  });
  await openWindow(bridge);
  await page.getByLabelText('E-mail address').fill('ada@example.com');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect.element(heading('Inbox')).toBeVisible();
});
