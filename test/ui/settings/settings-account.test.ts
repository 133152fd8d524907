import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { OwnedBot } from '#shared/bridge/models/client-state.ts';
import type { CacheStatus } from '#shared/bridge/models/client.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { account, BridgeDouble, ownUserId, person } from '#test/support/window/bridge-double.ts';
import { choice, confirm, openSettings, press, setting } from './open-settings.ts';

const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const dialogs = () => page.getByRole('dialog');

test('a name is saved when it is left', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Profile');
  await field('Name').fill('Ada Lovelace');
  await userEvent.keyboard('{Enter}');
  expect(bridge.requestsOf('settings.update')).toEqual([{ fullName: 'Ada Lovelace' }]);
});

test('a time zone is chosen from a list, in which its city finds it', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Profile');
  const zones = () => page.getByRole('listbox', { name: 'Time zones' }).getByRole('option');
  const saved = (): readonly unknown[] => bridge.requestsOf('settings.display');
  await choice('Time zone').fill('berlin');
  await expect.element(zones().first()).toHaveTextContent('Europe/Berlin');
  await userEvent.keyboard('{Enter}');
  await expect.poll(saved).toEqual([{ timezone: 'Europe/Berlin' }]);
  await choice('Time zone').fill('no such town');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toMatchTextContent(/No time zone has this name/);
  // What nobody chose is not kept when the field is left, what is written out is.
  await choice('Time zone').fill('new');
  await userEvent.keyboard('{Tab}');
  await choice('Time zone').fill('New York');
  await userEvent.keyboard('{Tab}');
  await expect
    .poll(saved)
    .toEqual([{ timezone: 'Europe/Berlin' }, { timezone: 'America/New_York' }]);
  await choice('Time zone').fill('tok');
  await zones().first().click();
  await expect.poll(() => saved().at(-1)).toEqual({ timezone: 'Asia/Tokyo' });
});

test('a refused text stays with the reason until it is mended or dropped', async () => {
  const bridge = new BridgeDouble();
  bridge.answerRequest('settings.update', () => failure('BAD_REQUEST', 'This name is taken.'));
  await openSettings(bridge, 'Profile');
  await field('Name').fill('Ben');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toHaveTextContent('This name is taken.');
  await expect.element(field('Name')).toHaveValue('Ben');
  await userEvent.keyboard('{Escape}');
  await expect.element(field('Name')).toHaveValue('Ada Admin');
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(dialogs()).toBeVisible();
});

test('another address needs the password, and nobody has to sign in again', async () => {
  const bridge = new BridgeDouble();
  bridge.answerRequest('settings.update', () => failure('WRONG_PASSWORD', 'Wrong password!'));
  await openSettings(bridge, 'Profile');
  await press('Change…');
  await expect.element(page.getByLabelText('New e-mail address')).toHaveFocus();
  await page.getByLabelText('New e-mail address').fill('lovelace@example.com');
  await page.getByLabelText('Your password').fill('secret');
  await press('Change address');
  await expect
    .element(page.getByLabelText('Your password'))
    .toHaveAccessibleDescription(/This is not your password\./);
  bridge.answerRequest('settings.update', () => success({ email: 'lovelace@example.com' }));
  await press('Change address');
  await expect.element(page.getByRole('button', { name: 'Change…' })).toHaveFocus();
  expect(bridge.requestsOf('settings.update').at(-1)).toEqual({
    email: 'lovelace@example.com',
    oldPassword: 'secret',
  });
  expect(bridge.argsOf('connect')).toEqual([]);
});

test('an empty name is not sent', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Profile');
  await field('Name').fill(' ');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Name is missing.')).toBeVisible();
  expect(bridge.requestsOf('settings.update')).toEqual([]);
});

test('who may not change the name reads why', async () => {
  const bridge = new BridgeDouble();
  bridge.current = {
    ...bridge.current,
    organization: bridge.organizationWith({ name_changes_disabled: true }),
    people: [person(ownUserId, 'Ada Admin')],
  };
  await openSettings(bridge, 'Profile');
  await expect.element(page.getByText(/does not let people change their names/)).toBeVisible();
  await expect.element(field('Name')).not.toBeInTheDocument();
});

