/** The first day of somebody new, from being added to being seen, with two real applications and a third person. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeSearch } from '#test/support/window/close-search.ts';
import {
  createProfile,
  openApp,
  waitForMainView,
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
  composeBox,
  freshness,
  heading,
  main,
  message,
  openTopic,
  row,
  send,
  sidebar,
  signIn,
} from '#test/support/desktop/desktop-places.ts';
import { setFocus } from '#test/support/desktop/desktop-window.ts';
import { WAIT_LIMIT_MS } from '#test/support/patience.ts';
import { call, type Credentials } from '#test/support/service/service.ts';

const nora = {
  fullName: 'Nora New',
  email: 'nora@example.com',
  given: 'a first password for Nora',
  password: 'a password that only Nora knows',
} as const;

let hostProfile: Profile;
let newProfile: Profile;
let host: DesktopApp;
let newcomer: DesktopApp;
let ben: Colleague;

beforeAll(async () => {
  [hostProfile, newProfile] = await Promise.all([createFoundedProfile(), createProfile()]);
  host = await openApp(hostProfile);
  await waitForOffice(host.page);
  ben = await addColleague(hostProfile, 'Ben Member');
  await say('moving', 'The samovar stands in the kitchen now');
  await say('lunch', ...numbered('before she came'));
});
afterAll(async () => {
  await newcomer.quit();
  await host.quit();
  await Promise.all([hostProfile.remove(), newProfile.remove()]);
});

const numbered = (text: string): readonly string[] =>
  Array.from({ length: 70 }, (_, n) => `${text}, ${n + 1} of 70`);

async function say(topic: string, ...contents: readonly string[]): Promise<void> {
  for (const content of contents) {
    const params = { type: 'stream', to: 'general', topic, content };
    const { status } = await call(hostProfile.origin, ben, 'POST', '/messages', params);
    expect(status).toBe(200);
  }
}

/** Her key, from another program than the window. */
async function signInElsewhere(): Promise<Credentials> {
  const login = { username: nora.email, password: nora.password };
  const { body } = await call(hostProfile.origin, null, 'POST', '/fetch_api_key', login);
  return { email: nora.email, key: String(body['api_key']) };
}

/** How many messages are unread for her as the service counts, whatever her window says. */
async function unreadCount(her: Credentials): Promise<number> {
  const { body } = await call(hostProfile.origin, her, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    narrow: [['is', 'unread']],
  });
  return (body['messages'] as readonly unknown[]).length;
}

test('the administrator adds her in the window', async () => {
  const { page } = host;
  await page.getByRole('button', { name: 'Add person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add person' });
  await dialog.getByLabel('Name').fill(nora.fullName);
  await dialog.getByLabel('E-mail address').fill(nora.email);
  await dialog.getByLabel('First password').fill(nora.given);
  await dialog.getByRole('button', { name: 'Add person' }).click();
  await dialog.getByRole('status').filter({ hasText: nora.fullName }).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
});

test('she signs in, chooses a password of her own, and nothing is unread', async () => {
  newcomer = await openApp(newProfile);
  const { page } = newcomer;
  await page.getByText('Connect to an existing one').click();
  const { email, given } = nora;
  await signIn(page, { origin: hostProfile.origin, email, password: given });
  await heading(page, 'Choose your password').waitFor();
  await page.getByLabel('New password', { exact: true }).fill(nora.password);
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await waitForMainView(page);
  await expect.poll(() => freshness(page).textContent()).toContain('Connected');
  await row(page, 'general').waitFor();
  expect(
    await sidebar(page)
      .getByText(/unread/)
      .count(),
  ).toBe(0);
});

test('she finds by a word what was written before she came', async () => {
  const { page } = newcomer;
  await page.keyboard.press('Control+Shift+F');
  const field = page.getByRole('combobox', { name: 'Search messages' });
  await field.fill('samovar');
  await field.press('Enter');
  await heading(page, 'Search').waitFor();
  await main(page).getByRole('status').filter({ hasText: '1 result' }).waitFor();
  await message(page, 'The samovar stands in the kitchen now').waitFor();
  await closeSearch(page);
});

test('the combined feed and recent conversations show what her streams are about', async () => {
  const { page } = newcomer;
  await row(page, 'Combined feed').click();
  await message(page, 'before she came, 70 of 70').waitFor();
  await row(page, 'Recent').click();
  await main(page).getByText('moving').first().waitFor();
  await main(page).getByText('lunch').first().waitFor();
});

test('what is written now is unread, and everything is read once she has gone to its end', async () => {
  const { page } = newcomer;
  await say('lunch', ...numbered('since she came'));
  const her = await signInElsewhere();
  expect(await unreadCount(her)).toBe(70);
  await openTopic(page, 'general', 'lunch');
  await message(page, 'since she came, 1 of 70').waitFor();
  await page.getByRole('button', { name: /^Jump to newest/ }).click();
  await message(page, 'since she came, 70 of 70').waitFor();
  await expect.poll(() => unreadCount(her)).toBe(0);
  await expect
    .poll(() =>
      sidebar(page)
        .getByText(/unread/)
        .count(),
    )
    .toBe(0);
});

test('she answers, and her colleagues see the answer and that she is here', async () => {
  const { page } = newcomer;
  // She looks at her window, whichever of the two the desktop brought to the front before.
  await setFocus(newcomer, true);
  await composeBox(page).waitFor();
  await send(page, 'Good morning from Nora');
  await openTopic(host.page, 'general', 'lunch');
  // The topic opens at what is unread, far above; a list that still moves would take the pressed name away.
  const jump = host.page.getByRole('button', { name: /^Jump to newest/ });
  await jump.click();
  await jump.waitFor({ state: 'hidden' });
  await message(host.page, 'Good morning from Nora').waitFor();
  const { origin } = hostProfile;
  const ada = await administratorOf(hostProfile);
  // Who is here is reported once a minute.
  const inTime = { timeout: 60_000 + WAIT_LIMIT_MS };
  await expect
    .poll(
      async () => (await call(origin, ada, 'GET', `/users/${nora.email}/presence`)).body,
      inTime,
    )
    .toMatchObject({ presence: { aggregated: { status: 'active' } } });
  await message(host.page, 'Good morning from Nora')
    .getByRole('button', { name: nora.fullName })
    .first()
    .click();
  const isHere = host.page.getByRole('dialog', { name: nora.fullName }).getByText('Here now');
  await isHere.waitFor(inTime);
});
