import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  actOnRow,
  closeDialog,
  heading,
  main,
  message,
  open,
  row,
  sidebar,
} from '#test/support/desktop/desktop-places.ts';
import { call, type Credentials } from '#test/support/service/service.ts';

let profile: Profile;
let app: DesktopApp;
let ben: Colleague;
let elsewhere: Credentials;

beforeAll(async () => {
  profile = await createFoundedProfile();
  app = await openApp(profile);
  await waitForOffice(app.page);
  elsewhere = await administratorOf(profile);
  ben = await addColleague(profile, 'Ben Member');
  await ask('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'garden', description: 'What grows' }],
  });
  await ask('POST', '/messages', {
    type: 'stream',
    to: 'garden',
    topic: 'roses',
    content: 'they want water',
  });
});
afterAll(async () => {
  await app.quit();
  await profile.remove();
});

async function ask(
  method: 'GET' | 'POST',
  path: string,
  params: Readonly<Record<string, unknown>> = {},
  who: Credentials = ben,
): Promise<Record<string, unknown>> {
  const { status, body } = await call(profile.origin, who, method, path, params);
  if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
  return body;
}

/** The subscription of the person at the window, as the service has it. */
async function subscriptionTo(name: string): Promise<Record<string, unknown> | undefined> {
  const { subscriptions } = await ask('GET', '/users/me/subscriptions', {}, elsewhere);
  return (subscriptions as readonly Record<string, unknown>[]).find(
    (each) => each['name'] === name,
  );
}

async function membersOf(name: string): Promise<readonly string[]> {
  const { stream_id: id } = await ask('GET', '/get_stream_id', { stream: name }, elsewhere);
  const path = `/streams/${String(id)}/members`;
  const { subscribers } = await ask('GET', path, {}, elsewhere);
  return [...(subscribers as readonly string[])].sort();
}

const browser = (): Locator => main(app.page).getByRole('list', { name: 'All streams' });

const streamSettings = async (name: string, tab: string): Promise<Locator> => {
  const dialog = app.page.getByRole('dialog', { name: `Settings of ${name}` });
  if (!(await dialog.isVisible())) await actOnRow(app.page, name, 'Stream settings…');
  await dialog.getByRole('tab', { name: tab }).click();
  return dialog;
};

test('the browser of streams finds one of a colleague, and joining it brings its messages', async () => {
  const { page } = app;
  await open(page, 'All streams');
  await main(page).getByRole('textbox', { name: 'Find a stream' }).fill('grows');
  await browser().getByRole('button', { name: 'Join garden' }).click();
  await row(page, 'garden').waitFor();
  await expect.poll(() => membersOf('garden')).toEqual([administrator.email, ben.email].sort());
  await row(page, 'garden').click();
  await heading(page, 'garden').waitFor();
  await message(page, 'they want water').waitFor();
});

test('a private stream is created with a colleague in it, who can write there', async () => {
  const { page } = app;
  await sidebar(page).getByRole('button', { name: 'New stream' }).click();
  const dialog = page.getByRole('dialog', { name: 'New stream' });
  await dialog.getByLabel('Name', { exact: true }).fill('plans');
  await dialog.getByLabel('Description (optional)').fill('What comes next');
  await dialog.getByRole('checkbox', { name: /^Private/ }).check();
  await dialog.getByRole('checkbox', { name: /Ben Member/ }).check();
  await dialog.getByRole('button', { name: 'Create stream' }).click();
  await heading(page, 'plans').waitFor();
  await row(page, 'plans').filter({ hasText: 'private' }).waitFor();
  await ask('POST', '/messages', {
    type: 'stream',
    to: 'plans',
    topic: 'spring',
    content: 'I can write here',
  });
  await message(page, 'I can write here').waitFor();
});

test('people are added to a stream and removed from it', async () => {
  const cleo = await addColleague(profile, 'Cleo Member');
  const settings = await streamSettings('plans', 'Members');
  await settings.getByRole('button', { name: 'Add people' }).click();
  await settings.getByRole('checkbox', { name: /Cleo Member/ }).check();
  await settings.getByRole('button', { name: 'Add', exact: true }).click();
  await settings.getByText('1 person is added.').waitFor();
  await expect.poll(() => membersOf('plans')).toContain(cleo.email);
  await settings.getByRole('button', { name: 'Remove Cleo Member from the stream' }).click();
  await settings.getByText('Cleo Member is removed.').waitFor();
  await expect.poll(() => membersOf('plans')).not.toContain(cleo.email);
});

test('colour, notifications, pin and mute of a stream are set, and kept by the service', async () => {
  const { page } = app;
  const settings = await streamSettings('plans', 'For me');
  await settings.getByRole('radio', { name: 'Violet' }).check({ force: true });
  await expect.poll(async () => (await subscriptionTo('plans'))?.['color']).toBe('#8a63d2');
  await settings.getByRole('switch', { name: 'Notification', exact: true }).click();
  await expect
    .poll(async () => (await subscriptionTo('plans'))?.['desktop_notifications'])
    .toBe(true);
  await settings.getByRole('switch', { name: 'Pin to the top of the list' }).click();
  await closeDialog(settings);
  await sidebar(page)
    .getByRole('region', { name: 'Pinned streams' })
    .getByRole('button', { name: /^plans/ })
    .waitFor();
  expect(await subscriptionTo('plans')).toMatchObject({ pin_to_top: true });
  await actOnRow(page, 'garden', 'Mute stream');
  await row(page, 'garden').filter({ hasText: 'muted' }).waitFor();
  await expect.poll(async () => (await subscriptionTo('garden'))?.['is_muted']).toBe(true);
  await actOnRow(page, 'garden', 'Unmute stream');
  await expect.poll(async () => (await subscriptionTo('garden'))?.['is_muted']).toBe(false);
});

test('a stream is renamed and described, and the colleague sees it', async () => {
  const settings = await streamSettings('plans', 'About');
  await settings.getByLabel('Description', { exact: true }).fill('What comes after spring');
  await settings.getByLabel('Description', { exact: true }).press('Tab');
  await settings.getByLabel('Name', { exact: true }).fill('plans of summer');
  await settings.getByLabel('Name', { exact: true }).press('Enter');
  await row(app.page, 'plans of summer').waitFor();
  await expect
    .poll(async () => {
      const { subscriptions } = await ask('GET', '/users/me/subscriptions');
      return (subscriptions as readonly Record<string, unknown>[]).map(
        ({ name, description }) => `${String(name)}: ${String(description)}`,
      );
    })
    .toContain('plans of summer: What comes after spring');
  await closeDialog(app.page.getByRole('dialog', { name: 'Settings of plans of summer' }));
});

test('a stream is left after a question, and goes from the left column', async () => {
  const { page } = app;
  await actOnRow(page, 'garden', 'Leave stream…');
  const question = page.getByRole('alertdialog', { name: 'Leave garden?' });
  await question.getByRole('button', { name: 'Leave stream' }).click();
  await row(page, 'garden').waitFor({ state: 'detached' });
  await expect.poll(() => membersOf('garden')).toEqual([ben.email]);
});
