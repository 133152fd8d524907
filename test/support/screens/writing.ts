import { join } from 'node:path';
import type { Locator, Page, Route } from 'playwright';
import { openRestored } from '#service/db/sqlite/restored.ts';
import type { Office } from '../life/office.ts';
import { closeRestored } from '../service/restored.ts';
import { type Screen, type Stage, box, message, onMessage, read, SHELF } from './stage.ts';

const start = 'signed-in';

async function inTopic({ page }: Stage): Promise<void> {
  await read(page, 'Topic', SHELF, 'Then let us show both');
  await box(page).click();
}

/** On the message that its writer may still change. */
async function onOwn(stage: Stage): Promise<void> {
  await read(stage.page, 'Topic', 'Band saw', 'the saw is off');
  await message(stage, 'own').focus();
}

const empty = async ({ page }: Stage): Promise<void> => {
  const preview = page.getByRole('button', { name: /^Preview/, pressed: true });
  if (await preview.isVisible()) await preview.click();
  await box(page).fill('');
};

/** Says from when everything is that is shown. */
const asOf = (page: Page): Locator =>
  page
    .getByText(/^As of/)
    .filter({ visible: true })
    .first();

const databaseOf = ({ service }: Office): string => join(service.dataDir, 'hearth.db');

/** How far a file came when the picture is taken: its request is held, and what was sent is not its answer. */
const hold = (route: Route): Promise<void> => new Promise(() => void route.request());

