import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { isDoNotDisturb } from '#shared/bridge/models/preference-defaults.ts';
import { decisionReasons, type NotificationLogEntry } from '#shared/bridge/models/notifications.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { decidingSetting } from '#renderer/state/settings/notification-log-setting.ts';
import { notificationLabels } from '#renderer/i18n/settings/notifications.ts';
import {
  account,
  BridgeDouble,
  inTopic,
  stream,
  withPeople,
} from '#test/support/window/bridge-double.ts';
import { choice, openSettings, press, setting } from './open-settings.ts';
import { heading } from '../open-window.ts';

const SWITCHES = Object.keys(notificationLabels).filter(
  (key) => key !== 'notification_sound' && key !== 'desktop_icon_count_display',
) as (keyof typeof notificationLabels)[];

test('the key opens the settings, arrows walk through their pages, Escape leads back to the page', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Profile');
  const before = page.getByRole('tab', { name: 'Profile' });
  await expect.element(before).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('tab', { name: 'Notifications' })).toHaveFocus();
  await expect
    .element(page.getByRole('heading', { level: 3, name: 'Notifications' }))
    .toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(page.getByRole('region', { name: 'Inbox' })).toHaveFocus();
});

test('each of the seven switches of notifications changes its own setting at once', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Notifications');
  expect(SWITCHES).toHaveLength(7);
  for (const key of SWITCHES) {
    const control = setting(notificationLabels[key]);
    const wasOn = bridge.current.notifications[key] === true;
    expect((control.element() as HTMLInputElement).checked).toBe(wasOn);
    await control.click();
    expect(bridge.requestsOf('settings.notifications').at(-1)).toEqual({
      [key]: !wasOn,
    });
  }
  await expect.element(page.getByText('Saved').first()).toBeVisible();
});

test('the badge and the sound of the account are chosen from lists', async () => {
  const bridge = new BridgeDouble();
  bridge.current = {
    ...bridge.current,
    organization: { ...bridge.current.organization, notificationSounds: ['zulip', 'ding'] },
  };
  await openSettings(bridge, 'Notifications');
  await choice('Number on the application icon').selectOptions('No number');
  await choice(/^Sound$/).selectOptions('Chime');
  expect(bridge.requestsOf('settings.notifications')).toEqual([
    { desktop_icon_count_display: 3 },
    { notification_sound: 'ding' },
  ]);
});

test('a setting that cannot be saved says why and shows what holds', async () => {
  const bridge = new BridgeDouble();
  bridge.answerRequest('settings.notifications', () =>
    failure('UNREACHABLE', 'The service does not answer.'),
  );
  await openSettings(bridge, 'Notifications');
  const sounds = setting('Sounds for private messages and mentions');
  await sounds.click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('The service does not answer.');
  await expect.element(sounds).toBeChecked();
  expect(sounds.element()).toHaveAccessibleDescription('The service does not answer.');
  bridge.answerRequest('settings.notifications', () => success({}));
  await sounds.click();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(sounds).not.toBeChecked();
});

test('a change made elsewhere shows', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Notifications');
  bridge.changeState({ notifications: { ...bridge.current.notifications, enable_sounds: false } });
  await expect.element(setting('Sounds for private messages and mentions')).not.toBeChecked();
});

test('the sound of this computer is kept here, and each sound can be heard', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Notifications');
  await choice('Sound on this computer').selectOptions('Knock');
  expect(bridge.argsOf('setPreferences').at(-1)).toEqual([{ notificationSound: 'knock' }]);
  await press('Play Knock');
  expect(bridge.argsOf('playSound')).toEqual([['knock']]);
  await choice('Sound on this computer').selectOptions('As in my account');
  expect(bridge.choices.notificationSound).toBeNull();
});

test('the example is shown, or the sentence why it cannot be', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Notifications');
  await press('Show an example');
  await expect.element(page.getByText('The example was sent to your system.')).toBeVisible();
  bridge.fail('testNotification', 'The system does not let Hearth show notifications.');
  await press('Show an example');
  await expect.element(page.getByRole('alert')).toMatchTextContent('does not let Hearth');
});

