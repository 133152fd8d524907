import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeSearch } from '#test/support/window/close-search.ts';
import {
  createProfile,
  openApp,
  waitForMainView,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import {
  closeDialog,
  freshness,
  heading,
  main,
  message,
  open,
  openSettings,
  openTopic,
  row,
} from '#test/support/desktop/desktop-places.ts';
import {
  dora,
  joinOffice,
  startRemoteOffice,
  type RemoteOffice,
} from '#test/support/desktop/desktop-remote.ts';

let profile: Profile;
let app: DesktopApp;
let office: RemoteOffice;

beforeAll(async () => {
  [profile, office] = await Promise.all([createProfile(), startRemoteOffice()]);
  const { ada, ben, ask, say, tell } = office;
  const board = { subscriptions: [{ name: 'board' }], invite_only: true };
  await ask(ada, 'POST', '/users/me/subscriptions', {
    ...board,
    history_public_to_subscribers: true,
  });
  await say(ben, 'general', 'lunch', 'soup today', 'see https://example.com/menu', 'or bread');
  await say(ada, 'general', 'garden', 'the roses want water', `@**${dora.fullName}** do you?`);
  // Before she was there: she may read it for as long as she is in the stream.
  await say(ada, 'board', 'budget', 'the number is forty two');
  await ask(ada, 'POST', '/users/me/subscriptions', { ...board, principals: [dora.email] });
  await tell(ben, 'good morning Dora');
  app = await openApp(profile);
  await joinOffice(app.page, office);
});
afterAll(async () => {
  await app.quit();
  await Promise.all([profile.remove(), office.remove()]);
});

async function restart(): Promise<void> {
  await app.quit();
  app = await openApp(profile);
  await waitForMainView(app.page);
}

/** Searches everywhere for filters, which become chips, and words: what the line above the results comes to say. */
async function search(parts: readonly string[], said: string | RegExp): Promise<void> {
  const { page } = app;
  await page.keyboard.press('Control+Shift+F');
  const field = page.getByRole('combobox', { name: 'Search messages' });
  const chips = page.getByRole('list', { name: 'Filters of this search' }).getByRole('button');
  await field.fill('');
  for (let left = await chips.count(); left > 0; left -= 1) await field.press('Backspace');
  await expect.poll(() => chips.count()).toBe(0);
  for (const [index, part] of parts.entries()) {
    await field.fill(part);
    if (!part.includes(':')) continue;
    await field.press('Enter');
    await expect.poll(() => chips.count()).toBe(index + 1);
  }
  await field.press('Enter');
  await heading(page, 'Search').waitFor();
  await main(page).getByRole('status').filter({ hasText: said }).first().waitFor();
}

test('older messages are fetched in the background, and settings say how far', async () => {
  const settings = await openSettings(app.page, 'Storage');
  await settings
    .getByText('Everything in your streams and private conversations is here.')
    .waitFor();
  await settings.getByText('7 messages', { exact: true }).waitFor();
  await closeDialog(settings);
});

test('with the service stopped a restart shows every view, with what is unread', async () => {
  await office.stop();
  await restart();
  const { page } = app;
  await expect.poll(() => freshness(page).textContent()).toMatch(/As of \d/);
  await row(page, 'Inbox').filter({ hasText: '2' }).waitFor();
  await row(page, 'Ben Member').filter({ hasText: '1 unread message' }).waitFor();
  await row(page, 'general')
    .filter({ hasText: /1|unread/ })
    .waitFor();
  await open(page, 'Mentions');
  await message(page, 'do you?').waitFor();
  await open(page, 'Combined feed');
  for (const text of ['soup today', 'or bread', 'roses', 'good morning Dora']) {
    await message(page, text).waitFor();
  }
  await openTopic(page, 'general', 'lunch');
  await message(page, 'soup today').waitFor();
  expect(await message(page, 'roses').count()).toBe(0);
  await openTopic(page, 'board', 'budget');
  await message(page, 'forty two').waitFor();
  await open(page, 'Ben Member');
  await message(page, 'good morning Dora').waitFor();
});

test.each([
  [['soup'], ['soup today']],
  [['sender:Ben', 'has:link'], ['see https://example.com/menu']],
  [
    ['stream:general', '-topic:lunch'],
    ['roses', 'do you?'],
  ],
  [['is:mentioned'], ['do you?']],
  [['is:private', 'good'], ['good morning Dora']],
  [['stream:board', 'forty'], ['forty two']],
] as const)('a search for %s finds offline what it finds online', async (parts, found) => {
  const { page } = app;
  await search(parts, `${found.length} result`);
  for (const each of found) await message(page, each).waitFor();
});

test('a stream that one may no longer read is gone from this computer too [offline.stream-no-longer]', async () => {
  await office.start();
  const { page } = app;
  await expect.poll(() => freshness(page).textContent()).toMatch(/Connected/);
  await row(page, 'board').waitFor();
  await office.ask(office.ada, 'DELETE', '/users/me/subscriptions', {
    subscriptions: ['board'],
    principals: [dora.email],
  });
  await row(page, 'board').waitFor({ state: 'detached' });
  await office.stop();
  await expect.poll(() => freshness(page).textContent()).toMatch(/As of \d/);
  await search(['soup'], '1 result');
  const field = page.getByRole('combobox', { name: 'Search messages' });
  await field.fill('stream:board');
  await field.press('Enter');
  await field.press('Enter');
  await page.getByText('There is no stream called board here.').waitFor();
  await closeSearch(page);
  await office.start();
});

async function removeWhatIsKept(settings: Locator): Promise<void> {
  await settings.getByRole('button', { name: 'Remove what is kept…' }).click();
  const question = app.page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await settings.getByText('What was kept is removed.').waitFor();
}

test('what is kept is removed on demand, and fetched anew', async () => {
  const { page } = app;
  await expect.poll(() => freshness(page).textContent()).toMatch(/Connected/);
  const settings = await openSettings(page, 'Storage');
  await removeWhatIsKept(settings);
  await settings
    .getByText('Everything in your streams and private conversations is here.')
    .waitFor();
  await settings.getByText('6 messages', { exact: true }).waitFor();
  await closeDialog(settings);
});

test('where history was removed and is not fetched, a view that lacks it says so', async () => {
  const { page } = app;
  await expect.poll(() => freshness(page).textContent()).toMatch(/Connected/);
  const settings = await openSettings(page, 'Storage');
  const limit = settings.getByLabel('Limit for all organizations together');
  await limit.fill('20');
  await limit.press('Tab');
  await settings.getByText('Enter a number from 50 to 1,000,000.').waitFor();
  await limit.fill('100');
  await limit.press('Tab');
  await settings.getByText(/of at most 100 MiB/).waitFor();
  await settings.getByRole('switch', { name: 'Fetch older messages in the background' }).click();
  await settings.getByText('Fetching older messages is paused.').waitFor();
  await closeDialog(settings);
  await open(page, 'Inbox');
  const again = await openSettings(page, 'Storage');
  await removeWhatIsKept(again);
  await again.getByText('0 messages', { exact: true }).waitFor();
  await closeDialog(again);
  await expect.poll(() => freshness(page).textContent()).toMatch(/Connected/);
  await office.stop();
  await expect.poll(() => freshness(page).textContent()).toMatch(/As of \d/);
  await open(page, 'Combined feed');
  await main(page)
    .getByText(/not on this computer/)
    .first()
    .waitFor();
  await search(['soup'], 'Only messages that are on this computer were searched.');
});
