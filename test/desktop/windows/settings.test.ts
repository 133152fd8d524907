import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  administrator,
  keyInKeychain,
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
  closeDialog,
  composeBox,
  freshness,
  message,
  open,
  openSettings,
  openTopic,
  row,
  send,
} from '#test/support/desktop/desktop-places.ts';
import { keptChoice } from '#test/support/desktop/desktop-window.ts';
import { call, type Credentials } from '#test/support/service/service.ts';

let profile: Profile;
let app: DesktopApp;
let ben: Colleague;

beforeAll(async () => {
  profile = await createFoundedProfile();
  app = await openApp(profile);
  await waitForOffice(app.page);
  ben = await addColleague(profile, 'Ben Member');
  await ben.write('hello from Ben');
});
afterAll(async () => {
  await app.quit();
  await profile.remove();
});

async function ask(
  who: Credentials,
  method: 'GET' | 'POST',
  path: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const { status, body } = await call(profile.origin, who, method, path, params);
  if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
  return body;
}

/** The person at the window as the colleague sees them. */
async function seenByBen(): Promise<Record<string, unknown>> {
  const { members } = await ask(ben, 'GET', '/users');
  return (members as readonly Record<string, unknown>[]).find(
    ({ email }) => email === administrator.email,
  )!;
}

/** Their status, as a client of the colleague is told of it when it starts. */
async function statusSeenByBen(): Promise<unknown> {
  const { user_id: id } = await seenByBen();
  const types = { event_types: ['user_status'], fetch_event_types: ['user_status'] };
  const { user_status: statuses } = await ask(ben, 'POST', '/register', types);
  return (statuses as Readonly<Record<string, unknown>>)[String(id)];
}

test('name and status are changed, and the colleague sees them', async () => {
  const { page } = app;
  const settings = await openSettings(page, 'Profile');
  const name = settings.getByLabel('Name', { exact: true });
  await name.fill('Ada Lovelace');
  await name.press('Enter');
  await expect.poll(async () => (await seenByBen())['full_name']).toBe('Ada Lovelace');
  await settings.getByLabel('What you are doing').fill('Counting');
  await settings.getByLabel('What you are doing').press('Enter');
  await expect.poll(statusSeenByBen).toMatchObject({ status_text: 'Counting' });
  await name.fill('');
  await name.press('Enter');
  await settings.getByText('Name is missing.').waitFor();
  await name.press('Escape');
  await closeDialog(settings);
});

test('theme, size of the text and the key that sends are chosen, and act at once', async () => {
  const { page } = app;
  const settings = await openSettings(page, 'Display');
  await settings.getByLabel('Theme', { exact: true }).selectOption('Dark');
  await expect
    .poll(() => app.electron.evaluate(({ nativeTheme }) => nativeTheme.themeSource))
    .toBe('dark');
  const size = settings.getByLabel('Size of the text');
  await size.fill('18');
  await size.press('Tab');
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.body).fontSize))
    .toBe('18px');
  await settings.getByLabel('Send a message with').selectOption('Ctrl+Enter');
  await expect.poll(() => keptChoice(page, 'sendKey')).toBe('ctrl-enter');
  await closeDialog(settings);
  await open(page, 'Ben Member');
  const box = composeBox(page);
  await box.fill('one line');
  await box.press('Enter');
  await box.pressSequentially('and another');
  expect(await box.inputValue()).toBe('one line\nand another');
  await box.press('Control+Enter');
  await ben.hears('and another');
  const again = await openSettings(page, 'Display');
  await again.getByLabel('Send a message with').selectOption('Enter');
  await expect.poll(() => keptChoice(page, 'sendKey')).toBe('enter');
  await again.getByLabel('Theme', { exact: true }).selectOption('Like the system');
  await closeDialog(again);
});

