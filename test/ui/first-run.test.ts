import { beforeEach, describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { success } from '#shared/bridge/outcome.ts';
import { account, BridgeDouble } from '../support/window/bridge-double.ts';
import { heading, openWindow } from './open-window.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble({ accounts: [] });
});

const fill = async (label: string, value: string): Promise<void> =>
  page.getByLabelText(label, { exact: true }).fill(value);

async function fillHostForm(): Promise<void> {
  await page.getByRole('button', { name: /^Host an organization/ }).click();
  await fill('Organization name', 'Office');
  await fill('Your name', 'Ada Admin');
  await fill('E-mail address', 'ada@example.com');
  await fill('Password', 'correct horse');
}

test('the first start asks one question', async () => {
  await openWindow(bridge);
  await expect.element(heading('Welcome to Hearth')).toBeVisible();
  const choices = page.getByRole('group', { name: 'How do you want to start?' });
  expect(choices.getByRole('button').elements()).toHaveLength(4);
});

test('an organization that tells of itself in this network is chosen in place of typing its address', async () => {
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Connect to/ }).click();
  await expect.element(page.getByLabelText('Address', { exact: true })).toBeVisible();
  const region = page.getByRole('region', { name: 'Organizations in this network' });
  expect(region.elements()).toEqual([]);
  const address = 'https://192.168.1.20:9981';
  bridge.nearby = [{ name: 'Lantern Office', address }];
  await region.getByRole('button', { name: 'Lantern Office 192.168.1.20:9981' }).click();
  await expect.element(page.getByLabelText('Address', { exact: true })).toHaveValue(address);
  await fill('E-mail address', 'ada@example.com');
  await fill('Password', 'correct horse');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect.element(heading('Inbox')).toBeVisible();
  expect(bridge.argsOf('connect')[0]?.[0]).toMatchObject({ address, email: 'ada@example.com' });
});

test.each(['desktop', 'browser'] as const)(
  'a link into an organization is followed after signing in to it, in a %s',
  async (shell) => {
    const fragment = '#narrow/stream/1-general/topic/lunch';
    const isBrowser = shell === 'browser';
    const fixedAddress = isBrowser ? account.address : null;
    bridge = new BridgeDouble({ accounts: [], shell, canHost: !isBrowser, fixedAddress });
    await openWindow(bridge);
    await expect.poll(() => bridge.argsOf('pageReady')).toHaveLength(1);
    if (isBrowser) bridge.push('linkOpened', { accountId: null, fragment });
    else bridge.push('connectSuggested', { address: 'chat.example.com', fragment });
    await fill('E-mail address', 'ada@example.com');
    await fill('Password', 'correct horse');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect.element(heading(/lunch/)).toBeVisible();
  },
);

test('a link of an organization that is not joined after all leads nowhere', async () => {
  const fragment = '#narrow/stream/1-general/topic/lunch';
  bridge = new BridgeDouble();
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  bridge.push('connectSuggested', { address: 'chat.example.com', fragment });
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect.element(heading('Inbox')).toBeVisible();
});

test('hosting creates the organization with what was typed and opens the main view', async () => {
  await openWindow(bridge);
  await fillHostForm();
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('First steps')).toBeVisible();
  expect(bridge.argsOf('hostOrganization')).toEqual([
    [
      {
        realmName: 'Office',
        fullName: 'Ada Admin',
        email: 'ada@example.com',
        password: 'correct horse',
      },
    ],
  ]);
});

test('empty fields of the host form are named beside the field, and the first one gets the focus', async () => {
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Host an organization/ }).click();
  await fill('Your name', 'Ada');
  await page.getByRole('button', { name: 'Create organization' }).click();
  const name = page.getByLabelText('Organization name');
  await expect.element(name).toHaveAccessibleDescription('Organization name is missing.');
  await expect.element(name).toHaveFocus();
  await expect.element(page.getByLabelText('Your name')).toHaveValue('Ada');
  expect(bridge.argsOf('hostOrganization')).toEqual([]);
});

test('a refusal that names an argument stands at its field and loses no input', async () => {
  await openWindow(bridge);
  bridge.fail('hostOrganization', 'Use at least 8 characters.', 'password');
  await fillHostForm();
  await userEvent.keyboard('{Enter}');
  const password = page.getByLabelText('Password', { exact: true });
  await expect.element(password).toHaveAccessibleDescription(/Use at least 8 characters\./);
  await expect.element(password).toHaveValue('correct horse');
  await expect.element(page.getByLabelText('E-mail address')).toHaveValue('ada@example.com');
});

