/** A profile of an earlier version that hosts and has an account elsewhere, opened with the code of today. */
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createProfile,
  type DesktopApp,
  openAppAt,
  type Profile,
  saveSecrets,
  waitForMainView,
} from '#test/support/desktop/desktop-app.ts';
import {
  composeBox,
  freshness,
  message,
  open,
  openTopic,
  organization,
  send,
} from '#test/support/desktop/desktop-places.ts';
import {
  earlierKeychain,
  earlierOffice,
  unpackEarlierOffice,
} from '#test/support/earlier-office.ts';
import {
  call,
  type Credentials,
  type RunningService,
  startService,
} from '#test/support/service/service.ts';

const { office, hosted } = earlierOffice;
const hostedOrigin = `http://127.0.0.1:${String(hosted.port)}`;

let profile: Profile;
let app: DesktopApp;
let service: RunningService | undefined;

beforeAll(async () => {
  profile = await createProfile();
  // The profile's folder is the one that is unpacked.
  unpackEarlierOffice(dirname(profile.dir));
  await saveSecrets(profile, earlierKeychain);
  app = await openAppAt(profile, null);
  await waitForMainView(app.page);
});
afterAll(async () => {
  await app.quit();
  await service?.stop();
  await profile.remove();
});

test('what was read, begun and not sent yet is there while its service is away', async () => {
  const { page } = app;
  await expect.poll(() => freshness(page).textContent()).toMatch(/As of .* · 1 unsent/);
  // Where it was left.
  await message(page, 'pier.png').waitFor();
  await expect.poll(() => composeBox(page).inputValue()).toBe('half a thought about the pier');
  await openTopic(page, 'kitchen', 'lunch');
  for (const text of ['soup on the pier today', 'a guest asks for bread', 'while the office was']) {
    await message(page, text).waitFor();
  }
  await open(page, 'Ada Harbour');
  await message(page, 'good morning Ben').waitFor();
});

const statusFor = async (who: Credentials): Promise<number> =>
  (await call(hostedOrigin, who, 'GET', '/users/me')).status;

test('the organization that it hosts is served, with its draft, its keys and whom it shut out', async () => {
  const { page } = app;
  await organization(page, 'Lantern Office').click();
  await expect.poll(() => freshness(page).textContent()).toContain('Connected');
  await openTopic(page, 'general', 'lanterns');
  await message(page, 'they hang already').waitFor();
  await expect.poll(() => composeBox(page).inputValue()).toBe('a draft about lanterns');
  const { ada, mia, eve } = hosted.accounts;
  expect(await Promise.all([ada, mia, eve].map(statusFor))).toEqual([200, 200, 401]);
  await send(page, 'and burn');
  await message(page, 'and burn').waitFor();
});

test('what waited is sent once its service is back, and nobody signs in again', async () => {
  const dataDir = `${dirname(profile.dir)}/office`;
  service = await startService({ dataDir, args: ['--port', String(office.port)] });
  const { origin } = service;
  const lunch = async (): Promise<readonly unknown[]> => {
    const narrow = [
      { operator: 'stream', operand: 'kitchen' },
      { operator: 'topic', operand: 'lunch' },
    ];
    const page = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false, narrow };
    const { body } = await call(origin, office.accounts.ada, 'GET', '/messages', page);
    return (body['messages'] as readonly { readonly content: string }[]).map(
      ({ content }) => content,
    );
  };
  await expect.poll(lunch).toContain('written while the office was away');
  const { page } = app;
  await organization(page, 'Harbour').click();
  await expect.poll(() => freshness(page).textContent()).toContain('Connected');
  await openTopic(page, 'kitchen', 'lunch');
  // What was changed while it was away.
  await message(page, 'the cook has another number').waitFor();
  expect(await message(page, 'the word that is taken back').count()).toBe(0);
});
