import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Locator } from 'playwright';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createProfile,
  filesBelow,
  openApp,
  waitForMainView,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { FaultyLine } from '#test/support/client/faulty-line.ts';
import { Mate } from '#test/support/window/office-mates.ts';
import { canMount, fillDisk, smallDisk } from '#test/support/small-disk.ts';
import {
  apiKey,
  chooseOwnPassword,
  type RunningService,
  startService,
} from '#test/support/service/service.ts';

const dana = { email: 'dana@example.com', password: 'correct horse battery' } as const;
const args = ['--no-rate-limits', '--heartbeat-seconds', '2', '--longpoll-seconds', '5'];

let dataDir: string;
let service: RunningService;
let line: FaultyLine;
let profile: Profile;
let app: DesktopApp;
let ben: Mate;
let danaElsewhere: Mate;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hearth-service-'));
  service = await startService({ dev: true, dataDir, args });
  line = new FaultyLine(() => service.origin);
  await line.open();
  const ada = await Mate.of(() => service.origin, 'ada');
  ben = await Mate.of(() => service.origin, 'ben');
  const given = 'a first password';
  await ada.ask('POST', '/users', { email: dana.email, password: given, full_name: 'Dana Dean' });
  await chooseOwnPassword(service.origin, { ...dana, given });
  const key = await apiKey(service.origin, dana.email);
  danaElsewhere = new Mate(() => service.origin, { email: dana.email, key });
  await write('good morning');
  profile = await createProfile();
  app = await openApp(profile);
  await connect();
  await conversation().click();
  await shown('good morning').waitFor();
});
afterEach(async () => {
  await app.quit();
  await profile.remove();
  await line.close();
  await service.stop();
  await rm(dataDir, { recursive: true });
});