test('do not disturb holds as long as chosen', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Notifications');
  const select = choice('Do not disturb');
  const before = Math.floor(Date.now() / 1000);
  await select.selectOptions('For an hour');
  const until = bridge.choices.doNotDisturbUntilSeconds ?? 0;
  expect(until - before).toBeGreaterThanOrEqual(3600);
  expect(until - before).toBeLessThan(3660);
  await select.selectOptions('Until I turn it off');
  expect(bridge.choices.doNotDisturbUntilSeconds).toBeNull();
  await select.selectOptions('Off');
  expect(isDoNotDisturb(bridge.choices, before)).toBe(false);
});

test('alert words are added and removed', async () => {
  const bridge = new BridgeDouble();
  bridge.current = { ...bridge.current, alertWords: ['outage'] };
  await openSettings(bridge, 'Notifications');
  await page.getByRole('textbox', { name: 'New alert word' }).fill(' deploy ');
  await userEvent.keyboard('{Enter}');
  expect(bridge.requestsOf('alertWords.add')).toEqual([{ alertWords: ['deploy'] }]);
  await press('Remove outage');
  expect(bridge.requestsOf('alertWords.remove')).toEqual([{ alertWords: ['outage'] }]);
  await expect.element(page.getByRole('textbox', { name: 'New alert word' })).toHaveFocus();
});

test('streams that differ from the account are listed and lead to their settings', async () => {
  const bridge = new BridgeDouble();
  bridge.current = {
    ...bridge.current,
    streams: [stream(1, 'general', { desktopNotifications: true }), stream(2, 'engineering')],
  };
  await openSettings(bridge, 'Notifications');
  const list = page.getByRole('list', { name: 'Streams that differ' });
  await expect.element(list).toMatchTextContent(/general\s+notifications on/);
  expect(list.getByRole('listitem').elements()).toHaveLength(1);
  await press('Change general');
  await expect.element(page.getByRole('dialog', { name: 'Settings of general' })).toBeVisible();
});

const decision = (
  messageId: number,
  change: Partial<NotificationLogEntry>,
): NotificationLogEntry => ({
  atSeconds: 1_767_700_000 + messageId,
  accountId: account.id,
  messageId,
  conversation: inTopic(2, 'deploys'),
  streamName: 'engineering',
  senderName: 'Ben Member',
  rang: false,
  sounded: false,
  desktopReason: 'streams-off',
  soundReason: 'streams-off',
  ...change,
});

test('the ledger says what happened and why, and leads to the setting and to the message', async () => {
  const bridge = new BridgeDouble();
  const message = bridge.store(withPeople(9), 'hello', { id: 500 });
  const entries = [
    decision(500, {
      conversation: message.conversation,
      streamName: null,
      rang: true,
      desktopReason: 'private-on',
      soundReason: 'private-off',
    }),
    decision(499, {}),
  ];
  bridge.answer('notificationLog', async () => success(entries));
  await openSettings(bridge, 'Notifications');
  const rows = page
    .getByRole('list', { name: 'Why was I notified, or not?' })
    .getByRole('listitem');
  await expect.element(rows.nth(0)).toMatchTextContent(/Shown Ben Member · Ben Member/);
  await expect
    .element(rows.nth(0))
    .toMatchTextContent('“Notifications for private messages and mentions” is on.');
  await expect
    .element(rows.nth(0))
    .toMatchTextContent(
      'Sound: A private message, but “Sounds for private messages and mentions” is off.',
    );
  await expect
    .element(rows.nth(1))
    .toMatchTextContent(/Silent Ben Member · #engineering › deploys/);
  await rows.nth(1).getByRole('button', { name: 'Go to the setting' }).click();
  await expect.element(setting('Notifications for all messages of streams')).toHaveFocus();
  await rows.nth(0).getByRole('button', { name: 'Go to the message' }).click();
  await expect.element(heading('Ben Member')).toBeVisible();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('a mute that decided leads to the stream', async () => {
  const bridge = new BridgeDouble();
  const muted = { desktopReason: 'muted-stream', soundReason: 'muted-stream' } as const;
  bridge.answer('notificationLog', async () => success([decision(1, muted)]));
  await openSettings(bridge, 'Notifications');
  await press('Go to the setting');
  await expect.element(page.getByRole('dialog', { name: 'Settings of engineering' })).toBeVisible();
});

test('choices of this computer are kept here', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Display');
  await choice('Theme').selectOptions('Dark');
  expect(document.documentElement.style.colorScheme).toBe('dark');
  await choice('Density').selectOptions('Compact');
  await choice('Send a message with').selectOptions('Ctrl+Enter');
  await choice('Messages become read').selectOptions('Only when I say so');
  await choice('Screen reader says').selectOptions('Mentions only');
  await choice('Zoom').selectOptions('144 %');
  bridge.push('preferencesChanged', { ...bridge.choices, zoomLevel: 0.5 });
  await expect.element(choice('Zoom')).toHaveDisplayValue('110 %');
  await setting('Remove where pictures were taken').click();
  await setting('Check spelling').click();
  await setting('Start when I sign in to the computer').click();
  await setting('Keep running when the window is closed').click();
  await page.getByRole('textbox', { name: 'Languages to check' }).fill('en-GB, de');
  await userEvent.keyboard('{Enter}');
  expect(bridge.choices).toMatchObject({
    theme: 'dark',
    density: 'compact',
    sendKey: 'ctrl-enter',
    markRead: 'never',
    announce: 'mentions',
    zoomLevel: 2,
    removeCameraData: false,
    spellCheck: true,
    spellLanguages: ['en-GB', 'de'],
    startAtLogin: true,
    closeToTray: false,
  });
  await choice('Theme').selectOptions('Like the system');
});

test('a number outside of its range is not taken', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Display');
  const size = page.getByRole('spinbutton', { name: 'Size of the text' });
  await size.fill('40');
  await userEvent.keyboard('{Tab}');
  expect(size.element()).toHaveAccessibleDescription(/Enter a number from 12 to 20\./);
  expect(bridge.argsOf('setPreferences')).toEqual([]);
  await size.fill('16');
  await userEvent.keyboard('{Tab}');
  expect(bridge.choices.fontSize).toBe(16);
  await size.fill('14');
  await userEvent.keyboard('{Tab}');
});

test('the clock is a setting of the account', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Display');
  await choice('Clock').selectOptions('12 hours: 3:30 PM');
  expect(bridge.requestsOf('settings.display')).toEqual([{ twenty_four_hour_time: false }]);
});