test('a status is text and being away', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Profile');
  await field('What you are doing').fill('Writing');
  await userEvent.keyboard('{Enter}');
  await setting('Away').click();
  expect(bridge.requestsOf('statuses.set')).toEqual([{ statusText: 'Writing' }, { away: true }]);
});

test('a picture is chosen, and removed', async () => {
  const bridge = new BridgeDouble();
  bridge.current = {
    ...bridge.current,
    people: [person(ownUserId, 'Ada Admin', { avatarUrl: '/user_avatars/1/a.png' })],
  };
  await openSettings(bridge, 'Profile');
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  await userEvent.upload(input ?? document.body, new File(['x'], 'me.png', { type: 'image/png' }));
  await expect.element(page.getByText('Your picture is changed.')).toBeVisible();
  const [accountId, name, args, file] = bridge.argsOf('requestWithFile')[0] ?? [];
  expect([accountId, name, args]).toEqual([account.id, 'avatars.set', {}]);
  expect(file).toMatchObject({ name: 'me.png', type: 'image/png' });
  await press('Remove the picture');
  expect(bridge.requestsOf('avatars.remove')).toEqual([{}]);
});

test('a password needs the present one; what is wrong stands beside its field', async () => {
  const bridge = new BridgeDouble();
  bridge.answerRequest('settings.update', () => failure('WRONG_PASSWORD', 'Wrong password!'));
  await openSettings(bridge, 'Profile');
  await press('Change password');
  await expect.element(page.getByText('Present password is missing.')).toBeVisible();
  await page.getByLabelText('Present password').fill('old');
  await page.getByLabelText('New password').fill('something new');
  await press('Change password');
  await expect
    .element(page.getByLabelText('Present password'))
    .toHaveAccessibleDescription(/This is not your password\./);
  bridge.answerRequest('settings.update', () => success({}));
  await press('Change password');
  await expect.element(page.getByText('Your password is changed.')).toBeVisible();
  await expect.element(page.getByLabelText('New password')).toHaveValue('');
});

const status: CacheStatus = {
  isEnabled: true,
  messages: 12_345,
  bytes: 300 * 1024 * 1024,
  limitBytes: 2000 * 1024 * 1024,
  backfill: 'running',
  completeSinceSeconds: null,
};

test('storage tells how much is kept, follows it, and is limited and paused', async () => {
  const bridge = new BridgeDouble();
  bridge.answer('cacheStatus', async () => success(status));
  await openSettings(bridge, 'Storage');
  await expect.element(page.getByText('12,345 messages')).toBeVisible();
  await expect.element(page.getByText('300 MiB of at most 2.0 GiB')).toBeVisible();
  bridge.push('cacheChanged', {
    accountId: account.id,
    status: { ...status, messages: 20_000, backfill: 'complete' },
  });
  await expect.element(page.getByText('20,000 messages')).toBeVisible();
  await setting('Fetch older messages in the background').click();
  expect(bridge.choices.isFillPaused).toBe(true);
  const limit = page.getByRole('spinbutton', { name: /^Limit/ });
  await limit.fill('500');
  await userEvent.keyboard('{Tab}');
  expect(bridge.choices.cacheLimitMiB).toBe(500);
});

test('what is kept is removed only after asking, and drafts are promised to stay', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Storage');
  await press('Remove what is kept…');
  await expect
    .element(page.getByRole('alertdialog'))
    .toMatchTextContent('Drafts and unsent messages stay');
  await press('Cancel');
  expect(bridge.argsOf('clearCache')).toEqual([]);
  await expect.element(page.getByRole('button', { name: 'Remove what is kept…' })).toHaveFocus();
  await press('Remove what is kept…');
  await confirm('Remove');
  await expect.element(page.getByText('What was kept is removed.')).toBeVisible();
  expect(bridge.argsOf('clearCache')).toEqual([[account.id]]);
});