async function connect(): Promise<void> {
  const { page } = app;
  await page.getByText('Connect to an existing one').click();
  await page.getByLabel('Address', { exact: true }).fill(line.origin);
  await page.getByLabel('E-mail address').fill(dana.email);
  await page.getByLabel('Password', { exact: true }).fill(dana.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await waitForMainView(page);
}

const write = (content: string): Promise<unknown> =>
  ben.ask('POST', '/messages', { type: 'private', to: [dana.email], content });

const conversation = (): Locator =>
  app.page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('button', { name: /^Ben Member/ })
    .first();
const messages = (): Locator => app.page.getByRole('list', { name: 'Messages' });
const shown = (text: string): Locator => messages().getByText(text, { exact: true });
const compose = (): Locator => app.page.getByRole('textbox', { name: 'Message' });
const said = (sentence: RegExp | string): Locator =>
  app.page.getByRole('navigation').getByText(sentence);

/** How often the service has it. */
const received = async (text: string): Promise<number> =>
  (await danaElsewhere.contents()).filter((content) => content === text).length;

async function kill(): Promise<void> {
  const child = app.electron.process();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function startAgain(): Promise<void> {
  app = await openApp(profile);
  await waitForMainView(app.page);
}

async function fileOf(name: string): Promise<string> {
  const files = await filesBelow(join(profile.dir, 'accounts'));
  return files.find((file) => file.endsWith(name))!;
}

/** Exactly once at the service and in the window, and nothing of it is left to send. */
async function expectSentOnce(text: string): Promise<void> {
  await expect.poll(() => received(text)).toBe(1);
  await conversation().click();
  await shown(text).waitFor();
  await said('Connected').waitFor();
  expect(await shown(text).count()).toBe(1);
  expect(await compose().inputValue()).toBe('');
  // Whoever was about to repeat it has had the time for it.
  await write(`after ${text}`);
  await shown(`after ${text}`).waitFor();
  expect(await received(text)).toBe(1);
}

describe('killed in the middle of sending', () => {
  test('before the click was answered, has it as draft or sends it, once', async () => {
    await compose().fill('killed at once');
    const file = await fileOf('outbox.db');
    const drafts = (): number => {
      const database = new Database(file, { readonly: true });
      const { count } = database.prepare('SELECT count(*) AS count FROM draft').get() as {
        count: number;
      };
      database.close();
      return count;
    };
    await expect.poll(drafts).toBe(1);
    void compose()
      .press('Enter')
      .catch(() => undefined);
    await kill();
    await startAgain();
    await conversation().click();
    await said('Connected').waitFor();
    if ((await compose().inputValue()) === 'killed at once') await compose().press('Enter');
    await expectSentOnce('killed at once');
  });

  test('before the request arrived, sends it at the next start', async () => {
    await line.become('half-open');
    await compose().fill('never arrived');
    await compose().press('Enter');
    await shown('never arrived').waitFor();
    await kill();
    expect(await received('never arrived')).toBe(0);
    await line.become('open');
    await startAgain();
    await expectSentOnce('never arrived');
  });

  test('a message whose request arrives late is sent once, though the desktop was killed meanwhile', async () => {
    await line.become('hung');
    await compose().fill('arrived late');
    await compose().press('Enter');
    await shown('arrived late').waitFor();
    await kill();
    await line.become('open');
    await startAgain();
    await expectSentOnce('arrived late');
  });

  test('before the answer arrived, does not send it again', async () => {
    await line.become('mute');
    await compose().fill('arrived in silence');
    await compose().press('Enter');
    await expect.poll(() => received('arrived in silence')).toBe(1);
    await kill();
    await line.become('open');
    await startAgain();
    await expectSentOnce('arrived in silence');
  });

  test('while there is no connection, shows it as unsent and sends it later', async () => {
    await line.become('refused');
    await said(/^As of/).waitFor();
    await compose().fill('written offline');
    await compose().press('Enter');
    await shown('written offline').waitFor();
    await compose().fill('half a thought');
    await said(/1 unsent/).waitFor();
    await kill();
    await startAgain();
    await said(/^As of .*1 unsent/).waitFor();
    await conversation().click();
    await shown('good morning').waitFor();
    await shown('written offline').waitFor();
    await line.become('open');
    await expect.poll(() => received('written offline')).toBe(1);
    await said('Connected').waitFor();
    expect(await shown('written offline').count()).toBe(1);
  });
});

/** Children included. */
function processesOf(pid: number): readonly number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=']).toString().trim().split('\n');
  const pairs = lines.map((each) => each.trim().split(/\s+/).map(Number));
  const below = (parent: number): readonly number[] =>
    pairs.flatMap(([child, its]) => (its === parent ? [child!, ...below(child!)] : []));
  return [pid, ...below(pid)];
}

test('asleep while messages come, has each of them once when it wakes up', async () => {
  const all = processesOf(app.electron.process().pid!);
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  await write('while asleep 1');
  await write('while asleep 2');
  for (const pid of all.toReversed()) process.kill(pid, 'SIGCONT');
  await shown('while asleep 2').waitFor();
  for (const text of ['while asleep 1', 'while asleep 2']) {
    expect(await shown(text).count()).toBe(1);
  }
  await said('Connected').waitFor();
});

test('a window without its service says as of when, and is live again when it is back', async () => {
  await service.kill();
  await said(/^As of/).waitFor();
  await app.page
    .getByRole('main')
    .getByText(/does not answer/)
    .waitFor();
  await shown('good morning').waitFor();
  service = await startService({ dev: true, dataDir, args });
  await write('back again');
  await shown('back again').waitFor();
  await said('Connected').waitFor();
  expect(await shown('back again').count()).toBe(1);
});

test('an application with a damaged cache opens, says so, and has everything again', async () => {
  await app.quit();
  const handle = openSync(await fileOf('cache.db'), 'r+');
  writeSync(handle, Buffer.from('this was a database once'), 0);
  closeSync(handle);
  await write('meanwhile');
  await startAgain();
  await app.page
    .getByRole('alert')
    .getByText(/damaged.*fetched again/)
    .waitFor();
  await conversation().click();
  await shown('good morning').waitFor();
  await shown('meanwhile').waitFor();
});

test.skipIf(!canMount)(
  'with a full disk the desktop keeps what is written in the box, and says why',
  async () => {
    await app.quit();
    await profile.remove();
    const temporary = process.env['TMPDIR'];
    process.env['TMPDIR'] = await smallDisk(60);
    profile = await createProfile();
    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
    app = await openApp(profile);
    await connect();
    await conversation().click();
    await shown('good morning').waitFor();
    const free = await fillDisk(join(profile.dir, '..'));
    const long = 'too much for this disk '.repeat(300).trim();
    await compose().fill(long);
    await compose().press('Enter');
    await app.page
      .getByRole('main')
      .getByText(/disk is full/i)
      .first()
      .waitFor();
    expect(await compose().inputValue()).toBe(long);
    for (let count = 0; count < 12; count += 1)
      await write(`${String(count)} ${'long '.repeat(1900)}`);
    await app.page
      .getByRole('alert')
      .getByText(/^The disk is full/)
      .waitFor();
    await free();
    await write('there is room again');
    await shown('there is room again').waitFor();
    await compose().press('Enter');
    await expect.poll(() => received(long)).toBe(1);
    await app.quit();
  },
);
