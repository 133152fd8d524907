import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  administrator,
  openAgain,
  openApp,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { addColleague, type Colleague } from '#test/support/desktop/desktop-colleague.ts';
import {
  act,
  closeDialog,
  composeBox,
  heading,
  main,
  message,
  open,
  openTopic,
  press,
  row,
  send,
  toolOf,
} from '#test/support/desktop/desktop-places.ts';
import { call } from '#test/support/service/service.ts';

interface SeenMessage {
  readonly id: number;
  readonly content: string;
  readonly reactions: readonly { readonly emoji_name: string }[];
}

let profile: Profile;
let app: DesktopApp;
let ben: Colleague;

beforeAll(async () => {
  profile = await createFoundedProfile();
  app = await openApp(profile);
  await waitForOffice(app.page);
  ben = await addColleague(profile, 'Ben Member');
  const written = ['first of Ben', 'second of Ben', 'third of Ben', 'to be quoted'];
  for (const content of written) await say(content);
  await openTopic(app.page, 'general', 'lunch');
  await message(app.page, 'to be quoted').waitFor();
});
afterAll(async () => {
  await app.quit();
  await profile.remove();
});

async function say(content: string): Promise<void> {
  const params = { type: 'stream', to: 'general', topic: 'lunch', content };
  const { status, body } = await call(profile.origin, ben, 'POST', '/messages', params);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

/** The topic as the colleague sees it, oldest first. */
async function seenByBen(): Promise<readonly SeenMessage[]> {
  const { body } = await call(profile.origin, ben, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    apply_markdown: false,
    narrow: [
      ['stream', 'general'],
      ['topic', 'lunch'],
    ],
  });
  return body['messages'] as readonly SeenMessage[];
}

const contents = async (): Promise<readonly string[]> =>
  (await seenByBen()).map(({ content }) => content);

const reactionsTo = async (text: string): Promise<readonly string[]> =>
  (await seenByBen())
    .filter(({ content }) => content.includes(text))
    .flatMap(({ reactions }) => reactions.map(({ emoji_name: name }) => name));

const clipboard = (): Promise<string> =>
  app.electron.evaluate(({ clipboard: system }) => system.readText());