test('in a browser nothing is kept, and that is said', async () => {
  const bridge = new BridgeDouble({ shell: 'browser', canHost: false });
  bridge.answer('cacheStatus', async () => success({ ...status, isEnabled: false }));
  await openSettings(bridge, 'Storage');
  await expect.element(page.getByText('Nothing is kept here')).toBeVisible();
  await expect.element(page.getByRole('spinbutton')).not.toBeInTheDocument();
});

test('organizations show how they are, and one signs out after asking', async () => {
  const other = { ...account, id: '3@https://b.example', realmName: 'Branch', isHosted: false };
  const bridge = new BridgeDouble({ accounts: [account, other] });
  await openSettings(bridge, 'Organizations');
  const rows = page.getByRole('list', { name: 'Your organizations' }).getByRole('listitem');
  await expect.element(rows.nth(0)).toMatchTextContent(/Office.*Shown now.*Hosted.*Connected/s);
  await expect.element(rows.nth(0)).toMatchTextContent(/Only this computer can reach this address/);
  bridge.changeOffice({ isOpen: true, addresses: ['https://192.168.1.20:9981'] });
  await expect.element(rows.nth(0)).toMatchTextContent(/https:\/\/192\.168\.1\.20:9981/);
  await expect.element(rows.nth(0)).not.toMatchTextContent(/Only this computer/);
  bridge.push('connectionChanged', {
    accountId: other.id,
    connection: { state: 'signed-out', reason: 'The key is not valid.' },
  });
  await expect.element(rows.nth(1)).toMatchTextContent('Signed out: The key is not valid.');
  await press('Sign out of Branch');
  await confirm('Sign out');
  expect(bridge.argsOf('signOut')).toEqual([[other.id]]);
  await expect.element(rows.nth(1)).not.toBeInTheDocument();
});

test('the own API key is shown for the password only, and replaced after asking', async () => {
  const bridge = new BridgeDouble();
  bridge.answerRequest('users.fetchApiKey', () =>
    success({ api_key: 'k3y', email: account.email }),
  );
  bridge.answerRequest('userAdmin.regenerateKey', () => success({ api_key: 'n3w' }));
  const identity = { fingerprint: 'a'.repeat(52), words: 'lamp river' };
  const addresses = ['https://192.168.1.20:9981'];
  bridge.reach = { ...bridge.reach, isOpen: true, addresses, identity };
  await openSettings(bridge, 'API key');
  await press('Show my API key');
  await expect.element(page.getByText('Your password is missing.')).toBeVisible();
  await page.getByLabelText('Your password').fill('secret');
  await press('Show my API key');
  await expect.element(field('API key')).toHaveValue('k3y');
  expect(bridge.requestsOf('users.fetchApiKey')).toEqual([
    { username: 'ada@example.com', password: 'secret' },
  ]);
  await expect
    .element(page.getByRole('group', { name: 'Configuration file' }))
    .toMatchTextContent('[api] email=ada@example.com key=k3y site=https://192.168.1.20:9981');
  await press('Save the certificate…');
  await expect
    .element(page.getByRole('group', { name: 'Configuration file' }))
    .toMatchTextContent(/:9981 cert_bundle=\/home\/ada\/office-ca\.pem$/);
  expect(bridge.argsOf('saveAuthority')).toEqual([[account.id]]);
  await press('Replace the key…');
  await confirm('Replace');
  await expect.element(field('API key')).toHaveValue('n3w');
  expect(bridge.argsOf('connect')).toEqual([]);
  await page.getByRole('tab', { name: 'Profile' }).click();
  await page.getByRole('tab', { name: 'API key' }).click();
  await expect.element(field('API key')).not.toBeInTheDocument();
});

const bot: OwnedBot = {
  userId: 12,
  fullName: 'Echo Bot',
  email: 'echo-bot@example.com',
  type: 1,
  isActive: true,
  ownerId: ownUserId,
};

const withBot = (): BridgeDouble => {
  const bridge = new BridgeDouble();
  bridge.current = { ...bridge.current, bots: [bot] };
  bridge.answerRequest('bots.list', () =>
    success({ bots: [{ username: bot.email, full_name: bot.fullName, api_key: 'b0t' }] }),
  );
  return bridge;
};

