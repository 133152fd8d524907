import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure } from '#shared/bridge/outcome.ts';
import { account, BridgeDouble } from '../support/window/bridge-double.ts';
import { heading, openWindow } from './open-window.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble({ accounts: [] });
});

const ask = page.getByRole('button', { name: 'What is wrong?' });
const dialog = page.getByRole('dialog', { name: 'What is wrong?' });

async function connectTo(address: string): Promise<void> {
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await page.getByLabelText('Address').fill(address);
  await page.getByLabelText('E-mail address').fill('ben@example.com');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('whoever cannot connect is told what fails first, with what to do, and copies a report', async () => {
  bridge.answer('connect', async () => failure('UNREACHABLE', 'Nothing answers.', 'address'));
  let copied = '';
  navigator.clipboard.writeText = async (text) => void (copied = text);
  await openWindow(bridge);
  await connectTo('192.168.1.20');
  await ask.click();
  await expect.element(dialog.getByText(/^There is a computer at 192\.168\.1\.20/)).toBeVisible();
  const steps = dialog.getByRole('list', { name: 'What was looked at' }).getByRole('listitem');
  const told = steps
    .elements()
    .map(({ textContent }) => textContent.replaceAll(/\s+/g, ' ').trim());
  expect(told.slice(1, 4)).toEqual([
    'A computer is at the address: yes',
    'A program listens at the port: no',
    'It speaks with encryption: not looked at yet',
  ]);
  await dialog.getByRole('button', { name: 'Copy report' }).click();
  await expect.element(dialog.getByText(/^Copied\./)).toBeVisible();
  expect(copied).toMatch(/^Why Hearth does not connect/);
  expect(bridge.argsOf('checkConnection')).toEqual([
    [{ kind: 'address', address: '192.168.1.20' }],
  ]);
  await dialog.getByRole('button', { name: 'Look again' }).click();
  await expect.poll(() => bridge.argsOf('checkConnection').length).toBe(2);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('a wrong password is no matter of the connection', async () => {
  bridge.answer('connect', async () =>
    failure('AUTHENTICATION_FAILED', 'The password is wrong.', 'password'),
  );
  await openWindow(bridge);
  await connectTo('192.168.1.20');
  await expect.element(page.getByText('The password is wrong.')).toBeVisible();
  expect(ask.elements()).toEqual([]);
});

test('an invitation is looked at by its addresses and its key, and its token stays here', async () => {
  bridge.answer('invitation', async () => failure('OTHER_OFFICE', 'Somebody else answers there.'));
  await openWindow(bridge);
  const pin = 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst';
  const addresses = ['https://192.168.1.20:9981'];
  bridge.push('invitationOpened', { token: `7-${'a'.repeat(32)}`, addresses, pin, realmName: '' });
  await ask.click();
  await expect.element(dialog.getByText(/^There is a computer/)).toBeVisible();
  expect(bridge.argsOf('checkConnection')).toEqual([[{ kind: 'invitation', addresses, pin }]]);
});

test('beside an account that is offline somebody asks what is wrong, and the answer stays when the connection is back', async () => {
  bridge = new BridgeDouble();
  bridge.connectionState = { state: 'offline', liveUntilSeconds: null, reason: 'No answer.' };
  bridge.fail('checkConnection', 'It could not be looked at.');
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  await ask.click();
  await expect.element(dialog.getByText('It could not be looked at.')).toBeVisible();
  bridge.restore('checkConnection');
  await dialog.getByRole('button', { name: 'Look again' }).click();
  await expect.element(dialog.getByText(/^There is a computer/)).toBeVisible();
  expect(bridge.argsOf('checkConnection').at(-1)).toEqual([
    { kind: 'account', accountId: account.id },
  ]);
  bridge.push('connectionChanged', { accountId: account.id, connection: { state: 'live' } });
  await expect.element(ask).not.toBeInTheDocument();
  await expect.element(dialog.getByText(/^There is a computer/)).toBeVisible();
});

test('whoever chooses a password and gets no answer can ask, too', async () => {
  bridge.answer('choosePassword', async () => failure('UNREACHABLE', 'Nothing answers.'));
  await openWindow(bridge);
  const address = 'http://192.168.1.20:9981';
  bridge.push('passwordLinkOpened', { address, token: `9-${'aB3'.repeat(10)}Zz` });
  await page.getByLabelText('New password', { exact: true }).fill('battery staple');
  await userEvent.keyboard('{Enter}');
  await ask.click();
  await expect.element(dialog.getByText(/^There is a computer/)).toBeVisible();
  expect(bridge.argsOf('checkConnection')).toEqual([[{ kind: 'address', address }]]);
});

test('whoever signs in again and gets no answer can ask, and still types', async () => {
  bridge = new BridgeDouble();
  bridge.connectionState = { state: 'signed-out', reason: 'The key is another one now.' };
  bridge.answer('connect', async () => failure('UNREACHABLE', 'Nothing answers.'));
  await openWindow(bridge);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  const password = page.getByLabelText('Password', { exact: true });
  await password.fill('correct horse');
  await userEvent.keyboard('{Enter}');
  await ask.click();
  await expect.element(dialog.getByText(/^There is a computer/)).toBeVisible();
  expect(bridge.argsOf('checkConnection')).toEqual([[{ kind: 'account', accountId: account.id }]]);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(password).toHaveValue('correct horse');
});
