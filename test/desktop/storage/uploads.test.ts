/** Files on their way from the disk of this computer to a service. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExposedBridge } from '#shared/bridge/bridge.ts';
import {
  createProfile,
  filesBelow,
  openApp,
  waitForMainView,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { composeBox, filePathIn, openTopic, send } from '#test/support/desktop/desktop-places.ts';
import {
  joinOffice,
  startRemoteOffice,
  type RemoteOffice,
} from '#test/support/desktop/desktop-remote.ts';
import { growthsOf } from '#test/bench/process-figures.ts';
import { shortOrLong } from '#test/support/long.ts';
import { basicAuth } from '#test/support/service/service.ts';

const MIB = 1024 * 1024;
const lunch = [
  ['stream', 'general'],
  ['topic', 'lunch'],
] as const;

let folder: string;
let profile: Profile;
let app: DesktopApp;
let office: RemoteOffice;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-chosen-'));
  [profile, office] = await Promise.all([createProfile(), startRemoteOffice()]);
  await office.say(office.ben, 'general', 'lunch', 'what is there?');
  app = await openApp(profile);
  await joinOffice(app.page, office);
  await openTopic(app.page, 'general', 'lunch');
});
afterAll(async () => {
  await app.quit();
  await Promise.all([profile.remove(), office.remove()]);
  await rm(folder, { recursive: true });
});

/** No two blocks of it are the same. */
function bytesOf(mib: number): Buffer {
  const bytes = Buffer.alloc(mib * MIB);
  for (let at = 0; at < bytes.length; at += 4096) bytes.writeUInt32BE(at, at);
  return bytes;
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const choose = (path: string): Promise<void> =>
  app.page.locator('main input[type="file"]').setInputFiles(path);
const spooled = (): Promise<readonly string[]> =>
  readdir(join(profile.dir, 'uploads')).catch(() => []);

/** Sends what is in the box, and fetches the file that it links to as the colleague does. */
async function sentFile(name: string): Promise<Buffer> {
  const box = composeBox(app.page);
  await expect.poll(() => box.inputValue()).toContain(`[${name}](/user_uploads/`);
  const path = filePathIn(await box.inputValue());
  await box.press('Enter');
  await expect.poll(async () => (await office.contents(office.ben, lunch)).join()).toContain(path);
  const response = await fetch(new URL(path, office.origin), {
    headers: { authorization: basicAuth(office.ben) },
  });
  return Buffer.from(await response.arrayBuffer());
}

test('a file that is chosen is read from where it is, and arrives whole', async () => {
  const path = join(folder, 'plan.bin');
  const bytes = bytesOf(12);
  await writeFile(path, bytes);
  await choose(path);
  expect(digestOf(await sentFile('plan.bin'))).toBe(digestOf(bytes));
  expect(await spooled()).toEqual([]);
});

test('a file that is nowhere on the disk crosses in pieces, arrives whole and leaves nothing', async () => {
  await composeBox(app.page).evaluate((element, size) => {
    const content = new Uint8Array(size).map((_, index) => index % 251);
    const data = new DataTransfer();
    data.items.add(new File([content], 'pasted.bin'));
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, 3 * MIB);
  const bytes = Buffer.alloc(3 * MIB).map((_, index) => index % 251);
  expect(digestOf(await sentFile('pasted.bin'))).toBe(digestOf(Buffer.from(bytes)));
  await expect.poll(spooled).toEqual([]);
});

/** Whoever is asked where to save a file says so. */
const saveInto = (path: string): Promise<void> =>
  app.electron.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, path);

test('a file of a message is saved where the person says', async () => {
  const saved = join(folder, 'saved.bin');
  await saveInto(saved);
  await app.page.getByRole('main').getByRole('link', { name: 'plan.bin' }).click();
  await expect.poll(() => readFile(saved).catch(() => Buffer.alloc(0))).toHaveLength(12 * MIB);
  expect(digestOf(await readFile(saved))).toBe(digestOf(bytesOf(12)));
});

const MOST_KIB = 32 * 1024;
const LONG_MIB = shortOrLong(200, 4096);

/** Of the main process and of the page. */
const processes = (): Promise<readonly number[]> =>
  app.electron.evaluate(({ app: electron }) =>
    electron
      .getAppMetrics()
      .flatMap(({ pid, type }) => (/^(?:Browser|Tab)$/.test(type) ? pid : [])),
  );

test.skipIf(process.platform !== 'linux')(
  'a file of any length is sent and saved in 32 MiB of memory, of the main process and of the page',
  { timeout: shortOrLong(120_000, 1_800_000) },
  async () => {
    await office.ask(office.ada, 'PATCH', '/realm', { max_file_upload_size: 4096 });
    const path = join(folder, 'long.bin');
    await writeFile(path, '');
    await truncate(path, LONG_MIB * MIB);
    const box = composeBox(app.page);
    const pids = await processes();
    expect(pids.length).toBeGreaterThan(1);
    const sent = await growthsOf(pids, async () => {
      await choose(path);
      await expect
        .poll(() => box.inputValue(), { timeout: 1_800_000 })
        .toContain('[long.bin](/user_uploads/');
    });
    await box.press('Enter');
    const link = app.page.getByRole('main').getByRole('link', { name: 'long.bin' });
    await link.waitFor();
    const into = join(folder, 'again.bin');
    await saveInto(into);
    const saved = await growthsOf(pids, async () => {
      await link.click();
      await expect
        .poll(() => stat(into).catch(() => null), { timeout: 1_800_000 })
        .toMatchObject({ size: LONG_MIB * MIB });
    });
    for (const growth of [...sent, ...saved]) expect(growth).toBeLessThan(MOST_KIB);
  },
);

/** As far as the profile tells that an upload has come. */
async function begunId(): Promise<string | undefined> {
  const file = (await filesBelow(profile.dir)).find((each) => each.endsWith('uploads.json'));
  const text = file === undefined ? '{}' : await readFile(file, 'utf8');
  const { uploads } = JSON.parse(text) as { uploads?: { begun: { id: string } | null }[] };
  return uploads?.[0]?.begun?.id;
}

/** Texts that would outlive the application. */
const keptDrafts = (): Promise<readonly string[]> =>
  app.page.evaluate(async () => {
    const { bridge } = window as unknown as { readonly bridge: ExposedBridge };
    const started = await bridge.start();
    const [account] = started.ok ? started.value.accounts : [];
    const state = await bridge.state(account?.id ?? '');
    return state.ok ? state.value.drafts.map(({ content }) => content) : [];
  });

async function killWhileSending(path: string): Promise<string> {
  await composeBox(app.page).fill('the film: ');
  await expect.poll(keptDrafts).toContain('the film: ');
  await choose(path);
  await app.page.getByRole('progressbar', { name: /, [1-9]\d? %$/ }).waitFor();
  office.pause();
  const id = await begunId();
  const child = app.electron.process();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  return id ?? '';
}

async function openAgain(): Promise<void> {
  office.resume();
  app = await openApp(profile);
  await waitForMainView(app.page);
  await openTopic(app.page, 'general', 'lunch');
}

test('an upload goes on where it was after the application was killed, and its link stands where it was to', async () => {
  const path = join(folder, 'film.bin');
  const bytes = bytesOf(160);
  await writeFile(path, bytes);
  const id = await killWhileSending(path);
  await openAgain();
  await expect
    .poll(() => composeBox(app.page).inputValue())
    .toMatch(/^the film: \[film\.bin\]\(\/user_uploads\/\S+\)\n$/);
  // It is the one that was begun before.
  expect(id).not.toBe('');
  expect(await composeBox(app.page).inputValue()).toContain(id);
  expect(digestOf(await sentFile('film.bin'))).toBe(digestOf(bytes));
});

test('an upload begins anew where its file was changed while the application was gone', async () => {
  const path = join(folder, 'draft.bin');
  await writeFile(path, bytesOf(160));
  const id = await killWhileSending(path);
  const bytes = bytesOf(2);
  await writeFile(path, bytes);
  await openAgain();
  expect(digestOf(await sentFile('draft.bin'))).toBe(digestOf(bytes));
  expect(id).not.toBe('');
  expect((await office.contents(office.ben, lunch)).join()).not.toContain(id);
  await send(app.page, 'that is all');
});