test('a key of a bot is fetched when it is asked for, and can be replaced', async () => {
  const bridge = withBot();
  bridge.answerRequest('bots.regenerateKey', () => success({ api_key: 'fr3sh' }));
  await openSettings(bridge, 'Bots');
  await press('Manage Echo Bot');
  expect(bridge.requestsOf('bots.list')).toEqual([]);
  await press('Show API key');
  await expect.element(field('API key')).toHaveValue('b0t');
  await press('Replace key…');
  await confirm('Replace');
  await expect.element(field('API key')).toHaveValue('fr3sh');
  expect(bridge.requestsOf('bots.regenerateKey')).toEqual([{ botId: 12 }]);
});

test('a bot is renamed, handed over and deactivated', async () => {
  const bridge = withBot();
  await openSettings(bridge, 'Bots');
  await press('Manage Echo Bot');
  const mine = page.getByRole('list', { name: 'Your bots' });
  await mine.getByRole('textbox', { name: 'Name' }).fill('Parrot');
  await userEvent.keyboard('{Enter}');
  await choice('Owner').selectOptions('Ben Member');
  expect(bridge.requestsOf('bots.update')).toEqual([
    { botId: 12, fullName: 'Parrot' },
    { botId: 12, botOwnerId: 9 },
  ]);
  await press('Deactivate…');
  await confirm('Deactivate');
  expect(bridge.requestsOf('bots.deactivate')).toEqual([{ botId: 12 }]);
});

test('a new outgoing bot needs an address, and its key is shown once', async () => {
  const bridge = new BridgeDouble();
  bridge.answerRequest('bots.create', () =>
    success({ user_id: 99, api_key: 'cr3ated', email: 'hook-bot@example.com' }),
  );
  await openSettings(bridge, 'Bots');
  await choice('Kind').selectOptions('Outgoing webhook');
  await field('Name').fill('Hook');
  await field('First part of its e-mail address').fill('hook');
  await press('Create bot');
  await expect.element(page.getByText('Address to deliver to is missing.')).toBeVisible();
  await field('Address to deliver to').fill('https://example.com/hook');
  await press('Create bot');
  await expect.element(page.getByText('Hook is ready. This is its key.')).toBeVisible();
  expect(bridge.requestsOf('bots.create')).toEqual([
    { fullName: 'Hook', shortName: 'hook', botType: 3, payloadUrl: 'https://example.com/hook' },
  ]);
});

test('a service that delivers to a bot is named before it falls silent', async () => {
  const bridge = withBot();
  bridge.current = { ...bridge.current, bots: [{ ...bot, type: 2 }] };
  const setup = { integration: 'github', stream: '10', topic: '', only_events: [] };
  bridge.answerRequest('integrations.bots', () =>
    success({
      bots: [
        {
          ...{ bot_id: 12, full_name: 'Echo Bot', api_key: 'b0t', setup },
          ...{ is_paused: false, has_secret: false, last_delivery: null },
        },
      ],
    }),
  );
  const github = { name: 'github', title: 'GitHub', about: '', subject: 'code' as const };
  bridge.answerRequest('integrations.list', () =>
    success({ integrations: [{ ...github, events: [], is_signed: true, steps: [] }] }),
  );
  await openSettings(bridge, 'Bots');
  await press('Manage Echo Bot');
  await press('Replace key…');
  await expect.element(page.getByText(/^GitHub falls silent until you enter/)).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await press('Deactivate…');
  await expect.element(page.getByText(/GitHub falls silent\.$/)).toBeVisible();
});

test('what is one’s own is saved as a folder, and it is said where and what is missing', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Profile');
  bridge.fail('exportMessages', 'The folder could not be written.');
  await press('Save a folder…');
  await expect.element(page.getByText('The folder could not be written.')).toBeVisible();
  const path = '/home/ben/Maple Street';
  bridge.answer('exportMessages', async () =>
    success({ path, messages: 1204, files: 17, missingFiles: 2 }),
  );
  await press('Save a folder…');
  await expect.element(page.getByText(/^Saved 1,204 messages and 17 files:/)).toBeVisible();
  await expect.element(page.getByText(path)).toBeVisible();
  await expect.element(page.getByText(/^2 files could not be fetched/)).toBeVisible();
});
