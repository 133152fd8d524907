import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import { failure } from '#shared/bridge/outcome.ts';
import { account, BridgeDouble } from '#test/support/window/bridge-double.ts';
import { heading, openWindow } from '../open-window.ts';
import { openSettings } from '../settings/open-settings.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const broken = (code: string, isRetried = true): HostingStatus => ({
  phase: 'failed',
  code,
  reason: 'The reason in a sentence.',
  port: 9981,
  isRetried,
});
const button = (name: string) => page.getByRole('main').getByRole('button', { name });
const names = (): readonly string[] =>
  [...document.querySelectorAll('main section button')].map((each) => each.textContent.trim());

test.each([
  [
    { phase: 'stopped', port: 9981 },
    /^Hosting of Office is stopped/,
    ['Other port…', 'Start hosting'],
  ],
  [broken('PORT_IN_USE'), /^Another program uses port 9981/, ['Other port…', 'Try again']],
  [broken('DATABASE_IN_USE'), /^Another program has the messages of Office open/, ['Try again']],
  [
    broken('HOST_SECRET_MISSING', false),
    /^The keychain does not have the secret/,
    ['Recovery code…', 'Try again'],
  ],
  [broken('HOST_ENDED'), /^The service of Office ended unexpectedly/, ['Try again']],
  [broken('DATABASE_DAMAGED', false), /^Office could not be started/, ['Try again']],
] satisfies readonly (readonly [HostingStatus, RegExp, readonly string[]])[])(
  'a host is told what happened and what can be done: %j',
  async (status, title, choices) => {
    await openWindow(bridge);
    await expect.element(heading('Inbox')).toBeVisible();
    bridge.changeHosting(status);
    await expect.element(page.getByText(title)).toBeVisible();
    expect(names()).toEqual(choices);
    bridge.changeHosting({ phase: 'running', address: account.address });
    await expect.element(page.getByText(title)).not.toBeInTheDocument();
  },
);

test('while nothing is there to show, what is missing is said, and not that it is loading', async () => {
  bridge.hostingStatus = broken('HOST_SECRET_MISSING', false);
  bridge.fail('state', 'The key is gone.');
  await openWindow(bridge);
  await expect.element(button('Recovery code…')).toBeVisible();
  await expect.element(page.getByText('Loading…')).not.toBeInTheDocument();
  await expect.element(page.getByText('The key is gone.')).not.toBeInTheDocument();
});

test('a port that is refused is said at its field, and the dialog stays', async () => {
  bridge.hostingStatus = broken('PORT_IN_USE');
  await openWindow(bridge);
  await button('Other port…').click();
  const port = page.getByLabelText('Port');
  await expect.element(port).toHaveValue('9982');
  bridge.answer('startHosting', async () => failure('PORT_IN_USE', 'That is taken too.', 'port'));
  await page.getByRole('button', { name: 'Start hosting' }).click();
  await expect.element(port).toHaveAccessibleDescription(/That is taken too\./);
  bridge.restore('startHosting');
  await port.fill('4000');
  await page.getByRole('button', { name: 'Start hosting' }).click();
  await expect.element(port).not.toBeInTheDocument();
  expect(bridge.argsOf('startHosting')).toEqual([[9982], [4000]]);
});

