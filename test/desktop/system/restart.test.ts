import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import keytar from 'keytar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOST_SECRET } from '#desktop/system/keychain.ts';
import {
  agreeToQuit,
  filesBelow,
  openAgain,
  openApp,
  startApp,
  waitForMainView,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { createFoundedProfile, waitForOffice } from '#test/support/desktop/founded-profile.ts';
import { addColleague, administratorOf } from '#test/support/desktop/desktop-colleague.ts';
import { main, row } from '#test/support/desktop/desktop-places.ts';
import { pickMenu } from '#test/support/desktop/desktop-window.ts';
import { call } from '#test/support/service/service.ts';

let profile: Profile;
let app: DesktopApp;
beforeEach(async () => {
  profile = await createFoundedProfile();
  app = await openApp(profile);
  await waitForOffice(app.page);
});
afterEach(async () => {
  await app.quit();
  await profile.remove();
});

const problem = () => app.page.getByRole('alertdialog');

async function expectCleanEnd(): Promise<void> {
  await expect(fetch(profile.origin)).rejects.toThrow();
  const files = await filesBelow(join(profile.dir, 'service'));
  const database = files.find((file) => file.endsWith('.db'))!;
  expect(files.filter((file) => /-(wal|shm|journal)$/.test(file))).toEqual([]);
  const opened = new Database(database, { readonly: true });
  expect(opened.pragma('integrity_check', { simple: true })).toBe('ok');
  opened.close();
}

async function makeNewer(file: string): Promise<void> {
  const database = new Database(file);
  database.pragma('user_version = 100000');
  database.close();
}

test('the second start signs in by itself and has what was sent before', async () => {
  const ben = await addColleague(profile, 'Ben Member');
  await ben.write('sent before the restart');
  expect(await app.quit()).toBe(0);
  await expectCleanEnd();

  app = await openApp(profile);
  await waitForMainView(app.page);
  await row(app.page, 'Ben Member').click();
  await app.page.getByRole('main').getByText('sent before the restart').waitFor();
});

test('a message that comes at the moment of quitting does not keep the application from ending', async () => {
  const ben = await addColleague(profile, 'Ben Member');
  const code = app.quit();
  // It may come while the service still answers, or too late.
  await ben.write('just now').catch(() => undefined);
  expect(await code).toBe(0);
  expect(app.stderr()).not.toContain('held open');
  await expectCleanEnd();
});

test('quitting by the menu ends the application with its service', async () => {
  await pickMenu(app, 'File', 'Quit Hearth');
  expect(await app.ended).toBe(0);
  await expectCleanEnd();
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it cleanly', async (signal) => {
  app.electron.process().kill(signal);
  expect(await app.ended).toBe(0);
  await expectCleanEnd();
});

test('quitting in the middle of a start ends it cleanly', async () => {
  await app.quit();
  app = { ...app, ...(await startApp(profile)) };
  // Where the service is up before it is known who is online, that is a question.
  await agreeToQuit(app.electron);
  await app.electron.evaluate(({ app: itself }) => itself.quit());
  expect(await app.ended).toBe(0);
  await expectCleanEnd();
});

test('an error on the way out is logged, and holds nothing up', async () => {
  await app.quit();
  const failing = await startApp(profile);
  await agreeToQuit(failing.electron);
  await failing.electron.evaluate(({ app: itself }) => {
    itself.once('will-quit', () => {
      throw new Error('nobody is there to read this');
    });
    itself.quit();
  });
  expect(await failing.ended).toBe(0);
  await expect
    .poll(failing.stderr)
    .toMatch(/nothing caught this error.*nobody is there to read this/);
  await expectCleanEnd();
});

test('quitting leaves the event queue, so that the next start is told what came meanwhile', async () => {
  await app.quit();
  const database = new Database(join(profile.dir, 'service', 'hearth.db'), { readonly: true });
  expect(database.prepare('SELECT count(*) AS queues FROM queue').get()).toEqual({
    queues: 1,
  });
  database.close();
});

test('a database whose secret is gone is not given a new one, and this is said', async () => {
  await app.quit();
  const secret = await keytar.getPassword(profile.keychain, HOST_SECRET);
  await keytar.deletePassword(profile.keychain, HOST_SECRET);
  app = await openApp(profile);
  await main(app.page)
    .getByText(/secret that its keys are made from is not in the keychain/)
    .waitFor();
  expect(await keytar.getPassword(profile.keychain, HOST_SECRET)).toBeNull();
  await keytar.setPassword(profile.keychain, HOST_SECRET, secret!);
  await main(app.page).getByRole('button', { name: 'Try again' }).click();
  await app.page.getByRole('navigation').getByText('Connected').waitFor();
});

test.each([
  ['damaged', /damaged/, (file: string) => writeFile(file, 'no database'.repeat(1000))],
  ['from a newer version', /newer/, makeNewer],
])('a database that is %s is said and left as it is', async (_name, sentence, change) => {
  await app.quit();
  const file = join(profile.dir, 'service', 'hearth.db');
  await change(file);
  const before = await readFile(file);
  app = await openApp(profile);
  await main(app.page).getByText(sentence).waitFor();
  expect((await readFile(file)).equals(before)).toBe(true);
});

test('a damaged list of accounts is kept aside and said, and the organization goes on', async () => {
  const credentials = await administratorOf(profile);
  await app.quit();
  await writeFile(join(profile.dir, 'accounts.json'), '{"version":1,"acc');
  app = await openApp(profile);
  await problem()
    .getByText(/list of your organizations was damaged/)
    .waitFor();
  const aside = (await readdir(profile.dir)).find((name) => name.startsWith('accounts.damaged-'));
  expect(await readFile(join(profile.dir, aside!), 'utf8')).toBe('{"version":1,"acc');
  expect((await call(profile.origin, credentials, 'GET', '/users/me')).status).toBe(200);
  await problem().getByRole('button', { name: 'Try again' }).click();
  await app.page.getByRole('heading', { name: 'Sign in to Lantern Office' }).waitFor();
});

test('a second start on the same profile ends and brings the first window to the front', async () => {
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.blur());
  expect((await openAgain(profile)).code).toBe(0);
  await expect
    .poll(() =>
      app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null),
    )
    .toBe(true);
});