test('the button of a form under way says so and does nothing twice', async () => {
  let finish: () => void = () => undefined;
  bridge.answer(
    'hostOrganization',
    () => new Promise((resolve) => (finish = () => resolve(success(account)))),
  );
  await openWindow(bridge);
  await fillHostForm();
  await userEvent.keyboard('{Enter}');
  const button = page.getByRole('button', { name: 'Creating…' });
  await expect.element(button).toBeVisible();
  await userEvent.keyboard('{Enter}');
  expect(bridge.argsOf('hostOrganization')).toHaveLength(1);
  finish();
  await expect.element(heading('First steps')).toBeVisible();
});

test('connecting tells what is wrong as an alert and keeps the address', async () => {
  bridge.fail('connect', 'No service answers at chat.example.com.');
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Connect/ }).click();
  await fill('Address', 'chat.example.com');
  await fill('E-mail address', 'ada@example.com');
  await fill('Password', 'secret');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/No service answers at chat\.example\.com\./);
  await expect.element(page.getByLabelText('Address')).toHaveValue('chat.example.com');

  bridge.restore('connect');
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Inbox')).toBeVisible();
});

describe('an office that is not known', () => {
  const rows = [
    'apple river stone cloud pencil moon',
    'zoo art bus cat dog end',
    'one to ox by up in',
  ];

  beforeEach(async () => {
    const words = { code: 'WORDS_NEEDED', message: 'Compare the safety words.', words: rows };
    bridge.answer('connect', async () => ({ ok: false, failure: words }));
    await openWindow(bridge);
    await page.getByRole('button', { name: /^Connect/ }).click();
    await fill('Address', '192.168.1.20');
    await fill('E-mail address', 'ada@example.com');
    await fill('Password', 'secret');
    await userEvent.keyboard('{Enter}');
    await expect.element(question()).toBeVisible();
  });

  const question = () => page.getByRole('group', { name: 'Which of these did you get?' });

  test('an unknown office is signed in to by the words that the person chooses', async () => {
    await expect.element(question()).toHaveFocus();
    expect(question().getByRole('button').elements()).toHaveLength(4);
    bridge.restore('connect');
    await question().getByRole('button', { name: rows[1]! }).click();
    await expect.element(heading('Inbox')).toBeVisible();
    expect(bridge.argsOf('connect').map(([request]) => request)).toMatchObject([
      { password: 'secret' },
      { password: 'secret', words: rows[1] },
    ]);
  });

  test('an unknown office is not signed in to where none of the words is right', async () => {
    await question().getByRole('button', { name: 'None of these' }).click();
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Nothing was sent to it/);
    await expect.element(question()).not.toBeInTheDocument();
    expect(bridge.argsOf('connect')).toHaveLength(1);
  });
});

test('an e-mail address without @ is refused before anything is sent', async () => {
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Connect/ }).click();
  await fill('Address', 'chat.example.com');
  await fill('E-mail address', 'ada');
  await fill('Password', 'secret');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByLabelText('E-mail address'))
    .toHaveAccessibleDescription(/does not look like an e-mail address/);
  expect(bridge.argsOf('connect')).toEqual([]);
});

test('the password can be shown and hidden', async () => {
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Connect/ }).click();
  const password = page.getByLabelText('Password', { exact: true });
  await expect.element(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect.element(password).toHaveAttribute('type', 'text');
});

test('Back returns from a form to the question', async () => {
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Connect/ }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.element(heading('Welcome to Hearth')).toBeVisible();
});

test('a browser signs in to the service it came from, on a development one without a password', async () => {
  bridge = new BridgeDouble({
    accounts: [],
    shell: 'browser',
    canHost: false,
    fixedAddress: 'http://127.0.0.1:9981',
    isDevelopment: true,
  });
  await openWindow(bridge);
  await expect.element(heading('Sign in to 127.0.0.1:9981')).toBeVisible();
  await expect.element(page.getByLabelText('E-mail address')).toHaveFocus();
  await fill('E-mail address', 'ada@example.com');
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Inbox')).toBeVisible();
  expect(bridge.argsOf('connect')).toEqual([
    [
      {
        address: 'http://127.0.0.1:9981',
        email: 'ada@example.com',
        password: '',
        staysSignedIn: false,
      },
    ],
  ]);
});

