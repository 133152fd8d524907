import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NotificationLogEntry } from '#shared/bridge/models/notifications.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Bridge } from '#preload/bridge.ts';
import {
  administrator,
  openApp,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import {
  addColleague,
  administratorOf,
  type Colleague,
} from '#test/support/desktop/desktop-colleague.ts';
import {
  clickNotification,
  displayedNotifications,
  receivedNotifications,
} from '#test/support/desktop/desktop-notifications.ts';
import { freshness, row } from '#test/support/desktop/desktop-places.ts';
import { setFocus } from '#test/support/desktop/desktop-window.ts';
import { call, type Credentials } from '#test/support/service/service.ts';

/** A sound is over when it was played; the first one starts a process. */

let profile: Profile;
let app: DesktopApp;
let ben: Colleague;
/** The person at the window, who uses another program as well. */
let elsewhere: Credentials;

beforeAll(async () => {
  profile = await createFoundedProfile();
  app = await openApp(profile);
  await waitForOffice(app.page);
  elsewhere = await administratorOf(profile);
  ben = await addColleague(profile, 'Ben Member');
  await lookAway();
});
/** A notification sums up what is unread of its conversation. */
beforeEach(async () => {
  await ask(elsewhere, 'POST', '/mark_all_as_read');
  await newNotifications();
});
afterAll(async () => {
  await app.quit();
  await profile.remove();
});

async function ask(
  who: Credentials,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const { status, body } = await call(profile.origin, who, method, path, params);
  if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
  return body;
}

const write = async (content: string): Promise<number> => {
  const message = { type: 'private', to: [administrator.email], content };
  return Number((await ask(ben, 'POST', '/messages', message))['id']);
};
const writeToStream = async (content: string): Promise<number> => {
  const message = { type: 'stream', to: 'general', topic: 'deploy', content };
  return Number((await ask(ben, 'POST', '/messages', message))['id']);
};
const set = (settings: Readonly<Record<string, unknown>>) =>
  ask(elsewhere, 'PATCH', '/settings/notifications', settings);

declare const bridge: Bridge;

/** What the application decided about a message, as soon as it did. */
async function decisionOn(messageId: number): Promise<NotificationLogEntry> {
  let found: NotificationLogEntry | undefined;
  await expect
    .poll(async () => {
      const ledger: Outcome<readonly NotificationLogEntry[]> = await app.page.evaluate(() =>
        bridge.notificationLog(),
      );
      found = ledger.ok ? ledger.value.find((entry) => entry.messageId === messageId) : undefined;
      return found?.messageId;
    })
    .toBe(messageId);
  return found!;
}
const lookAway = (): Promise<void> => setFocus(app, false);

const soundsPlayed = (): number => app.stderr().split('a sound was played').length - 1;

/** What came after the last time that this was asked. */
let seen = 0;
async function newNotifications() {
  const all = await receivedNotifications();
  const fresh = all.slice(seen);
  seen = all.length;
  return fresh;
}

test('a private message is shown once, sounds once, and the ledger names the setting', async () => {
  const before = soundsPlayed();
  const id = await write('good morning');
  await expect.poll(displayedNotifications).toBe(1);
  await expect.poll(soundsPlayed).toBe(before + 1);
  expect(await newNotifications()).toMatchObject([{ title: 'Ben Member', body: 'good morning' }]);
  expect(await decisionOn(id)).toMatchObject({
    rang: true,
    sounded: true,
    desktopReason: 'private-on',
    senderName: 'Ben Member',
  });
});

test('several messages of one conversation share one notification', async () => {
  await write('one');
  await write('two');
  await decisionOn(await write('three'));
  expect(await displayedNotifications()).toBe(1);
  const last = (await newNotifications()).at(-1);
  expect(last?.body).toBe('3 new messages\nthree');
});

test('the text of a private message is kept back when the setting says so', async () => {
  await set({ pm_content_in_desktop_notifications: false });
  await decisionOn(await write('nobody else should see this'));
  const received = await newNotifications();
  await set({ pm_content_in_desktop_notifications: true });
  expect(received).toMatchObject([{ title: 'Ben Member' }]);
  expect(received[0]?.body).toBe('New private message');
});

test('a notification goes away when its messages are read in another program', async () => {
  const ids = [await write('read me elsewhere')];
  await expect.poll(displayedNotifications).toBe(1);
  await ask(elsewhere, 'POST', '/mark_all_as_read');
  await expect.poll(displayedNotifications).toBe(0);
  await decisionOn(ids[0]!);
  await newNotifications();
});

test('a notification goes away when its message is deleted', async () => {
  const id = await write('a mistake');
  await expect.poll(displayedNotifications).toBe(1);
  await ask(elsewhere, 'DELETE', `/messages/${id}`);
  await expect.poll(displayedNotifications).toBe(0);
  await newNotifications();
});

test('nothing rings under do-not-disturb, and the ledger says so', async () => {
  await app.page.evaluate(() => bridge.setPreferences({ doNotDisturbUntilSeconds: null }));
  const silent = await decisionOn(await write('not now'));
  await app.page.evaluate(() => bridge.setPreferences({ doNotDisturbUntilSeconds: 0 }));
  expect(silent).toMatchObject({ rang: false, sounded: false, desktopReason: 'do-not-disturb' });
  expect(await decisionOn(await write('now'))).toMatchObject({ rang: true });
  expect(await newNotifications()).toMatchObject([{ body: 'now' }]);
});

test('a stream is silent by default, and a mention in it rings', async () => {
  const quiet = await decisionOn(await writeToStream('deployed'));
  expect(quiet).toMatchObject({ rang: false, desktopReason: 'stream-off', streamName: 'general' });
  const loud = await decisionOn(await writeToStream(`@**${administrator.fullName}** look`));
  expect(loud).toMatchObject({ rang: true, desktopReason: 'mention-on' });
  expect(await newNotifications()).toMatchObject([
    { title: 'Ben Member (#general › deploy)', body: expect.stringContaining('look') },
  ]);
});

test('nothing rings for what the focused window shows', async () => {
  await row(app.page, ben.fullName).click();
  await setFocus(app, true);
  const entry = await decisionOn(await write('you are looking at it'));
  expect(entry).toMatchObject({ rang: false, sounded: false, desktopReason: 'looking' });
  await lookAway();
  expect(await newNotifications()).toEqual([]);
});

test('a click leads to the message', async () => {
  await lookAway();
  await decisionOn(await writeToStream(`@**${administrator.fullName}** come here`));
  await expect.poll(displayedNotifications).toBe(1);
  await clickNotification();
  await app.page.getByRole('main').getByText('come here').waitFor();
  await expect.poll(displayedNotifications).toBe(0);
  await newNotifications();
});

test('what rang does not ring again after a restart, and what comes then does', async () => {
  await lookAway();
  const id = await write('before the restart');
  await decisionOn(id);
  await newNotifications();
  await app.quit();
  app = await openApp(profile);
  await freshness(app.page).getByText('Connected').waitFor();
  await lookAway();
  await decisionOn(await write('after the restart'));
  expect(await newNotifications()).toMatchObject([{ body: 'after the restart' }]);
  expect(await decisionOn(id)).toMatchObject({ rang: true });
  await expect.poll(soundsPlayed).toBe(1);
});

test('a sound is played to its end though garbage is collected meanwhile', async () => {
  const before = soundsPlayed();
  await app.page.evaluate(() =>
    (window as unknown as { readonly bridge: Bridge }).bridge.playSound('knock'),
  );
  await app.electron.evaluate(async () => {
    process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
    const collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void;
    for (let i = 0; i < 3; i++) {
      collect();
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  await expect.poll(soundsPlayed).toBe(before + 1);
});

test('a sound is played while there is no window', async () => {
  const before = soundsPlayed();
  await app.electron.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
  });
  // Only the first of messages that come closer together sounds.
  const writeAndListen = async (): Promise<number> => {
    await write('nobody is at the window');
    return soundsPlayed();
  };
  await expect.poll(writeAndListen, { interval: 1200 }).toBeGreaterThan(before);
  await expect.poll(displayedNotifications).toBe(1);
});
