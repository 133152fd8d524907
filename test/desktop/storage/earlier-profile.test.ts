/** A profile as the code before offices had keys has left it: an account was a person at an address, and nothing more. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import keytar from 'keytar';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createProfile,
  type DesktopApp,
  openApp,
  type Profile,
  waitForMainView,
} from '#test/support/desktop/desktop-app.ts';
import { composeBox, message, openTopic, send } from '#test/support/desktop/desktop-places.ts';
import {
  joinOffice,
  type RemoteOffice,
  startRemoteOffice,
} from '#test/support/desktop/desktop-remote.ts';

let profile: Profile;
let app: DesktopApp;
let office: RemoteOffice;

beforeAll(async () => {
  [profile, office] = await Promise.all([createProfile(), startRemoteOffice()]);
  await office.say(office.ben, 'general', 'lunch', 'soup today');
  app = await openApp(profile);
  await joinOffice(app.page, office);
});
afterAll(async () => {
  await app.quit();
  await Promise.all([profile.remove(), office.remove()]);
});

type Kept = Readonly<Record<string, unknown>>;

interface AccountList {
  readonly version: number;
  readonly accounts: readonly Kept[];
}

const listFile = (): string => join(profile.dir, 'accounts.json');
const readList = async (): Promise<AccountList> =>
  JSON.parse(await readFile(listFile(), 'utf8')) as AccountList;

/** All that an account was then. */
const ofBefore = ({ id, address, realmName, email, fullName, userId, isHosted }: Kept): Kept => ({
  ...{ id, address, realmName, email, fullName, userId, isHosted },
});

test('it goes on without a click: what was read, begun and not sent yet is there, and nobody signs in again', async () => {
  await openTopic(app.page, 'general', 'lunch');
  await message(app.page, 'soup today').waitFor();
  await office.stop();
  await send(app.page, 'I come too');
  await composeBox(app.page).fill('half a thought');
  await app.quit();

  const { version, accounts } = await readList();
  const [account] = accounts;
  expect(account?.['id']).toBe(`${String(office.doraId)}@${office.origin}`);
  await writeFile(listFile(), JSON.stringify({ version, accounts: accounts.map(ofBefore) }));
  const keys = await keytar.findCredentials(profile.keychain);
  expect(keys).toHaveLength(1);

  app = await openApp(profile);
  await waitForMainView(app.page);
  await openTopic(app.page, 'general', 'lunch');
  await message(app.page, 'soup today').waitFor();
  await message(app.page, 'I come too').waitFor();
  await expect.poll(() => composeBox(app.page).inputValue()).toBe('half a thought');

  await office.start();
  const lunch = [
    ['stream', 'general'],
    ['topic', 'lunch'],
  ] as const;
  await expect.poll(() => office.contents(office.ben, lunch)).toEqual(['soup today', 'I come too']);
  expect((await readList()).accounts).toMatchObject([ofBefore(account ?? {})]);
  expect(await keytar.findCredentials(profile.keychain)).toEqual(keys);
});
