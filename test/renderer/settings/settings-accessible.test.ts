import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { success } from '../../../src-main/bridge/outcome.ts';
import { settingsWords } from '../../../src-renderer/text/settings/words-settings.ts';
import { streamWords } from '../../../src-renderer/text/settings/words-stream-settings.ts';
import {
  account,
  BridgeDouble,
  inTopic,
  ownUserId,
  stream,
} from '../../support/window/bridge-double.ts';
import { complaints, looksAt, type Look } from '../../support/window/complaints.ts';
import { delivery, furnishHooks, hookBot } from '../../support/window/hooks.ts';
import { healthy } from '../../support/window/health.ts';
import { auditEntry } from '../../support/window/audit-entry.ts';
import { auditTypes } from '../../../src-main/contract/models/audit.ts';
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
  bridge.answer('ledger', async () =>
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

async function complaintsOf(look: Look): Promise<readonly string[]> {
  const found = await complaints(look);
  const shown = [...document.querySelectorAll('dialog, [role="tabpanel"]:not([hidden])')];
  const wide = shown.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  return [...found, ...wide.map(({ className }) => `scrolls sideways: ${className}`)];
}

const looks = looksAt(1100, 700, 360);

async function goTo(tab: string, width: number): Promise<void> {
  // Where there is room for one column only, the list of pages is a page of its own.
  if (width < 700) await press('All settings');
  await page.getByRole('tab', { name: tab, exact: true }).click();
}

test.each(looks)(
  'settings, $theme, $width px: nothing to complain about',
  async (look) => {
    const { theme, width } = look;
    html.style.colorScheme = theme;
    await openSettings(furnished(), 'Profile', { width, height: 700 });
    for (const tab of Object.values(settingsWords.pages)) {
      await goTo(tab, width);
      await expect.element(page.getByRole('heading', { level: 3, name: tab })).toBeVisible();
      expect({ tab, found: await complaintsOf(look) }).toEqual({ tab, found: [] });
    }
    await goTo('Bots', width);
    await press('Manage Echo Bot');
    await press('Show API key');
    await press('Create bot');
    await expect.element(page.getByText('Name is missing.')).toBeVisible();
    expect(await complaintsOf(look)).toEqual([]);
    await goTo('Integrations', width);
    await press('Manage GitHub');
    expect(await complaintsOf(look)).toEqual([]);
    await press('Address for the service');
    await expect.element(page.getByText('A delivery came: refused.')).toBeVisible();
    expect(await complaintsOf(look)).toEqual([]);
    await press('See why');
    await page.getByRole('button', { name: /ping/ }).click();
    await expect.element(page.getByText(/It lacks a key/)).toBeVisible();
    expect(await complaintsOf(look)).toEqual([]);
    await press('All integrations');
    await page.getByRole('button', { name: /GitHub Pushes/ }).click();
    await expect.element(page.getByRole('textbox', { name: 'Secret' })).toBeVisible();
    expect(await complaintsOf(look)).toEqual([]);
    await goTo('Keys', width);
    await press('Change: Drafts, D');
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(page.getByRole('alert')).toBeVisible();
    expect(await complaintsOf(look)).toEqual([]);
    await goTo('People', width);
    await press('Sign-in of Ben Member');
    await expect.element(page.getByText(/^laptop-of-ada/)).toBeVisible();
    expect(await complaintsOf(look)).toEqual([]);
    await press('Sign out everywhere…');
    expect(await complaintsOf(look)).toEqual([]);
    await userEvent.keyboard('{Escape}{Escape}');
    await goTo('Storage', width);
    await press('Remove what is kept…');
    expect(await complaintsOf(look)).toEqual([]);
  },
  90_000,
);

test.each(looks)(
  'stream settings, $theme, $width px: nothing to complain about',
  async (look) => {
    const { theme, width } = look;
    html.style.colorScheme = theme;
    await openStreamSettings(furnished(), /engineering/, 'For me', { width, height: 700 });
    for (const tab of Object.values(streamWords.tabs)) {
      await page.getByRole('tab', { name: tab }).click();
      expect({ tab, found: await complaintsOf(look) }).toEqual({ tab, found: [] });
    }
  },
  60_000,
);
