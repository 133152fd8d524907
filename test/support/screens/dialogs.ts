import type { Locator } from 'playwright';
import { streamWords } from '#renderer/i18n/settings/stream-settings.ts';
import { settingsWords } from '#renderer/i18n/settings/settings.ts';
import { healthy } from '../window/health.ts';
import { type Screen, type Stage, calm, go, read, restoreColumn, showColumn } from './stage.ts';

const start = 'signed-in';

async function fromAccount({ page }: Stage, entry: string): Promise<void> {
  await go(page, 'View', 'Inbox');
  const back = page.getByRole('button', { name: 'Back', exact: true });
  if (await back.isVisible()) await back.click();
  await page.getByRole('button', { name: 'Account of Mara Lindholt' }).click();
  if (entry !== '') await page.getByRole('button', { name: entry, exact: true }).click();
}

async function openSettings({ page }: Stage, name: string): Promise<void> {
  await calm(page);
  await page.keyboard.press('Control+,');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  await dialog.waitFor();
  const tab = dialog.getByRole('tab', { name, exact: true });
  await tab.click();
  await dialog.getByRole('heading', { level: 3, name, exact: true }).waitFor();
  // What a page asks the service for is there when nothing says any more that it is loading.
  await dialog.getByText('Loading…').first().waitFor({ state: 'detached' });
}

const pictures: Readonly<Record<string, Screen['picture']>> = {
  notifications: 'both',
  keys: 'both',
};

const HEALTH = '**/api/v1/office/health';

/** What it tells differs from computer to computer and from day to day. */
async function openServicePage(stage: Stage, name: string): Promise<void> {
  const { page, office } = stage;
  const startedAt = Math.floor(office.nowMs / 1000) - 3 * 24 * 60 * 60;
  await page.route(HEALTH, (route) =>
    route.fulfill({ json: { result: 'success', msg: '', ...healthy, started_at: startedAt } }),
  );
  await openSettings(stage, name);
}

/** For the computer that hosts: a browser does not have them. */
const hostsPages: readonly string[] = ['backups', 'office'];
const pagesOfBrowser = Object.entries(settingsWords.pages).filter(
  ([page]) => !hostsPages.includes(page),
);

const JOIN_REQUESTS = '**/api/v1/join_requests';

/** Its number would be another one each time. */
async function openJoinRequests(stage: Stage): Promise<void> {
  const { page, office } = stage;
  const asked = Math.floor(office.nowMs / 1000) - 300;
  const request = {
    ...{ id: 1, email: 'nia@example.com', full_name: 'Nia Newcomer', about: 'The new bookkeeper' },
    ...{ address: '192.168.1.33', asked, expires: asked + 604_800, number: '4821', times: 2 },
    ...{ account: null, looks_like: [] },
  };
  await page.route(JOIN_REQUESTS, (route) =>
    route.fulfill({ json: { result: 'success', msg: '', requests: [request] } }),
  );
  await openSettings(stage, settingsWords.pages.people);
  await page.getByRole('button', { name: 'Accept the request of Nia Newcomer' }).focus();
}

const settings: readonly Screen[] = pagesOfBrowser.map(([page, name]) => ({
  picture: pictures[page] ?? 'wide',
  name: `settings-${page}`,
  title: `Settings: ${name}`,
  start,
  ...(page === 'service'
    ? {
        open: (stage: Stage) => openServicePage(stage, name),
        leave: (stage: Stage) => stage.page.unroute(HEALTH),
      }
    : { open: (stage: Stage) => openSettings(stage, name) }),
}));

async function openStreamSettings({ page }: Stage): Promise<void> {
  await read(page, 'Stream', 'website', 'The draft is online');
  const column = await showColumn(page);
  await column.getByRole('button', { name: 'Stream settings' }).click();
  await page.getByRole('dialog').getByRole('heading', { level: 2 }).waitFor();
}

const streamSettings: readonly Screen[] = Object.entries(streamWords.tabs).map(([tab, name]) => ({
  name: `stream-settings-${tab}`,
  title: `Settings of a stream: ${name}`,
  start,
  open: async (stage) => {
    await openStreamSettings(stage);
    await stage.page.getByRole('tab', { name, exact: true }).click();
  },
  leave: restoreColumn,
}));

