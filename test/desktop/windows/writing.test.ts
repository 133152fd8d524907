import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeSearch } from '#test/support/window/close-search.ts';
import {
  administrator,
  openApp,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { addColleague, type Colleague } from '#test/support/desktop/desktop-colleague.ts';
import {
  closeDialog,
  composeBox,
  filePathIn,
  heading,
  main,
  message,
  open,
  openTopic,
  row,
  send,
} from '#test/support/desktop/desktop-places.ts';
import { png } from '#test/support/images.ts';
import { basicAuth, call } from '#test/support/service/service.ts';

let profile: Profile;
let app: DesktopApp;
let ben: Colleague;

beforeAll(async () => {
  profile = await createFoundedProfile();
  app = await openApp(profile);
  await waitForOffice(app.page);
  ben = await addColleague(profile, 'Ben Member');
  await say('lunch', 'who is in?');
  await say('garden', 'water the roses');
  await say('garden', 'and the tulips too');
  await openTopic(app.page, 'general', 'lunch');
});
afterAll(async () => {
  await app.quit();
  await profile.remove();
});

async function say(topic: string, content: string): Promise<void> {
  const params = { type: 'stream', to: 'general', topic, content };
  const { status, body } = await call(profile.origin, ben, 'POST', '/messages', params);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

/** What the colleague finds written last in the topic. */
async function newest(topic = 'lunch'): Promise<string> {
  const { body } = await call(profile.origin, ben, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
    narrow: [
      ['stream', 'general'],
      ['topic', topic],
    ],
  });
  return (body['messages'] as readonly { readonly content: string }[])[0]?.content ?? '';
}

const suggestions = (name: string): Locator => app.page.getByRole('listbox', { name });

test.each([
  ['@be', 'People and groups', 'Ben Member', /^@\*\*Ben Member\*\* $/],
  ['#gen', 'Streams', 'general', /^#\*\*general\*\* $/],
  [':tad', 'Emoji', 'tada', /^:tada: $/],
  ['```jav', 'Languages and blocks', 'java', /^```java/],
] as const)('%s offers %s and Tab takes one', async (typed, list, option, result) => {
  const box = composeBox(app.page);
  await box.fill('');
  await box.pressSequentially(typed);
  await suggestions(list).getByRole('option', { name: option }).first().waitFor();
  await box.press('Tab');
  await suggestions(list).waitFor({ state: 'detached' });
  await expect.poll(() => box.inputValue()).toMatch(result);
  await box.fill('');
});

test('> after a stream offers its topics, and Escape closes the list only', async () => {
  const box = composeBox(app.page);
  await box.pressSequentially('#gen');
  await suggestions('Streams').waitFor();
  await box.press('>');
  await suggestions('Topics').getByRole('option', { name: 'garden' }).click();
  await expect.poll(() => box.inputValue()).toContain('#**general>garden**');
  await box.pressSequentially(' and @be');
  await suggestions('People and groups').waitFor();
  await box.press('Escape');
  await suggestions('People and groups').waitFor({ state: 'detached' });
  expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await box.inputValue()).toContain('@be');
  await box.fill('');
});

test('what is written is formatted by keys and previewed as the colleague will see it', async () => {
  const box = composeBox(app.page);
  await box.fill('bold words');
  await box.press('Control+A');
  await box.press('Control+B');
  expect(await box.inputValue()).toBe('**bold words**');
  await box.press('Alt+P');
  const preview = app.page.getByRole('region', { name: 'Preview of the message' });
  await preview.locator('strong').getByText('bold words').waitFor();
  await app.page.keyboard.press('Alt+P');
  await box.press('Control+Enter');
  await expect.poll(() => newest()).toBe('**bold words**');
});

test('an emoji is chosen from the picker into the text', async () => {
  const { page } = app;
  await page.getByRole('button', { name: 'Emoji', exact: true }).click();
  const field = page.getByRole('searchbox', { name: 'Find an emoji' });
  await field.fill('rocket');
  await page.getByRole('gridcell', { name: 'rocket', exact: true }).waitFor();
  await field.press('Enter');
  await expect.poll(() => composeBox(page).inputValue()).toContain(':rocket:');
  await composeBox(page).fill('');
});

test('a pasted picture goes up with progress, is seen by the colleague, and opens in the viewer', async () => {
  const { page } = app;
  const box = composeBox(page);
  await box.fill('look: ');
  await box.press('End');
  await box.evaluate(
    (element, bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], 'sunset.png', { type: 'image/png' }));
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true });
      element.dispatchEvent(event);
    },
    [...png],
  );
  await expect.poll(() => box.inputValue()).toMatch(/look: .*\/user_uploads\//);
  await page.getByRole('list', { name: 'Files' }).waitFor({ state: 'detached' });
  await box.press('Enter');
  await expect.poll(() => newest()).toContain('sunset.png');
  const path = filePathIn(await newest());
  const answer = await fetch(new URL(path, profile.origin), {
    headers: { authorization: basicAuth(ben) },
  });
  expect(answer.status).toBe(200);
  expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([...png]);

  await message(page, 'look:')
    .getByRole('button', { name: /^Open image/ })
    .click();
  const viewer = page.getByRole('dialog', { name: 'sunset.png' });
  await viewer.getByRole('img', { name: 'sunset.png' }).waitFor();
  await viewer.getByRole('button', { name: 'Zoom in' }).click();
  await viewer
    .getByText('150 %')
    .or(viewer.getByText(/^1[1-9]\d %$|^2\d\d %$/))
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
});

test('the switcher goes to people, topics and views by a few letters, and runs commands', async () => {
  const { page } = app;
  const go = async (letters: string): Promise<void> => {
    await page.keyboard.press('Control+K');
    const field = page.getByRole('combobox', { name: 'Stream, topic or person' });
    await field.fill(letters);
    await page
      .getByRole('listbox', { name: 'Conversations' })
      .getByRole('option')
      .first()
      .waitFor();
    await field.press('Enter');
  };
  await go('gard');
  await heading(page, 'garden').waitFor();
  await go('ben');
  await heading(page, 'Ben Member').waitFor();
  await go('starred');
  await heading(page, 'Starred messages').waitFor();
  await go('keyboard');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.waitFor();
  await closeDialog(list);
});

test('a search by chips finds what the colleague wrote, and leads into the conversation', async () => {
  const { page } = app;
  await page.keyboard.press('Control+Shift+F');
  const field = page.getByRole('combobox', { name: 'Search messages' });
  await field.fill('sender:be');
  await page
    .getByRole('listbox', { name: 'Filters and words' })
    .getByRole('option')
    .first()
    .click();
  await page.getByRole('button', { name: 'Remove sender: Ben Member' }).waitFor();
  await field.fill('tulips');
  await field.press('Enter');
  await main(page).getByRole('status').filter({ hasText: '1 result' }).waitFor();
  await message(page, 'and the tulips too').getByText('tulips').first().waitFor();
  await message(page, 'and the tulips too').focus();
  await page.keyboard.press('Enter');
  await heading(page, 'garden').waitFor();
  await message(page, 'water the roses').waitFor();
  await page.keyboard.press('Alt+ArrowLeft');
  await heading(page, 'Search').waitFor();
  await closeSearch(page);
});

test('the list of keys opens with a question mark, but not while writing', async () => {
  const { page } = app;
  await openTopic(page, 'general', 'lunch');
  await composeBox(page).pressSequentially('why?');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await composeBox(page).fill('');
  await composeBox(page).press('Escape');
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await list.getByText('Go to a conversation, a view or a command').waitFor();
  await closeDialog(list);
});

test('a private message is begun from the left column, and what the other one types is shown', async () => {
  const { page } = app;
  await page.getByRole('button', { name: 'New private message' }).click();
  const dialog = page.getByRole('dialog', { name: 'New private message' });
  await dialog.getByLabel('To', { exact: true }).fill('ben');
  await dialog.getByRole('checkbox', { name: /Ben Member/ }).check();
  await dialog.getByRole('button', { name: 'Open conversation' }).click();
  await heading(page, 'Ben Member').waitFor();
  await send(page, 'are you there?');
  await ben.hears('are you there?');
  await row(page, 'Ben Member').waitFor();
  await call(profile.origin, ben, 'POST', '/typing', {
    op: 'start',
    to: [administrator.email],
  });
  await page.getByText('Ben Member is typing…').waitFor();
  await ben.write('yes I am');
  await message(page, 'yes I am').waitFor();
  await page.getByText('Ben Member is typing…').waitFor({ state: 'detached' });
  await open(page, 'Inbox');
});
