import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Bridge } from '#preload/bridge.ts';
import { openApp, type DesktopApp, type Profile } from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { addColleague, type Colleague } from '#test/support/desktop/desktop-colleague.ts';
import {
  displayedNotifications,
  receivedNotifications,
} from '#test/support/desktop/desktop-notifications.ts';
import {
  answerDialogs,
  askedDialogs,
  freeWindow,
  pickMenu,
} from '#test/support/desktop/desktop-window.ts';
import { call } from '#test/support/service/service.ts';
import { startTrayHost, type TrayHost, type TrayItem } from '#test/support/desktop/tray-host.ts';

let profile: Profile;
let app: DesktopApp;
let host: TrayHost;
let tray: TrayItem;
let ben: Colleague;
beforeEach(async () => {
  profile = await createFoundedProfile();
  host = await startTrayHost();
  app = await openApp(profile);
  await waitForOffice(app.page);
  ben = await addColleague(profile, 'Ben Member');
  tray = await host.item();
});
afterEach(async () => {
  await app.quit();
  host.stop();
  await profile.remove();
});

const isServing = (): Promise<boolean> =>
  fetch(profile.origin).then(
    () => true,
    () => false,
  );

/** Those of whom the window knows when they were here. */
const knownPresences = (): Promise<readonly string[]> =>
  app.page.evaluate(async () => {
    const { bridge } = window as unknown as { bridge: Pick<Bridge, 'start' | 'state'> };
    const start = await bridge.start();
    const state = start.ok ? await bridge.state(start.value.accounts[0]!.id) : start;
    return state.ok ? Object.keys(state.value.presences) : [];
  });

test('the tray counts what is unread, and so does the badge', async () => {
  await freeWindow(app);
  await expect.poll(tray.tooltip).toContain('Hearth: No unread messages');
  await ben.write('one');
  await expect.poll(tray.tooltip).toContain('1 message for you');
  await ben.write('two');
  await expect.poll(tray.tooltip).toContain('2 messages for you');
  expect(await tray.menu()).toContain('2 messages for you');
});

test('do not disturb from the tray holds notifications back, and can be turned off there', async () => {
  await freeWindow(app);
  await receivedNotifications();
  await tray.clickItem('Until I turn it off');
  await expect.poll(tray.menu).toContain('Turn off');
  expect(await tray.tooltip()).toContain('Do not disturb is on');
  await ben.write('quiet please');
  await expect.poll(tray.tooltip).toContain('1 message for you');
  expect(await displayedNotifications()).toBe(0);
  await tray.clickItem('Turn off');
  await expect.poll(tray.tooltip).not.toContain('Do not disturb');
  await ben.write('and now');
  await expect.poll(displayedNotifications).toBe(1);
});

test('the key of the application turns do not disturb on and off', async () => {
  await pickMenu(app, 'View', 'CmdOrCtrl+Shift+D');
  await expect.poll(tray.tooltip).toContain('Do not disturb is on');
  await pickMenu(app, 'View', 'CmdOrCtrl+Shift+D');
  await expect.poll(tray.tooltip).not.toContain('Do not disturb');
});

test('hosting is stopped from the tray after a warning that others are online, and started again', async () => {
  await call(profile.origin, ben, 'POST', '/users/me/presence', { status: 'active' });
  await answerDialogs(app, 'Cancel');
  await expect.poll(tray.menu).toContain('Hosting on this computer');
  await expect
    .poll(async () => {
      await tray.clickItem('Stop hosting…');
      return (await askedDialogs(app)).at(-1);
    })
    .toContain('One other person is online');
  expect(await isServing()).toBe(true);
  await answerDialogs(app, 'Stop hosting');
  await tray.clickItem('Stop hosting…');
  await expect.poll(isServing).toBe(false);
  await expect.poll(tray.menu).toContain('Hosting is stopped');
  await tray.clickItem('Start hosting');
  await expect.poll(isServing).toBe(true);
  await expect.poll(tray.menu).toContain('Hosting on this computer');
});

test('quitting while others are online asks first, which the end of the session does not wait for', async () => {
  await call(profile.origin, ben, 'POST', '/users/me/presence', { status: 'active' });
  await expect.poll(knownPresences).toContain(String(ben.userId));
  await answerDialogs(app, 'Cancel');
  await app.electron.evaluate(({ app: itself }) => itself.quit());
  await expect
    .poll(async () => (await askedDialogs(app)).at(-1))
    .toMatch(/^Quit and stop hosting on this computer\? One other person is online/);
  expect(await isServing()).toBe(true);
  await app.electron.evaluate(({ app: itself, dialog, powerMonitor }) => {
    dialog.showMessageBox = () => {
      // While the question stands the session ends.
      setImmediate(() => powerMonitor.emit('shutdown'));
      return new Promise(() => undefined);
    };
    itself.quit();
  });
  expect(await app.ended).toBe(0);
  expect(await isServing()).toBe(false);
});

test('quitting from the tray ends the application and its service', async () => {
  await tray.clickItem('Quit Hearth');
  expect(await app.ended).toBe(0);
  expect(await isServing()).toBe(false);
});
