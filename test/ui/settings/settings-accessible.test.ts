import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { success } from '#shared/bridge/outcome.ts';
import { settingsWords } from '#renderer/i18n/settings/settings.ts';
import { streamWords } from '#renderer/i18n/settings/stream-settings.ts';
import {
  account,
  BridgeDouble,
  inTopic,
  ownUserId,
  stream,
} from '#test/support/window/bridge-double.ts';
import { complaints, looksAt } from '#test/support/window/complaints.ts';
import { delivery, furnishHooks, hookBot } from '#test/support/window/hooks.ts';
import { healthy } from '#test/support/window/health.ts';
import { auditEntry } from '#test/support/window/audit-entry.ts';
import { auditTypes } from '#shared/api/models/audit.ts';
import { openSettings, openStreamSettings, press } from './open-settings.ts';

const html = document.documentElement;
afterEach(() => {
  html.style.colorScheme = '';
});

/** Something on every page: lists with entries, marks of every kind. */
function furnished(): BridgeDouble {
  const bridge = new BridgeDouble();
  const { organization, people } = bridge.current;
  bridge.current = {
    ...bridge.current,
    organization: { ...organization, notificationSounds: ['zulip', 'ding'] },
    people: people.map((each) => (each.userId === 11 ? { ...each, isActive: false } : each)),
    streams: [
      ...bridge.current.streams,
      ...['#ffffff', '#000000', '#fae589'].map((color, index) =>
        stream(20 + index, `stream ${String(index)}`, { color, isMuted: true }),
      ),
    ],
    alertWords: ['outage', 'deploy'],
    customEmoji: [{ id: '1', name: 'parrot', url: '/user_avatars/1/e.png', isActive: true }],
    profileFields: ['Pronouns', 'About', 'Editor', 'Birthday', 'Page', 'Mentor'].map(
      (name, at) => ({
        ...{ id: at, name, type: at + 1, hint: 'A hint' },
        choices: at === 2 ? [{ value: '0', text: 'Vim' }] : [],
      }),
    ),
    userGroups: [{ id: 3, name: 'ops', description: 'Operations', userIds: [9] }],
    bots: [
      {
        userId: 12,
        fullName: 'Echo Bot',
        email: 'echo-bot@example.com',
        type: 1,
        isActive: true,
        ownerId: ownUserId,
      },
    ],
  };
  bridge.answer('notificationLog', async () =>
    success([
      {
        atSeconds: 1_767_700_000,
        accountId: account.id,
        messageId: 1,
        conversation: inTopic(2, 'deploys'),
        streamName: 'engineering',
        senderName: 'Ben Member',
        rang: true,
        sounded: false,
        desktopReason: 'stream-on',
        soundReason: 'streams-off',
      },
    ]),
  );
  const hooks = furnishHooks(bridge);
  hooks.bots = [
    hookBot({ is_paused: true, last_delivery: { id: 1, time: 1_767_700_000, outcome: 'refused' } }),
  ];
  hooks.deliveries = [delivery({ outcome: 'refused', reason: 'It lacks a key' })];
  bridge.answerRequest('auditLog.list', () =>
    success({
      entries: auditTypes.map((type, index) => auditEntry({ id: 50 - index, type })),
      has_more: true,
    }),
  );
  bridge.answerRequest('linkifiers.list', () =>
    success({
      linkifiers: [{ id: 4, pattern: '#(?P<id>[0-9]+)', url_format: 'https://i/%(id)s' }],
    }),
  );
  const used = { last_used: 1_767_657_600, address: '2001:db8:1234:5678::/64' };
  const device = { client: 'Hearth', signed_in: 1_767_571_200, ...used };
  const signedIn = {
    devices: [
      { id: 1, name: 'laptop-of-ada.office.example.com', is_current: true, ...device },
      { id: 2, name: 'W'.repeat(60), is_current: false, ...device },
    ],
    account_key: { is_current: false, ...used },
  };
  bridge.answerRequest('devices.list', () => success(signedIn));
  bridge.answerRequest('devices.listOf', () => success(signedIn));
  bridge.answerRequest('devices.lastUses', () =>
    success({ last_uses: [{ user_id: 10, last_used: 1_767_571_200 }] }),
  );
  bridge.answerRequest('health.show', () =>
    success({
      ...healthy,
      disk: { ...healthy.disk, free_bytes: 1, takes_uploads: false },
      warnings: [
        { time: 1_767_700_000, level: 'error', message: 'it failed', details: '{"code":"EIO"}' },
      ],
    }),
  );
  const link = 'http://127.0.0.1:9981/join/x';
  bridge.answerRequest('invitations.list', () =>
    success({ invites: [{ id: 7, email: 'new@example.com', invited_as: 1, link }] }),
  );
  bridge.answerRequest('streams.members', () =>
    success({ subscribers: ['ada@example.com', 'ben@example.com'] }),
  );
  bridge.answerRequest('bots.list', () =>
    success({ bots: [{ username: 'echo-bot@example.com', api_key: 'b0t' }] }),
  );
  return bridge;
}

