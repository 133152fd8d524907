import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExposedBridge } from '#preload/bridge.ts';
import { openApp, type DesktopApp, type Profile } from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { addColleague, type Colleague } from '#test/support/desktop/desktop-colleague.ts';
import {
  displayedNotifications,
  receivedNotifications,
} from '#test/support/desktop/desktop-notifications.ts';
import { open } from '#test/support/desktop/desktop-places.ts';
import { setFocus } from '#test/support/desktop/desktop-window.ts';
import { startSystemBus, type SystemBus } from '#test/support/desktop/system-bus.ts';

let bus: SystemBus;
let profile: Profile;
let app: DesktopApp;
let ben: Colleague;
beforeAll(async () => {
  bus = await startSystemBus();
  profile = await createFoundedProfile();
  app = await openApp(profile, bus.env);
  await waitForOffice(app.page);
  ben = await addColleague(profile, 'Ben Member');
  await ben.write('the first one');
  await open(app.page, 'Ben Member');
  await setFocus(app, true);
  await receivedNotifications();
  await app.page.evaluate(() => {
    const { bridge } = window as unknown as { bridge: ExposedBridge };
    const page = document.documentElement;
    bridge.on('activityChanged', (json) => (page.dataset['attendance'] = json));
  });
});
afterAll(async () => {
  await app.quit();
  await profile.remove();
  await bus.stop();
});

const attendance = (): Promise<string> =>
  app.page.evaluate(() => document.documentElement.dataset['attendance'] ?? '');
const nobody = '{"activeSinceMs":null}';

/** As Electron tells it. The computer wakes by itself: asleep, it would take no message. */
const sleep = (): Promise<void> =>
  app.electron.evaluate(({ powerMonitor }) => {
    powerMonitor.emit('suspend');
    powerMonitor.emit('resume');
  });

test.each([
  ['the screen is locked', () => bus.lock(true), () => bus.lock(false)],
  ['the computer has slept', () => sleep(), () => app.page.keyboard.press('Shift')],
])(
  'what comes to the conversation in front rings once %s, until somebody is back',
  async (_, leave, comeBack) => {
    await ben.write('somebody sees this');
    await app.page.getByText('somebody sees this').last().waitFor();
    await leave();
    await expect.poll(attendance).toBe(nobody);
    await ben.write('nobody sees this');
    await expect.poll(displayedNotifications).toBe(1);
    await comeBack();
    await expect.poll(attendance).not.toBe(nobody);
    await expect.poll(displayedNotifications).toBe(0);
  },
);