test('a reaction chosen from the picker reaches the colleague, and theirs joins it', async () => {
  const { page } = app;
  await press(page, 'second of Ben', 'React');
  const picker = page.getByRole('dialog', { name: 'Add reaction' });
  await picker.getByRole('searchbox', { name: 'Find an emoji' }).fill('tada');
  await picker.getByRole('gridcell', { name: 'tada', exact: true }).click();
  await picker.waitFor({ state: 'detached' });
  await message(page, 'second of Ben')
    .getByRole('button', { name: /^tada, 1: You$/ })
    .waitFor();
  await expect.poll(() => reactionsTo('second')).toEqual(['tada']);

  const { id } = (await seenByBen()).find(({ content }) => content.includes('second'))!;
  await call(profile.origin, ben, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
  const pill = message(page, 'second of Ben').getByRole('button', { name: /^tada, 2: You, Ben/ });
  await pill.click();
  await message(page, 'second of Ben')
    .getByRole('button', { name: /^tada, 1: Ben/ })
    .waitFor();
  await expect.poll(() => reactionsTo('second')).toEqual(['tada']);
});

test('an own message is edited, and its history shows what was changed', async () => {
  const { page } = app;
  await send(page, 'soup with pepper');
  await message(page, 'soup with pepper').waitFor();
  await expect.poll(contents).toContain('soup with pepper');
  // Until the window hears of it from the service, the message is in the outbox only, and cannot be edited.
  await page.locator('[data-message-id]').filter({ hasText: 'soup with pepper' }).waitFor();
  await composeBox(page).press('ArrowUp');
  const editor = page.getByRole('textbox', { name: 'Text of the message' });
  await editor.fill('soup with salt');
  await editor.press('Enter');
  await message(page, 'soup with salt').waitFor();
  await expect.poll(contents).toContain('soup with salt');
  await message(page, 'soup with salt').getByRole('button', { name: 'edited' }).click();
  const history = page.getByRole('dialog', { name: 'What was changed' });
  const newest = history.getByRole('list').first().getByRole('listitem').first();
  await newest.getByText('pepper', { exact: true }).waitFor();
  await newest.getByText('salt', { exact: true }).waitFor();
  await history.getByText(new RegExp(`Changed · ${administrator.fullName}`)).waitFor();
  await closeDialog(history);
});

test('a colleague sees the message change, and changes of theirs appear here', async () => {
  const { id } = (await seenByBen()).find(({ content }) => content.includes('third'))!;
  const edit = { content: 'third of Ben, mended' };
  await call(profile.origin, ben, 'PATCH', `/messages/${id}`, edit);
  await message(app.page, 'third of Ben, mended').waitFor();
});

test('a quote goes into the box with its author and its text, and out as written', async () => {
  const { page } = app;
  await press(page, 'to be quoted', 'Quote and reply');
  await expect.poll(() => composeBox(page).inputValue()).toContain('to be quoted');
  expect(await composeBox(page).inputValue()).toContain(ben.fullName);
  await composeBox(page).press('End');
  await composeBox(page).press('Control+End');
  await composeBox(page).pressSequentially('indeed');
  await composeBox(page).press('Enter');
  await expect.poll(async () => (await contents()).at(-1)).toMatch(/to be quoted[^]*indeed$/);
  await message(page, 'indeed').getByRole('blockquote').getByText('to be quoted').waitFor();
});

test('a starred message is in the view of starred ones until its star is taken off', async () => {
  const { page } = app;
  await press(page, 'second of Ben', 'Star');
  await message(page, 'second of Ben').getByText('starred').waitFor();
  await open(page, 'Starred messages');
  await message(page, 'second of Ben').waitFor();
  await press(page, 'second of Ben', 'Remove star');
  await message(page, 'second of Ben').waitFor({ state: 'detached' });
  await openTopic(page, 'general', 'lunch');
});

test('the link of a message is copied and leads back to it', async () => {
  const { page } = app;
  await act(page, 'first of Ben', 'Copy link');
  await expect.poll(clipboard).toMatch(/#narrow\/stream\/.*\/near\/\d+$/);
  const link = await clipboard();
  expect(link).toContain(profile.origin);
  await open(page, 'Drafts');
  const { host } = new URL(link);
  await openAgain(profile, ['--', `hearth://${host}/${new URL(link).hash}`]);
  await heading(page, 'lunch').waitFor();
  await message(page, 'first of Ben').waitFor();
});

test('messages are marked unread from one on, and are read again once they are seen', async () => {
  const { page } = app;
  await openTopic(page, 'general', 'lunch');
  const last = (await seenByBen()).at(-1)!;
  expect(last.content).toContain('indeed');
  await act(page, 'third of Ben, mended', 'Mark unread from here');
  await row(page, 'lunch').filter({ hasText: 'unread' }).waitFor();
  await open(page, 'Inbox');
  const inInbox = main(page).getByRole('button', { name: /^lunch\s*, \d unread message/ });
  await inInbox.waitFor();
  await main(page).getByRole('button', { name: 'Mark lunch as read' }).click();
  await inInbox.waitFor({ state: 'detached' });
  await row(page, 'lunch').filter({ hasText: 'unread' }).waitFor({ state: 'detached' });
});

test('an own message is deleted after a question, for everybody', async () => {
  const { page } = app;
  await openTopic(page, 'general', 'lunch');
  await send(page, 'never mind this');
  await expect.poll(contents).toContain('never mind this');
  await act(page, 'never mind this', 'Delete…');
  const question = page.getByRole('alertdialog', { name: 'Delete this message?' });
  await question.getByRole('button', { name: 'Delete', exact: true }).click();
  await message(page, 'never mind this').waitFor({ state: 'detached' });
  await expect.poll(contents).not.toContain('never mind this');
});

test('the source of a message is shown and its text copied', async () => {
  const { page } = app;
  await say('**bold** and `code`');
  await act(page, 'bold and code', 'View source');
  const source = page.getByRole('dialog', { name: 'Source of the message' });
  await source.getByText('**bold** and `code`').waitFor();
  await closeDialog(source);
  await act(page, 'bold and code', 'Copy text');
  await expect.poll(clipboard).toContain('bold');
});

test('the card of a sender leads to the private conversation and mentions them', async () => {
  const { page } = app;
  await message(page, 'first of Ben').getByRole('button', { name: ben.fullName }).click();
  const card = page.getByRole('dialog', { name: `About ${ben.fullName}` });
  await card.getByText(ben.email).waitFor();
  await card.getByRole('button', { name: 'Mention', exact: true }).click();
  await expect.poll(() => composeBox(page).inputValue()).toContain(`@**${ben.fullName}`);
  await composeBox(page).fill('');
  await message(page, 'first of Ben').getByRole('button', { name: ben.fullName }).click();
  await card.getByRole('button', { name: 'Message', exact: true }).click();
  await heading(page, ben.fullName).waitFor();
  await send(page, 'just between us');
  await ben.hears('just between us');
});

test('somebody who leaves a conversation by keys comes back to it by keys', async () => {
  const { page } = app;
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+ArrowLeft');
  await heading(page, 'lunch').waitFor();
  await page.keyboard.press('Alt+ArrowRight');
  await heading(page, ben.fullName).waitFor();
  expect(await toolOf(page, 'just between us', 'Retry').count()).toBe(0);
});
