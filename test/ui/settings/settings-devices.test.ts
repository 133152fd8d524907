import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Device } from '#shared/api/models/device.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { BridgeDouble } from '#test/support/window/bridge-double.ts';
import { confirm, openSettings, press } from './open-settings.ts';

const DAY = 86_400;
const today = Math.floor(Date.now() / 1000 / DAY) * DAY;

const device = (id: number, name: string, extra: Partial<Device> = {}): Device => ({
  ...{ id, name, client: 'Hearth', signed_in: today - 9 * DAY, last_used: today },
  ...{ address: '192.168.1.4', is_current: false },
  ...extra,
});

/** The service of one account: what is ended is gone the next time that somebody asks. */
function office(...devices: readonly Device[]): BridgeDouble {
  const bridge = new BridgeDouble();
  let left = devices;
  const accountKey = { last_used: today - DAY, address: '192.168.1.9', is_current: false };
  const listed = () => success({ devices: left, account_key: accountKey });
  const end = ({ deviceId }: { readonly deviceId: number }) => {
    left = left.filter(({ id }) => id !== deviceId);
    return success({});
  };
  bridge.answerRequest('devices.list', listed);
  bridge.answerRequest('devices.listOf', listed);
  bridge.answerRequest('devices.end', end);
  bridge.answerRequest('devices.endOf', end);
  bridge.answerRequest('devices.renewKeys', () => {
    left = [];
    return success({});
  });
  return bridge;
}

const laptop = device(3, 'ada-laptop', { is_current: true, last_used: today - DAY });
const phone = device(4, 'Firefox', { client: 'Web', address: null });
const old = device(1, 'Old desk', { last_used: null, signed_in: today - DAY });
const rows = () =>
  page.getByRole('list', { name: 'Where you are signed in' }).getByRole('listitem');

test('devices are listed, this one first, with client, day and address, and one is signed out after asking [settings-devices.listed-first-client]', async () => {
  const bridge = office(old, phone, laptop);
  await openSettings(bridge, 'Devices');
  await expect.element(rows().nth(0)).toMatchTextContent(/ada-laptop.*This device.*yesterday/s);
  await expect.element(rows().nth(1)).toMatchTextContent(/Firefox.*Web ·.*Last used today/s);
  await expect.element(rows().nth(2)).toMatchTextContent(/Signed in yesterday, not used since/);
  await expect
    .element(page.getByRole('button', { name: 'Sign out ada-laptop' }))
    .not.toBeInTheDocument();
  await press('Sign out Firefox');
  expect(bridge.requestsOf('devices.end')).toEqual([]);
  await confirm('Sign out');
  await expect.element(rows().nth(2)).not.toBeInTheDocument();
  expect(bridge.requestsOf('devices.end')).toEqual([{ deviceId: 4 }]);
  // Not lost with the row in which the button stood.
  await expect.poll(() => document.activeElement).not.toBe(document.body);
});

test('all others are signed out at once, and the one key for other programs is renewed alone', async () => {
  const bridge = office(old, phone, laptop);
  bridge.answerRequest('userAdmin.regenerateKey', () => success({ api_key: 'n3w' }));
  await openSettings(bridge, 'Devices');
  await press('Sign out all others…');
  await confirm('Sign out all others');
  await expect.element(page.getByText('You are signed in on no other device.')).toBeVisible();
  expect(bridge.requestsOf('devices.end')).toEqual([{ deviceId: 4 }, { deviceId: 1 }]);
  await expect
    .element(page.getByText('Last used yesterday from 192.168.1.9', { exact: true }))
    .toBeVisible();
  expect(bridge.requestsOf('userAdmin.regenerateKey')).toEqual([]);
  await press('Renew the API key');
  await confirm('Renew');
  await expect.element(page.getByText('Your API key is renewed.')).toBeVisible();
  expect(bridge.requestsOf('userAdmin.regenerateKey')).toEqual([{}]);
});