/** From the list of all people, which draws those in sight alone. */
async function openAccess(stage: Stage): Promise<Locator> {
  await openSettings(stage, 'People');
  const { page } = stage;
  await page.getByRole('dialog').getByLabel('Filter people').fill('Petra Nowell');
  await page.getByRole('button', { name: 'Sign-in of Petra Nowell' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign-in of Petra Nowell' });
  await dialog.getByRole('button', { name: 'Sign out everywhere…' }).waitFor();
  return dialog;
}

export const dialogs: readonly Screen[] = [
  {
    name: 'join-requests',
    title: 'Somebody asks to join, and an administrator decides',
    start,
    picture: 'both',
    open: openJoinRequests,
    leave: ({ page }) => page.unroute(JOIN_REQUESTS),
  },
  {
    name: 'switcher',
    title: 'The switcher: recent and unread first',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'Inbox');
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'switcher-query',
    title: 'The switcher finds streams, topics, people and commands',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'Inbox');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Stream, topic or person' }).fill('or');
      await page.getByRole('option').filter({ hasText: 'orders' }).first().waitFor();
    },
  },
  {
    name: 'shortcuts',
    title: 'The list of keys',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'Inbox');
      await page.keyboard.press('Control+/');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    },
  },
  {
    name: 'first-steps',
    title: 'First steps: what an administrator can do for a young organization',
    start,
    picture: 'both',
    open: async (stage) => {
      await fromAccount(stage, 'First steps');
      await stage.page.getByText(/^\d of \d done$/).waitFor();
    },
  },
  {
    name: 'first-streams',
    title: 'Streams that suit a workshop, an agency, a school or a project',
    start,
    picture: 'both',
    open: async (stage) => {
      await fromAccount(stage, 'First steps');
      await stage.page.getByRole('button', { name: 'Choose streams' }).click();
      await stage.page.getByRole('dialog', { name: 'Choose streams' }).waitFor();
    },
  },
  {
    name: 'introduction',
    title: 'What whoever has just joined sees first',
    start,
    picture: 'both',
    open: async ({ page }) => {
      await go(page, 'View', 'Inbox');
      await page.keyboard.press('Control+/');
      await page.getByRole('button', { name: 'About streams and topics' }).click();
      await page.getByRole('heading', { level: 1, name: /^Welcome to/ }).waitFor();
    },
  },
  {
    name: 'account',
    title: 'The account and this computer',
    start,
    open: (stage) => fromAccount(stage, ''),
  },
  {
    name: 'sign-out',
    title: 'Signing out after a question',
    start,
    open: (stage) => fromAccount(stage, 'Sign out'),
  },
  {
    name: 'new-private',
    title: 'A new private message',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'Inbox');
      await page.keyboard.press('Control+Shift+k');
      await page.getByRole('dialog', { name: 'New private message' }).waitFor();
    },
  },
  {
    name: 'new-stream',
    title: 'A new stream',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'All streams');
      await page.getByRole('main').getByRole('button', { name: 'New stream' }).click();
      await page.getByRole('dialog', { name: 'New stream' }).waitFor();
    },
  },
  {
    name: 'leave-stream',
    title: 'Leaving a stream after a question',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'All streams');
      await page.getByRole('button', { name: 'Leave kitchen' }).click();
      await page.getByRole('dialog').or(page.getByRole('alertdialog')).first().waitFor();
    },
  },
  {
    name: 'mark-all-read',
    title: 'Everything is marked as read after a question',
    start,
    picture: 'none',
    open: async ({ page }) => {
      await go(page, 'View', 'Inbox');
      await page.keyboard.press('Shift+Escape');
      await page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'jump-to-date',
    title: 'A day to jump to in a conversation',
    start,
    picture: 'none',
    open: async ({ page }) => {
      await read(page, 'Stream', 'website', 'The draft is online');
      await page.getByRole('button', { name: 'Jump to a date' }).click();
      await page.getByRole('dialog', { name: 'Jump to a date' }).waitFor();
    },
  },
  {
    name: 'add-person',
    title: 'A person is added',
    start,
    open: async ({ page }) => {
      await go(page, 'Command', 'Add person');
      await page.getByRole('dialog', { name: 'Add person' }).waitFor();
    },
  },
  {
    name: 'person-added',
    title: 'What somebody who was added needs to sign in',
    start,
    open: async ({ page }) => {
      // Nobody is added, so that the office stays as it is for the next screens.
      await page.route('**/api/v1/users', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ json: { result: 'success', msg: '', user_id: 99 } })
          : route.continue(),
      );
      await go(page, 'Command', 'Add person');
      const dialog = page.getByRole('dialog', { name: 'Add person' });
      await dialog.getByLabel('Name').fill('Nils Aspen');
      await dialog.getByLabel('E-mail address').fill('nils@example.com');
      await dialog.getByLabel('First password').fill('three green kettles');
      await dialog.getByRole('button', { name: 'Add person' }).click();
      await dialog.getByText('Nils Aspen can sign in now').waitFor();
    },
    leave: async ({ page }) => page.unroute('**/api/v1/users'),
  },
  ...settings,
  {
    name: 'person-access',
    title: 'Where somebody is signed in, as administrators see it',
    start,
    open: async (stage) => {
      await openAccess(stage);
    },
  },
  {
    name: 'password-link',
    title: 'A link to a new password, to be passed on',
    start,
    open: async (stage) => {
      const { page } = stage;
      // None is made, which would be another one in every picture.
      const link = `${stage.office.origin}/#password/6-${'aB3'.repeat(10)}Zz`;
      await page.route('**/api/v1/users/*/password_link', (route) =>
        route.fulfill({
          json: {
            result: 'success',
            msg: '',
            link,
            valid_until: stage.office.nowMs / 1000 + 86_400,
          },
        }),
      );
      const dialog = await openAccess(stage);
      await dialog.getByLabel('Your password').fill('correct horse');
      await dialog.getByRole('button', { name: 'Make a link' }).click();
      await dialog.getByRole('textbox', { name: 'Link to a new password' }).focus();
    },
    leave: async ({ page }) => page.unroute('**/api/v1/users/*/password_link'),
  },
  ...streamSettings,
];
