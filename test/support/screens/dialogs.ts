import { streamWords } from '../../../src-renderer/text/words-stream-settings.ts';
import { settingsWords } from '../../../src-renderer/text/words-settings.ts';
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

const settings: readonly Screen[] = Object.entries(settingsWords.pages).map(([page, name]) => ({
  picture: pictures[page] ?? 'wide',
  name: `settings-${page}`,
  title: `Settings: ${name}`,
  start,
  open: (stage) => openSettings(stage, name),
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

export const dialogs: readonly Screen[] = [
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
    name: 'add-person',
    title: 'A person is added',
    start,
    open: async ({ page }) => {
      await go(page, 'Command', 'Add person');
      await page.getByRole('dialog', { name: 'Add person' }).waitFor();
    },
  },
  ...settings,
  ...streamSettings,
];