test('how many messages are starred is shown by a setting of the account', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Display');
  await setting('Show how many messages are starred').click();
  expect(bridge.requestsOf('settings.display')).toEqual([{ starred_message_counts: false }]);
});

test('a browser is not asked about tray, start and zoom', async () => {
  const bridge = new BridgeDouble({ shell: 'browser', canHost: false });
  await openSettings(bridge, 'Display');
  await expect.element(choice('Theme')).toBeVisible();
  for (const name of [/tray|closed/, /sign in to the computer/, /spelling/]) {
    await expect.element(setting(name)).not.toBeInTheDocument();
  }
  await expect.element(choice('Zoom')).not.toBeInTheDocument();
});

test('single keys can be switched off where all keys are listed', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Keys');
  await expect.element(page.getByText('Go to a conversation, a view or a command')).toBeVisible();
  await setting('Single-key shortcuts').click();
  expect(bridge.choices.singleKeys).toBe(false);
});

test('every setting that the ledger can name is there to be gone to', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Notifications');
  for (const reason of decisionReasons) {
    for (const channel of ['desktop', 'sound'] as const) {
      const entry = decision(1, { desktopReason: reason, soundReason: reason });
      const place = decidingSetting(entry, channel);
      if (place?.kind !== 'setting') continue;
      const found = document.querySelectorAll(`[data-setting="${place.name}"]`);
      expect({ reason, channel, controls: found.length }).toEqual({ reason, channel, controls: 1 });
    }
  }
});

test('the last of quick changes is sent last and holds', async () => {
  const bridge = new BridgeDouble();
  const answers: (() => void)[] = [];
  bridge.answer(
    'request',
    () => new Promise((resolve) => answers.push(() => resolve(success({} as never)))),
  );
  await openSettings(bridge, 'Notifications');
  const sounds = setting('Sounds for private messages and mentions');
  for (let click = 0; click < 4; click += 1) await sounds.click();
  await expect.element(sounds).toBeChecked();
  const sent = () => bridge.requestsOf('settings.notifications');
  expect(sent()).toEqual([{ enable_sounds: false }]);
  answers[0]?.();
  await expect.poll(sent).toEqual([{ enable_sounds: false }, { enable_sounds: true }]);
  answers[1]?.();
  await expect.element(page.getByText('Saved')).toBeVisible();
  await expect.element(sounds).toBeChecked();
});
