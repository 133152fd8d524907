import { reader } from '../life/office.ts';
import {
  type Screen,
  box,
  go,
  message,
  messages,
  onMessage,
  read,
  restoreColumn,
  SHELF,
  showColumn,
} from './stage.ts';

const start = 'signed-in';

/** Before anybody is signed in. */
export const beginnings: readonly Screen[] = [
  {
    name: 'first-run',
    title: 'A new service: its organization is created',
    start: 'new-service',
    open: ({ page }) => page.getByLabel('Organization name').waitFor(),
  },
  {
    name: 'first-run-mistakes',
    title: 'A new service: what is missing is said beside the fields',
    start: 'new-service',
    open: async ({ page }) => {
      await page.getByLabel('Organization name').fill('Larch & Loom');
      await page.getByLabel('E-mail address').fill('mara');
      await page.getByLabel('Password', { exact: true }).fill('short');
      await page.getByRole('button', { name: 'Create organization' }).click();
      await page.getByText('This does not look like an e-mail address.').waitFor();
    },
  },
  {
    name: 'sign-in',
    title: 'Sign-in',
    start: 'signed-out',
    open: ({ page }) => page.getByRole('button', { name: 'Sign in', exact: true }).waitFor(),
  },
  {
    name: 'sign-in-mistake',
    title: 'Sign-in with a wrong password',
    start: 'signed-out',
    open: async ({ page }) => {
      await page.getByLabel('E-mail address').fill(reader.email);
      await page.getByLabel('Password', { exact: true }).fill('not the one');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByText('The e-mail address or the password is wrong.').waitFor();
    },
  },
  {
    name: 'ask-to-join',
    title: 'Asking to join without an account',
    start: 'signed-out',
    picture: 'both',
    open: async ({ page }) => {
      await page.getByRole('button', { name: 'Ask to join' }).click();
      await page.getByLabel('Who are you? (optional)').waitFor();
    },
    leave: ({ page }) => page.getByRole('button', { name: 'Back', exact: true }).click(),
  },
  {
    name: 'asked-to-join',
    title: 'Waiting for an answer, with a number that is another one each time',
    start: 'signed-out',
    picture: 'none',
    open: async ({ page }) => {
      await page.getByRole('button', { name: 'Ask to join' }).click();
      await page.getByLabel('Your name').fill('Nia Newcomer');
      await page.getByLabel('E-mail address').fill('nia@example.com');
      await page.getByRole('button', { name: 'Send request' }).click();
      await page.getByText('Your number').waitFor();
    },
    // Nobody is to be told of it in what follows.
    leave: ({ page }) => page.getByRole('button', { name: 'Withdraw the request' }).click(),
  },
  {
    name: 'new-password',
    title: 'A new password, chosen by a link',
    start: 'signed-out',
    picture: 'both',
    open: async ({ page, office }) => {
      await page.goto(`${office.origin}/#password/3-${'aB3'.repeat(10)}Zz`);
      await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
    },
  },
];