test('single keys are switched off, and then are only text', async () => {
  const { page } = app;
  const settings = await openSettings(page, 'Keys');
  await settings.getByText('Go to a conversation, a view or a command').waitFor();
  const single = settings.getByLabel('Single-key shortcuts');
  await single.click();
  await expect.poll(() => keptChoice(page, 'singleKeys')).toBe(false);
  await closeDialog(settings);
  await row(page, 'Inbox').click();
  await row(page, 'Inbox').focus();
  await page.keyboard.press('?');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('Control+/');
  await closeDialog(page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
  const again = await openSettings(page, 'Keys');
  await again.getByLabel('Single-key shortcuts').click();
  await expect.poll(() => keptChoice(page, 'singleKeys')).toBe(true);
  await closeDialog(again);
  await row(page, 'Inbox').focus();
  await page.keyboard.press('?');
  await closeDialog(page.getByRole('dialog', { name: 'Keyboard shortcuts' }));
});

test('a bot is created, and its key writes a message that appears in the window', async () => {
  const { page } = app;
  const settings = await openSettings(page, 'Bots');
  const form = settings.getByRole('form', { name: 'New bot' });
  await form.getByLabel('Name', { exact: true }).fill('Deploys');
  await form.getByLabel('First part of its e-mail address').fill('deploys');
  await form.getByRole('button', { name: 'Create bot' }).click();
  await settings.getByText('Deploys is ready. This is its key.').waitFor();
  const key = await settings.getByRole('textbox', { name: 'API key', exact: true }).inputValue();
  const file = await settings.getByRole('group', { name: 'Configuration file' }).textContent();
  const email = /email=(\S+)/.exec(file ?? '')![1]!;
  expect(file).toContain(`key=${key}`);
  expect(file).toContain(`site=${profile.origin}`);
  await settings
    .getByRole('list', { name: 'Your bots' })
    .getByText('Deploys', { exact: true })
    .waitFor();
  await closeDialog(settings);
  const bot = { email, key };
  const content = 'version 7 is out';
  await ask(bot, 'POST', '/messages', { type: 'stream', to: 'general', topic: 'deploy', content });
  await openTopic(page, 'general', 'deploy');
  await message(page, content).getByText('Bot', { exact: true }).waitFor();
});

test('a bot is deactivated after a question, and its key is refused from then on', async () => {
  const { page } = app;
  const settings = await openSettings(page, 'Bots');
  await settings.getByRole('button', { name: 'Manage Deploys' }).click();
  await settings.getByRole('button', { name: 'Show API key' }).click();
  const key = await settings.getByRole('textbox', { name: 'API key', exact: true }).inputValue();
  const email = /email=(\S+)/.exec(
    (await settings.getByRole('group', { name: 'Configuration file' }).textContent()) ?? '',
  )![1]!;
  expect((await call(profile.origin, { email, key }, 'GET', '/users/me')).status).toBe(200);
  await settings.getByRole('button', { name: 'Deactivate…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Deactivate Deploys?' });
  await question.getByRole('button', { name: 'Deactivate', exact: true }).click();
  await settings.getByText('Deactivated', { exact: true }).waitFor();
  expect((await call(profile.origin, { email, key }, 'GET', '/users/me')).status).not.toBe(200);
  await closeDialog(settings);
});

test('the own API key is shown for the password, and replaced: the window goes on with a key of its own', async () => {
  const { page } = app;
  const { email, password: given } = administrator;
  const ofWindow = await administratorOf(profile);
  const keyOfAccount = async (): Promise<string> => {
    const params = { username: email, password: given };
    return String(
      (await call(profile.origin, null, 'POST', '/fetch_api_key', params)).body['api_key'],
    );
  };
  const statusWith = async (key: string): Promise<number> =>
    (await call(profile.origin, { email, key }, 'GET', '/users/me')).status;
  const old = await keyOfAccount();
  expect(old).not.toBe(ofWindow.key);
  const settings = await openSettings(page, 'API key');
  const password = settings.getByLabel('Your password', { exact: true });
  await password.fill('not the password');
  await settings.getByRole('button', { name: 'Show my API key' }).click();
  await settings.getByRole('alert').waitFor();
  await password.fill(given);
  await settings.getByRole('button', { name: 'Show my API key' }).click();
  const key = settings.getByRole('textbox', { name: 'API key', exact: true });
  await expect.poll(() => key.inputValue()).toBe(old);
  await settings.getByRole('button', { name: 'Replace the key…' }).click();
  await page
    .getByRole('alertdialog', { name: 'Replace your API key?' })
    .getByRole('button', { name: 'Replace', exact: true })
    .click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await settings.getByText('This is your new key.').waitFor();
  expect(await key.inputValue()).toBe(await keyOfAccount());
  expect(await statusWith(old)).toBe(401);
  expect(await keyInKeychain(profile)).toBe(ofWindow.key);
  expect(await statusWith(ofWindow.key)).toBe(200);
  await closeDialog(settings);
  await freshness(page).filter({ hasText: 'Connected' }).waitFor();
  await open(page, 'Ben Member');
  await send(page, 'after the key was replaced');
  await ben.hears('after the key was replaced');
});

test('choices of this computer are kept over a restart', async () => {
  await app.quit();
  app = await openApp(profile);
  await expect
    .poll(() => app.page.evaluate(() => getComputedStyle(document.body).fontSize))
    .toBe('18px');
  const file = await readFile(join(profile.dir, 'preferences.json'), 'utf8');
  expect(JSON.parse(file)).toMatchObject({ choices: { fontSize: 18 } });
});