test('what could not be loaded is asked for again, and what is refused stays listed with the reason', async () => {
  const bridge = office(phone, laptop);
  bridge.answerRequest('devices.list', () => failure('UNREACHABLE', 'No answer.'));
  await openSettings(bridge, 'Devices');
  await expect.element(page.getByText('This could not be loaded. No answer.')).toBeVisible();
  const accountKey = { last_used: null, address: null, is_current: false };
  bridge.answerRequest('devices.list', () =>
    success({ devices: [phone, laptop], account_key: accountKey }),
  );
  await press('Try again');
  await expect.element(page.getByText('Never used')).toBeVisible();
  bridge.answerRequest('devices.end', () => failure('BAD_REQUEST', 'No such device'));
  await press('Sign out all others…');
  await confirm('Sign out all others');
  await expect
    .element(page.getByRole('alertdialog').getByRole('alert'))
    .toHaveTextContent('No such device');
  await press('Cancel');
  await expect.element(rows().nth(1)).toMatchTextContent(/Firefox/);
});

test('administrators see and end the devices of a person, one or all of them with the key', async () => {
  const bridge = office(old, phone);
  await openSettings(bridge, 'People');
  await expect
    .element(page.getByRole('button', { name: 'Sign-in of Ada Admin' }))
    .not.toBeInTheDocument();
  await press('Sign-in of Ben Member');
  const dialog = page.getByRole('dialog', { name: 'Sign-in of Ben Member' });
  await expect.element(dialog).toMatchTextContent(/other programs: last used yesterday/);
  await press('Sign out Old desk');
  await confirm('Sign out');
  await expect.element(dialog.getByRole('listitem').nth(1)).not.toBeInTheDocument();
  expect(bridge.requestsOf('devices.endOf')).toEqual([{ userId: 9, deviceId: 1 }]);
  await press('Sign out everywhere…');
  await confirm('Sign out everywhere');
  await expect.element(dialog.getByText('Ben Member is signed out everywhere.')).toBeVisible();
  await expect.element(dialog.getByText('Not signed in on any device.')).toBeVisible();
  expect(bridge.requestsOf('devices.listOf')[0]).toEqual({ userId: 9 });
  expect(bridge.requestsOf('devices.renewKeys')).toEqual([{ userId: 9 }]);
});

test('administrators make a link to a new password, which is shown to be passed on', async () => {
  const bridge = office(phone);
  bridge.answerRequest('passwordLinks.make', () => ({
    ok: false,
    failure: {
      code: 'BAD_REQUEST',
      message: 'No such user',
      cause: { name: 'no_such_user', values: {} },
    },
  }));
  await openSettings(bridge, 'People');
  await press('Sign-in of Ben Member');
  const section = page.getByRole('region', { name: 'Forgotten password' });
  await section.getByRole('button', { name: 'Make a link' }).click();
  const own = section.getByLabelText('Your password');
  await expect.element(own).toHaveAccessibleDescription(/Your password is missing\./);
  await own.fill('correct horse');
  await section.getByRole('button', { name: 'Make a link' }).click();
  await expect
    .element(section.getByRole('alert'))
    .toMatchTextContent(/This person is no longer here/);
  bridge.answerRequest('passwordLinks.make', () => failure('WRONG_PASSWORD', 'Wrong password!'));
  await section.getByRole('button', { name: 'Make a link' }).click();
  await expect.element(own).toHaveAccessibleDescription(/This is not your password\./);
  const link = 'http://127.0.0.1:9981/#password/9-x';
  bridge.answerRequest('passwordLinks.make', () =>
    success({ link, valid_until: Date.UTC(2026, 2, 9, 12) / 1000 }),
  );
  await section.getByRole('button', { name: 'Make a link' }).click();
  const made = section.getByRole('textbox', { name: 'Link to a new password' });
  await expect.element(made).toHaveValue(link);
  await expect.element(made).toHaveAccessibleDescription(/Good until 9 Mar 2026|Mar 9, 2026/);
  await expect.element(section.getByRole('button', { name: 'Copy link' })).toBeVisible();
  await expect.element(section.getByText(/Only this computer can reach/)).toBeVisible();
  bridge.changeOffice({ isOpen: true, addresses: ['https://192.168.1.20:9981'] });
  await expect.element(made).toHaveValue('https://192.168.1.20:9981/#password/9-x');
  await expect.element(section.getByText(/Only this computer can reach/)).not.toBeInTheDocument();
  const ask = { userId: 9, password: 'correct horse' };
  expect(bridge.requestsOf('passwordLinks.make')).toEqual([ask, ask, ask]);
  await expect.element(own).toHaveValue('');
});