/** @param where  in words, for whoever reads what was found */
async function complaintsAt(where: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const look of looks) {
    await page.viewport(look.width, HEIGHT);
    html.style.colorScheme = look.theme;
    found.push(...(await complaints(look)));
    const shown = [...document.querySelectorAll('dialog, [role="tabpanel"]:not([hidden])')];
    const wide = shown.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    const at = `${String(look.width)} px`;
    found.push(...wide.map(({ className }) => `${at}: scrolls sideways: ${className}`));
  }
  html.style.colorScheme = '';
  await page.viewport(WIDTH, HEIGHT);
  return found.map((line) => `${where}: ${line}`);
}

const WIDTH = 1100;
const HEIGHT = 700;
const looks = looksAt(WIDTH, 700, 360);

const goTo = (tab: string): Promise<void> =>
  page.getByRole('tab', { name: tab, exact: true }).click();

test('the settings give nothing to complain about in any theme and width', async () => {
  const found: string[] = [];
  const look = async (where: string): Promise<void> => {
    found.push(...(await complaintsAt(where)));
  };
  await openSettings(furnished(), 'Profile', { width: WIDTH, height: HEIGHT });
  for (const tab of Object.values(settingsWords.pages)) {
    await goTo(tab);
    await expect.element(page.getByRole('heading', { level: 3, name: tab })).toBeVisible();
    await look(tab);
  }
  await goTo('Bots');
  await press('Manage Echo Bot');
  await press('Show API key');
  await press('Create bot');
  await expect.element(page.getByText('Name is missing.')).toBeVisible();
  await look('a bot that is to be created');
  await goTo('Integrations');
  await press('Manage GitHub');
  await look('an integration');
  await press('Address for the service');
  await expect.element(page.getByText('A delivery came: refused.')).toBeVisible();
  await look('an address, and a delivery that was refused');
  await press('See why');
  await page.getByRole('button', { name: /ping/ }).click();
  await expect.element(page.getByText(/It lacks a key/)).toBeVisible();
  await look('why a delivery was refused');
  await press('All integrations');
  await page.getByRole('button', { name: /GitHub Pushes/ }).click();
  await expect.element(page.getByRole('textbox', { name: 'Secret' })).toBeVisible();
  await look('an integration that is to be set up');
  await goTo('Keys');
  await press('Change: Drafts, D');
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByRole('alert')).toBeVisible();
  await look('a key that is taken');
  await goTo('People');
  await press('Sign-in of Ben Member');
  await expect.element(page.getByText(/^laptop-of-ada/)).toBeVisible();
  await look('how somebody is signed in');
  await press('Sign out everywhere…');
  await look('a question before somebody is signed out');
  await userEvent.keyboard('{Escape}{Escape}');
  await goTo('Storage');
  await press('Remove what is kept…');
  await look('a question before what is kept goes');
  expect(found).toEqual([]);
});

test('the settings of a stream give nothing to complain about in any theme and width', async () => {
  const found: string[] = [];
  await openStreamSettings(furnished(), /engineering/, 'For me', { width: WIDTH, height: HEIGHT });
  for (const tab of Object.values(streamWords.tabs)) {
    await page.getByRole('tab', { name: tab }).click();
    found.push(...(await complaintsAt(tab)));
  }
  expect(found).toEqual([]);
});
