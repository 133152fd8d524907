import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  createProfile,
  openApp,
  startApp,
  waitForMainView,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { addColleague } from '#test/support/desktop/desktop-colleague.ts';
import {
  clickNotification,
  displayedNotifications,
  receivedNotifications,
} from '#test/support/desktop/desktop-notifications.ts';
import { composeBox, open, row } from '#test/support/desktop/desktop-places.ts';
import { joinOffice, startRemoteOffice } from '#test/support/desktop/desktop-remote.ts';
import {
  answerDialogs,
  askedDialogs,
  closeWindow,
  freeWindow,
  reopened,
  windowCount,
} from '#test/support/desktop/desktop-window.ts';
import { startTrayHost, type TrayHost } from '#test/support/desktop/tray-host.ts';

declare global {
  /** In the main process: gone as soon as its garbage was collected. */
  var unneeded: WeakRef<object> | undefined;
}

let profile: Profile;
let app: DesktopApp;
afterEach(async () => {
  await app.quit();
  await profile.remove();
});

/** With a profile that nobody has used yet. */
async function openNew(): Promise<void> {
  profile = await createProfile();
  app = await openApp(profile);
}

/** With an organization that lives here. */
async function openFounded(): Promise<void> {
  profile = await createFoundedProfile();
  app = await openApp(profile);
  await waitForOffice(app.page);
}

async function setChoice(patch: Readonly<Record<string, unknown>>): Promise<void> {
  const outcome = await app.page.evaluate(
    (change) =>
      (
        window as unknown as { bridge: { setPreferences: (p: unknown) => Promise<unknown> } }
      ).bridge.setPreferences(change),
    patch,
  );
  expect(outcome).toMatchObject({ ok: true });
}