/** Everything that the left column leads to. */
export const places: readonly Screen[] = [
  {
    name: 'inbox',
    title: 'Inbox: what is unread, what is private first',
    start,
    picture: 'both',
    open: ({ page }) => go(page, 'View', 'Inbox'),
  },
  {
    name: 'recent',
    title: 'Recent conversations',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'Recent conversations');
      await page.getByRole('list', { name: 'Recent conversations' }).waitFor();
    },
  },
  {
    name: 'feed',
    title: 'Combined feed',
    start,
    open: ({ page }) => read(page, 'View', 'Combined feed', 'in walnut as well'),
  },
  {
    name: 'mentions',
    title: 'Mentions',
    start,
    open: ({ page }) => read(page, 'View', 'Mentions', 'in walnut as well'),
  },
  {
    name: 'starred',
    title: 'Starred messages',
    start,
    open: ({ page }) => read(page, 'View', 'Starred messages', 'the best one of the shelf'),
  },
  {
    name: 'streams',
    title: 'All streams',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'All streams');
      await page.getByRole('button', { name: 'Join photography' }).waitFor();
      await page
        .getByRole('list', { name: 'All streams' })
        .getByText(/\d members/)
        .first()
        .waitFor();
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLElement>('main li')]
          .filter((row) => row.getBoundingClientRect().bottom < innerHeight - 150)
          .every((row) => row.innerText.includes('member')),
      );
    },
  },
  {
    name: 'archived-streams',
    title: 'Archived streams, of which there are none',
    start,
    picture: 'none',
    open: async ({ page }) => {
      await go(page, 'View', 'All streams');
      await page.getByRole('button', { name: 'Archived', exact: true }).click();
      await page.getByRole('heading', { name: 'No stream is archived' }).waitFor();
    },
    leave: ({ page }) => page.getByRole('button', { name: 'All', exact: true }).click(),
  },
  {
    name: 'stream',
    title: 'A stream, from its first unread message',
    start,
    open: ({ page }) => read(page, 'Stream', 'website', 'The draft is online'),
  },
  {
    name: 'topic',
    title: 'A topic, opened at its first unread message',
    start,
    picture: 'both',
    open: async ({ page }) => {
      await read(page, 'Topic', SHELF, 'Then let us show both');
    },
  },
  {
    name: 'topic-picture',
    title: 'A picture, reactions and a file in a topic',
    start,
    picture: 'both',
    open: async (stage) => {
      const { page } = stage;
      await read(page, 'Topic', SHELF, 'Then let us show both');
      const row = message(stage, 'photo');
      // The list holds its place until somebody scrolls.
      await messages(page).last().hover();
      await page.mouse.wheel(0, -600);
      await row.locator('img').last().waitFor();
      await row.evaluate((element) => element.scrollIntoView({ block: 'start' }));
      await page.mouse.move(0, 0);
      await page.getByRole('button', { name: 'Jump to newest' }).waitFor();
    },
  },
  {
    name: 'topic-code',
    title: 'Code in a topic',
    start,
    open: async ({ page }) => {
      await go(page, 'Stream', 'website');
      await read(page, 'Topic', 'Delivery times', 'def ready_on');
    },
  },
  {
    name: 'topic-table',
    title: 'A table in a topic',
    start,
    open: async ({ page }) => {
      await go(page, 'Stream', 'workshop');
      await read(page, 'Topic', 'Oil tests', 'very good');
    },
  },
  {
    name: 'private',
    title: 'A private conversation',
    start,
    open: ({ page }) => read(page, 'Person', 'Petra Nowell', 'the price list before it goes out'),
  },
  {
    name: 'group',
    title: 'A private conversation of four',
    start,
    open: ({ page }) => read(page, 'Private messages', 'Tobias Okwara', 'Leonie bakes'),
  },
  {
    name: 'hover',
    title: 'A message with the focus and its actions',
    start,
    open: async (stage) => {
      await onMessage(stage, 'steps');
    },
  },
  {
    name: 'search-empty',
    title: 'Search: operators to begin with',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'Inbox');
      await page.keyboard.press('Control+Shift+f');
      await page.getByRole('listbox', { name: 'Filters and words' }).waitFor();
    },
  },
  {
    name: 'search',
    title: 'Search results, with the operators as chips',
    start,
    picture: 'both',
    open: async ({ page }) => {
      await go(page, 'View', 'Inbox');
      await page.keyboard.press('Control+Shift+f');
      const field = page.getByRole('combobox', { name: 'Search messages' });
      await field.pressSequentially('stream:design');
      await field.press('Tab');
      await field.pressSequentially('shelf');
      await field.press('Enter');
      await page
        .getByText(/^\d+ results?/)
        .first()
        .waitFor();
      await messages(page).first().waitFor();
    },
  },
  {
    name: 'search-days',
    title: 'Search: a day as a chip, and another one being typed',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'Inbox');
      await page.keyboard.press('Control+Shift+f');
      const field = page.getByRole('combobox', { name: 'Search messages' });
      await field.pressSequentially('shelf after:2026-01-01 -date:');
      await page.getByRole('option', { name: /^-date:today/ }).waitFor();
    },
  },
  {
    name: 'search-relevant',
    title: 'Search results, the most relevant first',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'Inbox');
      await page.keyboard.press('Control+Shift+f');
      const field = page.getByRole('combobox', { name: 'Search messages' });
      await field.fill('shelf');
      await field.press('Enter');
      await messages(page).first().waitFor();
      await page.getByRole('button', { name: 'Most relevant' }).click();
      await page.getByRole('button', { name: 'Most relevant', pressed: true }).waitFor();
      await messages(page).first().waitFor();
    },
  },
  {
    name: 'search-nothing',
    title: 'A search that finds nothing',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'Inbox');
      await page.keyboard.press('Control+Shift+f');
      const field = page.getByRole('combobox', { name: 'Search messages' });
      await field.fill('submarine');
      await field.press('Enter');
      await page.getByText('Nothing was found').waitFor();
    },
  },
  {
    name: 'topic-empty',
    title: 'A private conversation in which nothing was said yet',
    start,
    open: async ({ page }) => {
      await go(page, 'Person', 'Oskar Vantz');
      await page.getByText('No messages with Oskar Vantz yet').waitFor();
    },
  },
  {
    name: 'stream-not-joined',
    title: 'A stream that one has not joined',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'All streams');
      await page
        .getByRole('button', { name: 'Open photography' })
        .or(page.getByTitle('Open photography'))
        .first()
        .click();
      await page.locator('main h1').filter({ hasText: 'photography' }).waitFor();
    },
  },
  {
    name: 'column',
    title: 'People and details beside a stream',
    start,
    picture: 'both',
    open: async ({ page }) => {
      await read(page, 'Stream', 'workshop', 'the saw is off');
      await (await showColumn(page)).getByText('Oskar Vantz').waitFor();
    },
    leave: restoreColumn,
  },
  {
    name: 'column-person',
    title: 'The profile of a person in the right column',
    start,
    open: async ({ page }) => {
      await read(page, 'Stream', 'workshop', 'the saw is off');
      const column = await showColumn(page);
      await column
        .getByRole('button', { name: /Oskar Vantz/ })
        .first()
        .click();
      const card = page.getByRole('dialog', { name: 'About Oskar Vantz' });
      await card.getByRole('button', { name: 'Profile' }).click();
      await column.getByRole('button', { name: 'Back to the list' }).waitFor();
    },
    leave: async (stage) => {
      await stage.page.getByRole('button', { name: 'Back to the list' }).click();
      await restoreColumn(stage);
    },
  },
  {
    name: 'list',
    title: 'A narrow window: the left column alone',
    start,
    picture: 'narrow',
    open: async ({ page }) => {
      await go(page, 'View', 'Inbox');
      const back = page.getByRole('button', { name: 'Back', exact: true });
      if (await back.isVisible()) await back.click();
      await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    },
  },
  {
    name: 'drafts-empty',
    title: 'Drafts when there are none',
    start,
    open: async ({ page }) => {
      await go(page, 'View', 'Drafts');
      await page.getByText('Nothing is waiting to be sent').waitFor();
    },
  },
  {
    name: 'drafts',
    title: 'Drafts',
    start,
    open: async ({ page }) => {
      await read(page, 'Person', 'Petra Nowell', 'the price list');
      await box(page).fill(
        'I read it on the train. Page two is right, only the *walnut* line is missing.',
      );
      await read(page, 'Topic', 'New floor plan', 'This is how it could look');
      await box(page).fill('Could the lathe stand by the window instead?');
      await go(page, 'View', 'Drafts');
      await page.getByText('Could the lathe stand').waitFor();
    },
  },
];
