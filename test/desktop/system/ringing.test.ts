import type { Locator } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openApp, type DesktopApp, type Profile } from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import {
  addColleague,
  administratorOf,
  type Colleague,
} from '#test/support/desktop/desktop-colleague.ts';
import {
  displayedNotifications,
  receivedNotifications,
} from '#test/support/desktop/desktop-notifications.ts';
import {
  actOnRow,
  closeDialog,
  open,
  openSettings,
  row,
  sidebar,
} from '#test/support/desktop/desktop-places.ts';
import { keptChoice, setFocus } from '#test/support/desktop/desktop-window.ts';
import { call, type Credentials } from '#test/support/service/service.ts';
import { startTrayHost, type TrayHost } from '#test/support/desktop/tray-host.ts';

/** A sound is over when it was played; the first one starts a process. */

let profile: Profile;
let app: DesktopApp;
let tray: TrayHost;
let ben: Colleague;
let elsewhere: Credentials;

beforeAll(async () => {
  profile = await createFoundedProfile();
  tray = await startTrayHost();
  app = await openApp(profile);
  await waitForOffice(app.page);
  elsewhere = await administratorOf(profile);
  ben = await addColleague(profile, 'Ben Member');
  await write('deploy', 'the first one');
  await open(app.page, 'Drafts');
});
beforeEach(async () => {
  await ask(elsewhere, '/mark_all_as_read');
  await receivedNotifications();
});
afterAll(async () => {
  await app.quit();
  tray.stop();
  await profile.remove();
});

async function ask(
  who: Credentials,
  path: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { status, body } = await call(profile.origin, who, 'POST', path, params);
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
}

const write = (topic: string, content: string): Promise<void> =>
  ask(ben, '/messages', { type: 'stream', to: 'general', topic, content });

const lookAway = (): Promise<void> => setFocus(app, false);

async function setSwitch(settings: Locator, label: string, isOn: boolean): Promise<void> {
  const control = settings.getByRole('switch', { name: label, exact: true });
  if ((await control.isChecked()) !== isOn) await control.click();
  await expect.poll(() => control.isChecked()).toBe(isOn);
}

/** What the service has for the account: a message that it takes before rings by what was set before. */
async function atService(key: string): Promise<unknown> {
  const { body } = await call(profile.origin, elsewhere, 'POST', '/register', {
    event_types: ['pointer'],
    fetch_event_types: ['subscription', 'muted_topics', 'update_global_notifications'],
  });
  const subscriptions = body['subscriptions'] as readonly Readonly<Record<string, unknown>>[];
  return { ...subscriptions.find(({ name }) => name === 'general'), ...body }[key];
}
const held = (key: string) => expect.poll(() => atService(key));

const doNotDisturb = (): Promise<unknown> => keptChoice(app.page, 'doNotDisturbUntilSeconds');

/** What the notification log of the settings says about the message that came last. */
async function why(): Promise<string> {
  const settings = await openSettings(app.page, 'Notifications');
  const ledger = settings.getByRole('list', { name: 'Why was I notified, or not?' });
  await settings.getByRole('button', { name: 'Refresh' }).click();
  return (await ledger.getByRole('listitem').first().textContent()) ?? '';
}

const knocks = (): number => app.stderr().split('a sound was played","sound":"knock"').length - 1;

/** Settles when the window has the message. */
const arrived = (topic: string): Promise<void> =>
  row(app.page, topic).filter({ hasText: 'unread' }).waitFor();