describe('on a desktop with a tray', () => {
  let tray: TrayHost;
  beforeEach(async () => {
    tray = await startTrayHost();
  });
  afterEach(() => tray.stop());

  const visibility = (): Promise<readonly boolean[]> =>
    app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => window.isVisible()),
    );

  const openFromTray = async (): ReturnType<typeof reopened> => {
    const item = await tray.item();
    return reopened(app, () => item.clickItem('Open Hearth'));
  };

  test('closing the window frees its page, says so once, and the service goes on', async () => {
    await openFounded();
    const earlier = await receivedNotifications();
    await app.electron.evaluate(() => {
      globalThis.unneeded = new WeakRef({});
    });
    await freeWindow(app);
    const processes = (): Promise<readonly number[]> =>
      app.electron.evaluate(({ app: electron, webContents }) => [
        electron.getAppMetrics().filter(({ type }) => type === 'Tab').length,
        webContents.getAllWebContents().length,
      ]);
    // The process of a page ends a moment after its window.
    await expect.poll(processes).toEqual([0, 0]);
    // Memory that nothing needs goes back at once, and not when more is asked for.
    expect(await app.electron.evaluate(() => globalThis.unneeded?.deref() === undefined)).toBe(
      true,
    );
    expect((await fetch(profile.origin)).status).toBe(200);
    await expect.poll(displayedNotifications).toBe(1);
    const told = (await receivedNotifications()).slice(earlier.length);
    expect(told).toMatchObject([{ title: 'Hearth goes on in the background' }]);

    const page = await openFromTray();
    await waitForMainView(page);
    await freeWindow(app);
    expect(await displayedNotifications()).toBe(0);
  });

  test('a message that comes while there is no window rings, and its click opens it', async () => {
    await openFounded();
    await setChoice({ wasToldOfTray: true });
    const ben = await addColleague(profile, 'Ben Member');
    await freeWindow(app);
    await ben.write('are you still there?');
    await expect.poll(displayedNotifications).toBe(1);
    const page = await reopened(app, clickNotification);
    await page.getByRole('heading', { level: 1, name: 'Ben Member' }).waitFor();
    await page.getByRole('main').getByText('are you still there?').waitFor();
  });

  test('the window opens again where it was left, also after a restart', async () => {
    await openFounded();
    await addColleague(profile, 'Ben Member').then(({ write }) => write('hello'));
    await row(app.page, 'Ben Member').click();
    await app.page.getByRole('heading', { level: 1, name: 'Ben Member' }).waitFor();
    await freeWindow(app);
    const page = await openFromTray();
    await page.getByRole('heading', { level: 1, name: 'Ben Member' }).waitFor();
    await app.quit();
    app = await openApp(profile);
    await app.page.getByRole('heading', { level: 1, name: 'Ben Member' }).waitFor();
  });

  test('an upload goes on while there is no window, and the next one has its link', async () => {
    const office = await startRemoteOffice();
    onTestFinished(() => office.remove());
    await openNew();
    await joinOffice(app.page, office);
    await setChoice({ wasToldOfTray: true });
    await open(app.page, 'general');
    await composeBox(app.page).fill('the plan: ');
    office.pause();
    const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('measure twice') };
    await app.page.locator('main input[type="file"]').setInputFiles(plan);
    const progress = { name: /^Uploading plan\.txt/ };
    await app.page.getByRole('progressbar', progress).waitFor();
    await freeWindow(app);
    const page = await openFromTray();
    await page.getByRole('progressbar', progress).waitFor();
    office.resume();
    await expect
      .poll(() => composeBox(page).inputValue())
      .toMatch(/^the plan: \[plan\.txt\]\(\/user_uploads\/\S+\)\n$/);
  });

  test('whoever quits while a file is on its way is asked first', async () => {
    const office = await startRemoteOffice();
    onTestFinished(() => office.remove());
    await openNew();
    await joinOffice(app.page, office);
    await open(app.page, 'general');
    office.pause();
    const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('measure twice') };
    await app.page.locator('main input[type="file"]').setInputFiles(plan);
    await app.page.getByRole('progressbar', { name: /^Uploading plan\.txt/ }).waitFor();
    await answerDialogs(app, 'Cancel');
    await app.electron.evaluate(({ app: itself }) => itself.quit());
    await expect
      .poll(async () => (await askedDialogs(app)).join())
      .toContain('A file has not arrived');
    await app.page.getByRole('button', { name: 'Cancel the upload of plan.txt' }).click();
    office.resume();
    await app.electron.evaluate(({ app: itself }) => itself.quit());
    expect(await app.ended).toBe(0);
  });

  test('a window whose page never says that it is ready is shown all the same', async () => {
    await openNew();
    await app.page.getByRole('heading', { name: 'Welcome to Hearth' }).waitFor();
    await freeWindow(app);
    await app.electron.evaluate(({ BrowserWindow }) => {
      const { emit } = BrowserWindow.prototype;
      BrowserWindow.prototype.emit = function (event: string | symbol, ...args: unknown[]) {
        return event === 'ready-to-show' ? false : emit.call(this, event, ...args);
      };
    });
    await tray.item().then((item) => item.clickItem('Open Hearth'));
    await expect.poll(visibility).toEqual([true]);
  });

  test('a window that is opened while it is being closed stays', async () => {
    await openNew();
    await app.page.getByRole('heading', { name: 'Welcome to Hearth' }).waitFor();
    const item = await tray.item();
    await Promise.all([closeWindow(app), item.clickItem('Open Hearth')]);
    await expect.poll(visibility).toEqual([true]);
  });

  test('a start by the system opens no window, and is there all the same', async () => {
    await openFounded();
    const ben = await addColleague(profile, 'Ben Member');
    await app.quit();
    await receivedNotifications();
    const hidden = await startApp(profile, { options: ['--hidden'] });
    app = { ...app, ...hidden };
    const isServing = (): Promise<boolean> =>
      fetch(profile.origin).then(
        () => true,
        () => false,
      );
    await expect.poll(isServing).toBe(true);
    await ben.write('good morning');
    await expect.poll(displayedNotifications).toBe(1);
    expect(await windowCount(app)).toBe(0);
    await receivedNotifications();
    const page = await openFromTray();
    await waitForMainView(page);
  });
});

describe('on a desktop without a tray', () => {
  beforeEach(async () => {
    await openNew();
    await app.page.getByRole('heading', { name: 'Welcome to Hearth' }).waitFor();
  });

  test('closing the window keeps it within reach, minimised', async () => {
    await app.electron.evaluate(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows()[0]!;
      window.minimize = () => {
        (globalThis as { minimised?: boolean }).minimised = true;
      };
    });
    await closeWindow(app);
    await expect
      .poll(() =>
        app.electron.evaluate(() => (globalThis as { minimised?: boolean }).minimised ?? false),
      )
      .toBe(true);
    expect(await windowCount(app)).toBe(1);
  });

  test('closing the window ends the application where a person chose that', async () => {
    await setChoice({ closeToTray: false });
    await closeWindow(app);
    expect(await app.ended).toBe(0);
  });
});