test('a browser on a service without an organization is asked to create it', async () => {
  bridge = new BridgeDouble({
    accounts: [],
    shell: 'browser',
    fixedAddress: 'http://127.0.0.1:9981',
  });
  await openWindow(bridge);
  await expect.element(heading('Create the organization of this service')).toBeVisible();
  await expect.element(page.getByLabelText('Setup code')).not.toBeInTheDocument();
});

test('a browser says by its name which organization it signs in to, and its address in small print', async () => {
  bridge = new BridgeDouble({
    ...{ accounts: [], shell: 'browser', canHost: false },
    fixedAddress: 'https://192.168.1.20:9981',
    fixedOrganization: {
      name: 'Lantern Office',
      description: 'Boats and their sails',
      icon: '/icon.png',
    },
  });
  await openWindow(bridge);
  await expect.element(heading('Sign in to Lantern Office')).toBeVisible();
  await expect.element(page.getByText('Boats and their sails')).toBeVisible();
  expect(document.querySelector('header img')?.getAttribute('src')).toBe('/icon.png');
  await expect.element(page.getByText('192.168.1.20:9981', { exact: true })).toBeVisible();
});

test('a browser elsewhere is asked for the setup code first', async () => {
  bridge = new BridgeDouble({
    accounts: [],
    shell: 'browser',
    fixedAddress: 'http://hearth.test',
    needsSetupCode: true,
  });
  await openWindow(bridge);
  await expect.element(page.getByLabelText('Setup code')).toHaveFocus();
  await fill('Setup code', ' abcd-2345 ');
  await fill('Organization name', 'Office');
  await fill('Your name', 'Ada Admin');
  await fill('E-mail address', 'ada@example.com');
  await fill('Password', 'correct horse');
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('First steps')).toBeVisible();
  expect(bridge.argsOf('hostOrganization')).toMatchObject([[{ setupCode: 'abcd-2345' }]]);
});

test('a start that failed says why and tries again', async () => {
  bridge.startState = {
    ...bridge.startState,
    problem: { code: 'NO_KEYCHAIN', message: 'The keychain is locked. Unlock it, then try again.' },
  };
  await openWindow(bridge);
  const dialog = page.getByRole('alertdialog', { name: 'Hearth could not open your organization' });
  await expect
    .element(dialog)
    .toHaveAccessibleDescription('The keychain is locked. Unlock it, then try again.');
  bridge.startState = { ...bridge.startState, accounts: [account], problem: null };
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(heading('Inbox')).toBeVisible();
});

test('without the keychain, what is kept is read all the same, and the keychain is asked again', async () => {
  bridge.startState = {
    ...bridge.startState,
    accounts: [account],
    problem: { code: 'NO_KEYCHAIN', message: 'The keychain is locked.' },
  };
  bridge.connectionState = { state: 'signed-out', reason: 'It is locked.', isLocked: true };
  await openWindow(bridge);
  await page.getByRole('button', { name: 'Read what is kept here' }).click();
  await expect.element(heading('Inbox')).toBeVisible();
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  expect(bridge.argsOf('retryStart')).toHaveLength(1);
});

test('an account of which nothing is kept is signed in to again', async () => {
  bridge.startState = { ...bridge.startState, accounts: [account] };
  bridge.connectionState = { state: 'signed-out', reason: 'The key is gone.' };
  bridge.fail('state', 'The key is gone.');
  await openWindow(bridge);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByRole('dialog').getByLabelText('Password').fill('correct horse');
  bridge.restore('state');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  bridge.changeConnection({ state: 'live' });
  await expect.element(heading('Inbox')).toBeVisible();
});

test('a window that is told otherwise than at its start shows what it is told', async () => {
  const start = { ...bridge.startState, accounts: [account] };
  bridge.startState = start;
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  bridge.push('startChanged', { ...start, problem: { code: 'LOCKED', message: 'It is locked.' } });
  const dialog = page.getByRole('alertdialog', { name: 'Hearth could not open your organization' });
  await expect.element(dialog).toHaveAccessibleDescription('It is locked.');
  bridge.push('startChanged', start);
  await expect.element(heading('Inbox')).toBeVisible();
  bridge.push('startChanged', { ...start, accounts: [] });
  await expect.element(page.getByText('Connect to an existing one')).toBeVisible();
});
