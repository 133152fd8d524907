import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import { passwordLinkIn } from '#renderer/lib/links/password-link.ts';
import { account, BridgeDouble } from '../support/window/bridge-double.ts';
import { heading, openWindow } from './open-window.ts';

const token = `9-${'aB3'.repeat(10)}Zz`;
const address = 'http://192.168.1.20:9981';
const password = () => page.getByLabelText('New password', { exact: true });

test.each([
  [`${address}/#password/${token}`, { address, token }],
  [` 192.168.1.20:9981#password/${token}\n`, { address: '192.168.1.20:9981', token }],
  [`${address}/#password/${token}x`, null],
  [`${address}/#password/${token.slice(1)}`, null],
  [`#password/${token}`, null],
  [address, null],
])('the link in %j', (text, link) => {
  expect(passwordLinkIn(text)).toEqual(link);
});

test('a link that is pasted as the address leads to a form for the new password, which signs in', async () => {
  const bridge = new BridgeDouble({ accounts: [] });
  bridge.answer('choosePassword', async () => failure('BAD_REQUEST', 'This link was used already'));
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Connect/ }).click();
  await page.getByLabelText('Address', { exact: true }).fill(`${address}/#password/${token}`);
  await expect.element(heading('Choose your password')).toBeVisible();
  await expect.element(page.getByText(/at 192\.168\.1\.20:9981/)).toBeVisible();
  await expect.element(password()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(password()).toHaveAccessibleDescription(/New password is missing\./);
  await password().fill('battery staple');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toMatchTextContent(/used already/);
  bridge.restore('choosePassword');
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Inbox')).toBeVisible();
  const request = { address, token, password: 'battery staple' };
  expect(bridge.argsOf('choosePassword')).toEqual([[request], [request]]);
});

test('a page that was opened by a link asks for the new password, and goes back to what was there', async () => {
  const bridge = new BridgeDouble();
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  bridge.push('passwordLinkOpened', { address, token });
  await expect.element(heading('Choose your password')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.element(heading('Inbox')).toBeVisible();
  expect(bridge.argsOf('choosePassword')).toEqual([]);
});

test('a link to an organization that is known here is called by its name', async () => {
  const bridge = new BridgeDouble();
  await openWindow(bridge);
  bridge.push('passwordLinkOpened', { address: account.address, token });
  await expect.element(page.getByText(/^For your account at Office\./)).toBeVisible();
  await expect.element(page.getByText('127.0.0.1:9981', { exact: true })).toBeVisible();
});

test('whoever was given a password chooses another one before the window opens', async () => {
  const bridge = new BridgeDouble({ accounts: [] });
  bridge.answer('connect', async ({ newPassword }) =>
    newPassword === undefined
      ? failure('PASSWORD_GIVEN', 'Choose a password of your own first.')
      : newPassword === 'welcome here'
        ? failure('BAD_REQUEST', 'Choose another password', 'password')
        : success(account),
  );
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Connect/ }).click();
  const given = {
    address: 'chat.example.com',
    email: 'nora@example.com',
    password: 'welcome here',
  };
  await page.getByLabelText('Address', { exact: true }).fill(given.address);
  await page.getByLabelText('E-mail address').fill(given.email);
  await page.getByLabelText('Password', { exact: true }).fill(given.password);
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Choose your password')).toBeVisible();
  await expect.element(password()).toHaveFocus();
  await password().fill(given.password);
  await userEvent.keyboard('{Enter}');
  await expect.element(password()).toHaveAccessibleDescription(/Choose another password/);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.element(page.getByLabelText('E-mail address')).toBeVisible();
  await page.getByLabelText('Address', { exact: true }).fill(given.address);
  await page.getByLabelText('E-mail address').fill(given.email);
  await page.getByLabelText('Password', { exact: true }).fill(given.password);
  await userEvent.keyboard('{Enter}');
  await password().fill('battery staple');
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Welcome to Office')).toBeVisible();
  expect(bridge.argsOf('connect').at(-1)).toEqual([{ ...given, newPassword: 'battery staple' }]);
});