async function attach({ page }: Stage): Promise<void> {
  await page.route('**/api/v1/user_uploads', hold);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (
    await chooser
  ).setFiles([
    { name: 'walnut-sample.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(90_000) },
    {
      name: 'drawing-hallway-shelf-120x95.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.alloc(400_000),
    },
  ]);
  await page.getByRole('button', { name: 'Cancel the upload of walnut-sample.jpg' }).waitFor();
}

export const writing: readonly Screen[] = [
  {
    name: 'compose-completion',
    title: 'Writing: people are suggested after @',
    start,
    picture: 'both',
    open: async (stage) => {
      await inTopic(stage);
      await box(stage.page).pressSequentially('What do you think, @');
      await stage.page.getByRole('option').nth(1).waitFor();
    },
    leave: empty,
  },
  {
    name: 'compose-emoji-completion',
    title: 'Writing: emoji are suggested after a colon',
    start,
    open: async (stage) => {
      await inTopic(stage);
      await box(stage.page).pressSequentially('Done :ta');
      await stage.page.getByRole('option').first().waitFor();
    },
    leave: empty,
  },
  {
    name: 'compose-preview',
    title: 'Writing: preview',
    start,
    open: async (stage) => {
      await inTopic(stage);
      await box(stage.page).fill(
        'Both then. **Oak 340**, walnut 420:\n\n1. photo by Friday\n2. `two` lines of text\n\n> quiet, warm, easy to mend',
      );
      await stage.page.keyboard.press('Alt+p');
      await stage.page.getByRole('button', { name: /^Preview/, pressed: true }).waitFor();
      await stage.page.getByText('quiet, warm, easy to mend').last().waitFor();
    },
    leave: empty,
  },
  {
    name: 'compose-files',
    title: 'Writing: files on their way',
    start,
    open: async (stage) => {
      await inTopic(stage);
      await box(stage.page).fill('The sample and the drawing:');
      await attach(stage);
    },
    leave: async (stage) => {
      for (const name of ['walnut-sample.jpg', 'drawing-hallway-shelf-120x95.pdf']) {
        await stage.page.getByRole('button', { name: `Cancel the upload of ${name}` }).click();
      }
      await stage.page.unroute('**/api/v1/user_uploads');
      await empty(stage);
    },
  },
  {
    name: 'compose-emoji',
    title: 'Writing: the choice of emoji',
    start,
    open: async (stage) => {
      await inTopic(stage);
      await stage.page.getByRole('button', { name: 'Emoji', exact: true }).click();
      await stage.page.getByRole('grid').waitFor();
    },
  },
  {
    name: 'compose-warning',
    title: 'Writing: no topic yet',
    start,
    open: async (stage) => {
      await read(stage.page, 'Stream', 'general', 'Timber is here');
      await box(stage.page).fill('Who takes the keys on Friday?');
      await box(stage.page).press('Enter');
      await stage.page.getByText('Every message in a stream has a topic.').first().waitFor();
    },
    leave: empty,
  },
  {
    name: 'reaction-picker',
    title: 'The choice of emoji for a reaction',
    start,
    open: async (stage) => {
      await onMessage(stage, 'steps');
      await stage.page.keyboard.press(':');
      await stage.page.getByRole('grid').waitFor();
      await stage.page.getByRole('searchbox', { name: 'Find an emoji' }).fill('clap');
    },
  },
  {
    name: 'message-menu',
    title: 'What can be done with a message',
    start,
    open: async (stage) => {
      await onMessage(stage, 'last');
      await stage.page.keyboard.press('i');
      await stage.page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'message-edit',
    title: 'A message is edited in its place',
    start,
    open: async (stage) => {
      await onOwn(stage);
      await stage.page.keyboard.press('e');
      await stage.page.getByRole('textbox', { name: 'Text of the message' }).waitFor();
    },
  },
  {
    name: 'message-history',
    title: 'What was changed in a message',
    start,
    open: async (stage) => {
      await onMessage(stage, 'price');
      await stage.page.keyboard.press('Shift+H');
      await stage.page
        .getByRole('dialog', { name: 'What was changed' })
        .getByText('delivery included')
        .waitFor();
    },
  },
  {
    name: 'message-move',
    title: 'Messages are moved to another topic',
    start,
    open: async (stage) => {
      await onMessage(stage, 'steps');
      await stage.page.keyboard.press('i');
      await stage.page.getByRole('menuitem', { name: 'Move…' }).click();
      await stage.page.getByRole('dialog', { name: 'Move messages' }).waitFor();
    },
  },
  {
    name: 'message-source',
    title: 'The source of a message',
    start,
    open: async (stage) => {
      await onMessage(stage, 'steps');
      await stage.page.keyboard.press('i');
      await stage.page.getByRole('menuitem', { name: 'View source' }).click();
      await stage.page
        .getByRole('dialog', { name: 'Source of the message' })
        .getByText('[x] boards')
        .waitFor();
    },
  },
  {
    name: 'message-delete',
    title: 'A message is deleted after a question',
    start,
    open: async (stage) => {
      await onOwn(stage);
      await stage.page.keyboard.press('i');
      await stage.page.getByRole('menuitem', { name: 'Delete…' }).click();
      await stage.page.getByRole('alertdialog').waitFor();
    },
  },
  {
    name: 'image',
    title: 'The image viewer',
    start,
    open: async (stage) => {
      await onMessage(stage, 'photo');
      // By the key: a click misses what moves while pictures come in.
      await message(stage, 'photo')
        .getByRole('button', { name: 'Open image' })
        .last()
        .press('Enter');
      await stage.page.getByRole('dialog').getByRole('img').first().waitFor();
    },
  },
  {
    name: 'card',
    title: 'The card of a person',
    start,
    open: async (stage) => {
      await onMessage(stage, 'photo');
      await stage.page.keyboard.press('u');
      await stage.page.getByRole('dialog', { name: 'About Inés Caldera' }).waitFor();
    },
  },
];

/** Last, because the connection has to come back, and a message stays that could not be sent. */
export const troubles: readonly Screen[] = [
  {
    name: 'failed',
    title: 'A message that could not be sent',
    start,
    open: async (stage) => {
      const refuse = {
        status: 400,
        json: {
          result: 'error',
          code: 'BAD_REQUEST',
          msg: 'The stream takes no messages while it is moved. Try again in a minute.',
        },
      };
      await stage.page.route('**/api/v1/messages', (route) =>
        route.request().method() === 'POST' ? route.fulfill(refuse) : route.fallback(),
      );
      await inTopic(stage);
      await box(stage.page).fill('Both then: oak and walnut.');
      await box(stage.page).press('Enter');
      await stage.page.getByRole('button', { name: 'Retry' }).waitFor();
    },
    leave: async ({ page }) => {
      await page.getByRole('button', { name: 'Discard' }).first().click();
      await page.unroute('**/api/v1/messages');
    },
  },
  {
    name: 'offline',
    title: 'Without a connection: as of when, and what waits',
    start,
    open: async (stage) => {
      const { page } = stage;
      await read(page, 'Topic', SHELF, 'Then let us show both');
      await page.context().setOffline(true);
      await asOf(page).waitFor();
      await box(page).fill('I am on the train, see you at one.');
      await box(page).press('Enter');
      await page.getByText('Waiting for the connection').waitFor();
    },
    leave: async ({ page }) => {
      await page.getByRole('button', { name: 'Discard' }).first().click();
      await page.context().setOffline(false);
    },
  },
  {
    name: 'asleep',
    title: 'While the computer that hosts sleeps: since when, and what waits',
    start,
    picture: 'both',
    open: async (stage) => {
      const { page, office } = stage;
      await read(page, 'Topic', SHELF, 'Then let us show both');
      const json = {
        result: 'error',
        code: 'ORGANIZATION_ASLEEP',
        msg: 'The computer that hosts this organization is asleep',
        asleep_since: Math.floor(office.nowMs / 1000) - 1200,
      };
      await page.route('**/api/v1/**', (route) => route.fulfill({ status: 503, json }));
      // As the sleep of that computer does, this ends every connection.
      await page.context().setOffline(true);
      await page.getByRole('main').getByText('Asleep since').waitFor();
      await box(page).fill('Will read this in the morning.');
      await box(page).press('Enter');
      await page.getByText('Waiting for the connection').waitFor();
    },
    leave: async ({ page }) => {
      await page.getByRole('button', { name: 'Discard' }).first().click();
      await page.unroute('**/api/v1/**');
      await page.context().setOffline(false);
      // What follows begins with a live connection.
      await page.getByText('Asleep since').first().waitFor({ state: 'hidden' });
    },
  },
  {
    name: 'closed',
    title: 'Restored from a backup and not opened yet, on another computer: why, and what waits',
    start,
    picture: 'both',
    open: async (stage) => {
      const { page, office } = stage;
      await read(page, 'Topic', SHELF, 'Then let us show both');
      // As the restart after a restore does, this ends every connection.
      await page.context().setOffline(true);
      await asOf(page).waitFor();
      // Only an administrator of the service's own computer is let in.
      await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': '192.0.2.1' });
      closeRestored(databaseOf(office), office.nowMs / 1000 - 7200);
      await page.context().setOffline(false);
      await box(page).fill('Back from lunch at one.');
      await box(page).press('Enter');
      await page.getByText(/where it lives\.\s+Trying again/).waitFor();
      await page.getByText('Waiting for the connection').waitFor();
    },
    leave: async ({ page, office }) => {
      await page.getByRole('button', { name: 'Discard' }).first().click();
      await page.context().setExtraHTTPHeaders({});
      openRestored(databaseOf(office), null, office.nowMs / 1000);
    },
  },
];