test('a stream is silent until a person wants to hear of every message in it', async () => {
  await row(app.page, 'general').click();
  await open(app.page, 'Drafts');
  await lookAway();
  await write('deploy', 'nobody hears this');
  await expect
    .poll(why)
    .toMatch(/Silent.*Stream #general has notifications off|all messages of streams.* is off/);
  expect(await displayedNotifications()).toBe(0);
  await closeDialog(await openSettings(app.page, 'Notifications'));

  await actOnRow(app.page, 'general', 'Notify me of every message');
  await held('desktop_notifications').toBe(true);
  await lookAway();
  await write('deploy', 'everybody hears this');
  await expect.poll(displayedNotifications).toBe(1);
  expect((await receivedNotifications()).at(-1)).toMatchObject({
    title: expect.stringContaining('Ben Member'),
    body: expect.stringContaining('everybody hears this'),
  });
  await expect.poll(why).toContain('Stream #general has notifications on for you.');
});

test('a muted topic is silent in a stream that rings', async () => {
  await closeDialog(await openSettings(app.page, 'Notifications'));
  await write('noise', 'here already');
  await sidebar(app.page).getByRole('button', { name: 'Topics of general' }).click();
  await arrived('noise');
  await actOnRow(app.page, 'noise', 'Mute topic');
  await held('muted_topics').toHaveLength(1);
  await row(app.page, 'noise').filter({ hasText: 'muted' }).waitFor();
  await receivedNotifications();
  await lookAway();
  await write('noise', 'hush');
  await expect.poll(why).toMatch(/Silent.*The topic “noise” is muted for you\./);
  expect(await displayedNotifications()).toBe(0);
});

test('a mention of everybody follows its own setting', async () => {
  const settings = await openSettings(app.page, 'Notifications');
  await setSwitch(settings, 'Mentions of everybody count as mentions of me', false);
  await closeDialog(settings);
  await actOnRow(app.page, 'general', 'Notify me of mentions only');
  await held('desktop_notifications').toBe(false);
  await held('wildcard_mentions_notify').toBe(false);
  await lookAway();
  await write('deploy', '@**all** off');
  await expect.poll(why).toMatch(/Silent.*“Mentions of everybody count as mentions of me” is off/);
  expect(await displayedNotifications()).toBe(0);
  const again = await openSettings(app.page, 'Notifications');
  await setSwitch(again, 'Mentions of everybody count as mentions of me', true);
  await held('wildcard_mentions_notify').toBe(true);
  await lookAway();
  await write('deploy', '@**all** on');
  await expect.poll(displayedNotifications).toBe(1);
  await expect.poll(why).toMatch(/It mentions everybody, and .* is on/);
});

test('sounds follow their own setting, and the chosen one can be played', async () => {
  const settings = await openSettings(app.page, 'Notifications');
  await settings.getByLabel('Sound on this computer').selectOption('Knock');
  await settings.getByRole('button', { name: 'Play Knock' }).click();
  await expect.poll(knocks).toBe(1);
  await setSwitch(settings, 'Sounds for private messages and mentions', false);
  await held('enable_sounds').toBe(false);
  await lookAway();
  await ben.write('seen and not heard');
  await expect.poll(displayedNotifications).toBe(1);
  await expect.poll(why).toMatch(/Shown(?! with).*Sound: .*is off/);
  expect(knocks()).toBe(1);
  await setSwitch(settings, 'Sounds for private messages and mentions', true);
  await held('enable_sounds').toBe(true);
  await lookAway();
  await ben.write('seen and heard');
  await expect.poll(why).toContain('Shown with a sound');
  await expect.poll(knocks).toBe(2);
});

test('the number of the window follows its setting, and the tray says what wants the person', async () => {
  const settings = await openSettings(app.page, 'Notifications');
  await write('deploy', 'an ordinary one');
  await ben.write('one that wants me');
  const item = await tray.item();
  await expect.poll(item.tooltip).toContain('1 message for you');
  const count = settings.getByLabel('Number on the application icon');
  const title = (): Promise<string> => app.page.title();
  await count.selectOption('Private messages and mentions');
  await expect.poll(title).toMatch(/^\(1\) /);
  await count.selectOption('No number');
  await expect.poll(title).not.toMatch(/^\(/);
  await count.selectOption('All unread messages');
  await expect.poll(title).toMatch(/^\(2\) /);
});

test('nothing rings while the person is not to be disturbed, and the window says so', async () => {
  const settings = await openSettings(app.page, 'Notifications');
  await settings.getByLabel('Do not disturb', { exact: true }).selectOption('For an hour');
  await settings.getByText(/^On until /).waitFor();
  await expect.poll(doNotDisturb).not.toBe(0);
  await lookAway();
  await ben.write('later, please');
  await expect.poll(why).toMatch(/Silent.*Do not disturb was on\./);
  expect(await displayedNotifications()).toBe(0);
  await closeDialog(settings);
  await app.page.getByText('Do not disturb', { exact: true }).first().waitFor();
  await app.page.getByRole('button', { name: /^Account of / }).click();
  await app.page.getByRole('button', { name: 'Do not disturb', exact: true }).click();
  await expect.poll(doNotDisturb).toBe(0);
  await lookAway();
  await ben.write('now, please');
  await expect.poll(displayedNotifications).toBe(1);
  expect((await receivedNotifications()).at(-1)?.title).toContain(ben.fullName);
});
