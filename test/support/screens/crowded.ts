/** What only an office with many people, streams and messages has to show: where it was filled, whatever its size. */
import { DESK, LONG_STREAM, LONG_TOPIC, OPEN_STREAM, UNBROKEN_STREAM } from '../life/crowd.ts';
import { type Screen, box, go, messages, read, restoreColumn, showColumn } from './stage.ts';
import type { Stage } from './stage.ts';

const start = 'signed-in';
const UNREAD = 'Who has an hour today?';

async function fromList({ page }: Stage, name: string): Promise<void> {
  await go(page, 'View', 'All streams');
  await page.getByTitle(`Open ${name}`, { exact: true }).click();
  await page.locator('main h1').filter({ hasText: name }).waitFor();
}

async function addressees({ page }: Stage, choices: readonly string[]): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'New private message' });
  const field = dialog.getByRole('textbox');
  for (const letters of choices) {
    await field.fill(letters);
    await dialog.getByRole('checkbox').first().waitFor();
    await field.press('Enter');
  }
  await field.fill('');
}

export const crowded: readonly Screen[] = [
  {
    name: 'crowd-topic',
    title: 'A topic of thousands of messages at its first unread one',
    start,
    picture: 'both',
    open: ({ page }) => read(page, 'Topic', LONG_TOPIC, UNREAD),
  },
  {
    name: 'crowd-topic-beginning',
    title: 'A topic of thousands of messages at its beginning',
    start,
    open: async ({ page }) => {
      await read(page, 'Topic', LONG_TOPIC, UNREAD);
      await messages(page).last().focus();
      await page.keyboard.press('Home');
      await page.locator('main time').first().waitFor();
    },
  },
  {
    name: 'crowd-stream',
    title: 'A stream of a long name',
    start,
    picture: 'both',
    open: ({ page }) => read(page, 'Stream', LONG_STREAM, UNREAD),
  },
  {
    name: 'crowd-stream-unbroken',
    title: 'A stream whose name is one long word',
    start,
    picture: 'both',
    open: (stage) => fromList(stage, UNBROKEN_STREAM),
  },
  {
    name: 'crowd-stream-not-joined',
    title: 'The last of two hundred streams, which one has not joined',
    start,
    open: (stage) => fromList(stage, OPEN_STREAM),
  },
  {
    name: 'crowd-column',
    title: 'Everybody beside a stream',
    start,
    picture: 'both',
    open: async ({ page }) => {
      await read(page, 'Stream', 'general', 'Timber is here');
      await (await showColumn(page)).getByText('Petra Nowell').waitFor();
    },
    leave: restoreColumn,
  },
  {
    name: 'crowd-members',
    title: 'Settings of a stream: everybody is a member',
    start,
    picture: 'both',
    open: async ({ page }) => {
      await read(page, 'Topic', LONG_TOPIC, UNREAD);
      const column = await showColumn(page);
      await column.getByRole('button', { name: 'Stream settings' }).click();
      await page.getByRole('dialog').getByRole('heading', { level: 2 }).waitFor();
      await page.getByRole('tab', { name: 'Members', exact: true }).click();
      await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    },
    leave: restoreColumn,
  },
  {
    name: 'crowd-addressees',
    title: 'A private message to many',
    start,
    picture: 'both',
    open: async (stage) => {
      const { page, office } = stage;
      await go(page, 'View', 'Inbox');
      await page.keyboard.press('Control+Shift+k');
      await page.getByRole('dialog', { name: 'New private message' }).waitFor();
      await addressees(
        stage,
        office.people === 3 ? ['oskar'] : ['oskar', 'maxim', 'wolfe', 'anna 1'],
      );
    },
  },
  {
    name: 'crowd-completion',
    title: 'Writing: many people are suggested after @',
    start,
    picture: 'both',
    open: async ({ page }) => {
      await read(page, 'Stream', DESK, UNREAD);
      await box(page).pressSequentially('Ask @a');
      await page.getByRole('option').first().waitFor();
    },
    leave: ({ page }) => box(page).fill(''),
  },
  {
    name: 'crowd-folded',
    title: 'A block of three hundred lines, folded',
    start,
    picture: 'both',
    open: async (stage) => {
      const { page } = stage;
      await read(page, 'Stream', DESK, UNREAD);
      const lines = Array.from({ length: 300 }, (_, line) => `cut ${String(line + 1)}: 420 × 95`);
      await page.getByRole('combobox', { name: 'Topic' }).fill('cutting list');
      await box(page).fill(['```', ...lines, '```'].join('\n'));
      await box(page).press('Control+Enter');
      await messages(page).getByRole('button', { name: 'Show all' }).first().waitFor();
    },
  },
];
