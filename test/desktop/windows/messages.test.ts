import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp, type DesktopApp, type Profile } from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { addColleague, type Colleague } from '#test/support/desktop/desktop-colleague.ts';
import {
  clickNotification,
  displayedNotifications,
  receivedNotifications,
  type ReceivedNotification,
} from '#test/support/desktop/desktop-notifications.ts';
import { row } from '#test/support/desktop/desktop-places.ts';
import { setFocus } from '#test/support/desktop/desktop-window.ts';

let profile: Profile;
let app: DesktopApp;
let ben: Colleague;
let cleo: Colleague;

beforeAll(async () => {
  profile = await createFoundedProfile();
  app = await openApp(profile);
  await waitForOffice(app.page);
  ben = await addColleague(profile, 'Ben Member');
  cleo = await addColleague(profile, 'Cleo Member');
});
afterAll(async () => {
  await app.quit();
  await profile.remove();
});

const message = (text: string) => app.page.getByRole('main').getByText(text, { exact: true });
const conversationWith = ({ fullName }: Colleague) => row(app.page, fullName);

/** Those that were received after the given ones, also where they are gone from the screen before anybody looks there. */
async function notificationsAfter(
  earlier: readonly ReceivedNotification[],
): Promise<readonly ReceivedNotification[]> {
  const received = async () => (await receivedNotifications()).slice(earlier.length);
  await expect.poll(received).not.toEqual([]);
  return received();
}

test('a message that a colleague sends appears in the window without a reload', async () => {
  await app.page.evaluate(() => (document.documentElement.dataset['loaded'] = 'once'));
  await ben.write('good morning from outside');
  await conversationWith(ben).click();
  await message('good morning from outside').waitFor();
  await ben.write('and once more');
  await message('and once more').waitFor();
  expect(await app.page.evaluate(() => document.documentElement.dataset['loaded'])).toBe('once');
});

test('an answer typed in the window reaches the colleague', async () => {
  await conversationWith(ben).click();
  const compose = app.page.getByRole('textbox', { name: 'Message' });
  await compose.fill('good morning from the window');
  await compose.press('Enter');
  expect(await ben.nextMessage()).toContain('good morning from the window');
  await message('good morning from the window').waitFor();
});

test('a private message while the window is not focused is notified once, with its sender and text', async () => {
  await conversationWith(ben).click();
  const earlier = await receivedNotifications();
  await setFocus(app, false);
  await ben.write('are <b>you</b> there & awake?');
  const received = await notificationsAfter(earlier);
  expect(received).toEqual([
    {
      application: 'Hearth',
      title: expect.stringContaining('Ben Member'),
      // As the daemon has it: escaped, so that it shows what was typed.
      body: expect.stringContaining('are &lt;b&gt;you&lt;/b&gt; there &amp; awake?'),
    },
  ]);
});

test('a message of the conversation that is looked at is not notified', async () => {
  await setFocus(app, true);
  await conversationWith(ben).click();
  const earlier = await receivedNotifications();
  await ben.write('you are reading this');
  await message('you are reading this').waitFor();
  await setFocus(app, false);
  await ben.write('you are not reading this');
  expect(await notificationsAfter(earlier)).toMatchObject([
    { body: expect.stringContaining('you are not reading this') },
  ]);
});

test('a click on a notification brings the window to its conversation', async () => {
  await conversationWith(ben).click();
  await setFocus(app, false);
  await cleo.write('open this one');
  await expect.poll(displayedNotifications).toBe(1);
  await clickNotification();
  await message('open this one').waitFor();
  await expect
    .poll(() =>
      app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null),
    )
    .toBe(true);
  await expect.poll(displayedNotifications).toBe(0);
});

test('a notification goes away when its conversation is opened in the window', async () => {
  await conversationWith(ben).click();
  await setFocus(app, false);
  await cleo.write('read me in the window');
  await expect.poll(displayedNotifications).toBe(1);
  // As the click of a person does.
  await setFocus(app, true);
  await conversationWith(cleo).click();
  await message('read me in the window').waitFor();
  await expect.poll(displayedNotifications).toBe(0);
});

test('a notification goes away when the window that shows its conversation gets the focus', async () => {
  await conversationWith(ben).click();
  await setFocus(app, false);
  await ben.write('look here');
  await message('look here').waitFor();
  await expect.poll(displayedNotifications).toBe(1);
  await setFocus(app, true);
  await expect.poll(displayedNotifications).toBe(0);
});