test('whoever signed out of the hosted organization signs in to it again, or connects elsewhere', async () => {
  bridge = new BridgeDouble({ accounts: [], hosted: { realmName: 'Office' } });
  await openWindow(bridge);
  await expect.element(heading('Sign in to Office')).toBeVisible();
  await page.getByRole('button', { name: 'Connect to another organization' }).click();
  await expect.element(heading('Connect to an organization')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabelText('E-mail address').fill('ada@example.com');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect.element(heading('Inbox')).toBeVisible();
  expect(bridge.argsOf('connect')).toEqual([
    [{ address: account.address, email: 'ada@example.com', password: 'correct horse' }],
  ]);
});

test('whoever forgot the password chooses another one on the computer that hosts', async () => {
  bridge = new BridgeDouble({ accounts: [], hosted: { realmName: 'Office' } });
  await openWindow(bridge);
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  const email = page.getByRole('dialog').getByLabelText('E-mail address');
  await expect.element(email).toHaveFocus();
  const goOn = page.getByRole('button', { name: 'Go on' });
  await goOn.click();
  await expect.element(email).toHaveAccessibleDescription(/E-mail address is missing\./);
  await email.fill('ada@example.com');
  bridge.fail('makePasswordLinkHere', 'No account has this e-mail address', 'email');
  await goOn.click();
  await expect.element(email).toHaveAccessibleDescription(/No account has this/);
  bridge.restore('makePasswordLinkHere');
  await goOn.click();
  await expect.element(heading('Choose your password')).toBeVisible();
  await page.getByLabelText('New password', { exact: true }).fill('battery staple');
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await expect.element(heading('Inbox')).toBeVisible();
  const token = `8-${'a'.repeat(32)}`;
  expect(bridge.argsOf('choosePassword')).toEqual([
    [{ address: account.address, token, password: 'battery staple' }],
  ]);
});

test('whoever lost key and password of what lives here chooses another one at once', async () => {
  bridge = new BridgeDouble({ accounts: [{ ...account, isHosted: true }] });
  bridge.connectionState = { state: 'signed-out', reason: 'The key is gone.' };
  await openWindow(bridge);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByRole('dialog').getByLabelText('E-mail address').fill('ada@example.com');
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect.element(heading('Choose your password')).toBeVisible();
});

describe('an organization that was restored is closed to others', () => {
  const closed = { phase: 'running', address: account.address, isClosed: true } as const;
  const title = /^Office is closed to everybody but administrators/;

  test('an administrator reads what may be missing, and opens it [hosting.administrator-reads-missing]', async () => {
    bridge.hostingStatus = closed;
    bridge.missingSince = {
      ...bridge.missingSince,
      snapshotAtSeconds: 1_763_900_000,
      lostFiles: 2,
    };
    bridge.fail('missing', 'The database cannot be read.');
    bridge.reach = { ...bridge.reach, isDecided: false };
    await openWindow(bridge);
    await expect.element(page.getByText(title)).toBeVisible();
    await expect.element(page.getByText('The database cannot be read.')).toBeVisible();
    expect(names()).toEqual(['Try again']);
    bridge.restore('missing');
    await button('Try again').click();
    await expect.element(page.getByText(/^Changes since .* may be missing\.$/)).toBeVisible();
    await expect.element(page.getByText(/^Accounts, members of streams/)).toBeVisible();
    await expect.element(page.getByText(/^2 files of the backup/)).toBeVisible();
    bridge.fail('openRestored', 'The disk is full.');
    await button('Open to everybody').click();
    await expect.element(page.getByText('The disk is full.')).toBeVisible();
    bridge.restore('openRestored');
    await button('Open to everybody').click();
    await expect.element(page.getByText(title)).not.toBeInTheDocument();
    // What waited until then.
    await expect.element(page.getByText('Only this computer can reach Office')).toBeVisible();
  });

  test('the page of backups says it too, and only where nothing later is known what is to be repeated', async () => {
    bridge.hostingStatus = closed;
    await openSettings(bridge, 'Backups');
    const settings = page.getByRole('dialog');
    await expect.element(settings.getByText(title)).toBeVisible();
    await expect.element(settings.getByText(/remove them again\.$/)).toBeVisible();
    await settings.getByRole('button', { name: 'Open to everybody' }).click();
    await expect.element(page.getByText(title)).not.toBeInTheDocument();
    expect(bridge.argsOf('openRestored')).toHaveLength(1);
  });

  test('who signs in is told to be an administrator', async () => {
    bridge = new BridgeDouble({ accounts: [], hosted: { realmName: 'Office' } });
    bridge.hostingStatus = closed;
    await openWindow(bridge);
    await expect.element(page.getByText(/Sign in as an administrator to open it\.$/)).toBeVisible();
  });
});
