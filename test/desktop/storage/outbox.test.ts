import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createProfile,
  openApp,
  waitForMainView,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import {
  composeBox,
  freshness,
  main,
  message,
  open,
  openTopic,
  row,
  send,
  toolOf,
} from '#test/support/desktop/desktop-places.ts';
import {
  dora,
  joinOffice,
  startRemoteOffice,
  type RemoteOffice,
} from '#test/support/desktop/desktop-remote.ts';
import { credentials } from '#test/support/service/service.ts';

const lunch = [
  ['stream', 'general'],
  ['topic', 'lunch'],
] as const;
const withDora = [['pm-with', dora.email]] as const;

let profile: Profile;
let app: DesktopApp;
let office: RemoteOffice;
let cleoId: number;

beforeAll(async () => {
  [profile, office] = await Promise.all([createProfile(), startRemoteOffice()]);
  const { ada, ben, origin, ask, say, tell } = office;
  const cleo = await credentials(origin, 'cleo@example.com');
  cleoId = Number((await ask(cleo, 'GET', '/users/me'))['user_id']);
  await say(ben, 'general', 'lunch', 'what is there?');
  await tell(ben, 'good morning');
  await tell(cleo, 'a cake for you');
  await tell(ada, 'welcome');
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

test('what is written without a connection is shown as waiting, and stays over a restart', async () => {
  await openTopic(app.page, 'general', 'lunch');
  await message(app.page, 'what is there?').waitFor();
  await office.stop();
  await expect.poll(() => freshness(app.page).textContent()).toMatch(/As of \d/);
  await send(app.page, 'soup, I hear');
  await message(app.page, 'soup, I hear').getByText('Waiting for the connection').waitFor();
  await expect.poll(() => composeBox(app.page).inputValue()).toBe('');
  await restart();
  await message(app.page, 'soup, I hear').getByText('Waiting for the connection').waitFor();
  await expect.poll(() => freshness(app.page).textContent()).toContain('1 unsent');
});

test('it is sent once when the service is back', async () => {
  await office.start();
  await expect
    .poll(() => office.contents(office.ben, lunch))
    .toEqual(['what is there?', 'soup, I hear']);
  await message(app.page, 'soup, I hear')
    .getByText('Waiting for the connection')
    .waitFor({ state: 'detached' });
  await expect.poll(() => freshness(app.page).textContent()).toMatch(/^\s*Connected\s*$/);
  await office.say(office.ben, 'general', 'lunch', 'then see you there');
  await message(app.page, 'then see you there').waitFor();
  expect(await message(app.page, 'soup, I hear').count()).toBe(1);
  expect(await office.contents(office.ben, lunch)).toHaveLength(3);
});

test('what the service refuses says why, and is sent by Retry, written anew by Edit, dropped by Discard', async () => {
  await open(app.page, 'Cleo Member');
  await message(app.page, 'a cake for you').waitFor();
  await office.stop();
  await expect.poll(() => freshness(app.page).textContent()).toMatch(/As of \d/);
  for (const text of ['for retry', 'for edit', 'for discard']) {
    await send(app.page, text);
    await message(app.page, text).getByText('Waiting for the connection').waitFor();
  }
  await app.quit();
  await office.start();
  await office.ask(office.ada, 'DELETE', `/users/${cleoId}`);
  app = await openApp(profile);
  await waitForMainView(app.page);
  for (const text of ['for retry', 'for edit', 'for discard']) {
    await message(app.page, text)
      .getByText(/^Not sent\. ./)
      .waitFor();
  }
  await row(app.page, 'Drafts').filter({ hasText: '3' }).waitFor();

  await office.ask(office.ada, 'POST', `/users/${cleoId}/reactivate`);
  await toolOf(app.page, 'for discard', 'Discard').click();
  await message(app.page, 'for discard').waitFor({ state: 'detached' });
  await toolOf(app.page, 'for edit', 'Edit').click();
  await expect.poll(() => composeBox(app.page).inputValue()).toBe('for edit');
  await send(app.page, 'edited, and better');
  await toolOf(app.page, 'for retry', 'Retry').click();
  const cleo = await credentials(office.origin, 'cleo@example.com');
  await expect
    .poll(async () => [...(await office.contents(cleo, withDora))].sort())
    .toEqual(['a cake for you', 'edited, and better', 'for retry']);
});

test('drafts are kept for each conversation, over a restart, and their page leads back to them', async () => {
  await open(app.page, 'Ben Member');
  await composeBox(app.page).fill('half a thought for Ben');
  await openTopic(app.page, 'general', 'lunch');
  await composeBox(app.page).fill('half a thought about lunch');
  await open(app.page, 'Ben Member');
  expect(await composeBox(app.page).inputValue()).toBe('half a thought for Ben');
  await restart();
  await expect.poll(() => composeBox(app.page).inputValue()).toBe('half a thought for Ben');
  await open(app.page, 'Drafts');
  const written = main(app.page).getByRole('region', { name: 'Drafts' }).getByRole('listitem');
  expect(await written.count()).toBe(2);
  await written
    .filter({ hasText: 'about lunch' })
    .getByRole('button', { name: 'Go on writing' })
    .click();
  await expect.poll(() => composeBox(app.page).inputValue()).toBe('half a thought about lunch');
  await composeBox(app.page).press('Enter');
  await expect
    .poll(() => office.contents(office.ben, lunch))
    .toContain('half a thought about lunch');
  await open(app.page, 'Drafts');
  await expect.poll(() => written.count()).toBe(1);
  await written.getByRole('button', { name: /^Delete the draft/ }).click();
  await main(app.page).getByText('The draft is deleted.').waitFor();
  await main(app.page).getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => written.count()).toBe(1);
});

test('a dropped file that takes long to go up shows its progress, and can be cancelled', async () => {
  const { page } = app;
  await openTopic(page, 'general', 'lunch');
  office.pause();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(8 * 1024 * 1024)], 'large.bin'));
    for (const type of ['dragenter', 'dragover', 'drop']) {
      const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
    }
  });
  await page.getByRole('progressbar', { name: /^Uploading large\.bin, \d+ %$/ }).waitFor();
  await page.getByRole('button', { name: 'Cancel the upload of large.bin' }).click();
  await page.getByRole('list', { name: 'Files' }).waitFor({ state: 'detached' });
  office.resume();
  await send(page, 'no file, then');
  await expect.poll(() => office.contents(office.ben, lunch)).toContain('no file, then');
  expect((await office.contents(office.ben, lunch)).join()).not.toContain('large.bin');
});
