import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultPreferences } from '#shared/bridge/models/preference-defaults.ts';
import { Preferences, PreferencesPatch } from '#shared/bridge/models/preferences.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { openPreferences } from '#desktop/storage/preference-store.ts';
import type { CheckedTexts } from '#desktop/storage/profile-file.ts';
import { createTestLog } from '#test/support/desktop/desktop-log.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-preferences-'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = (): string => join(folder, 'preferences.json');
const open = () => openPreferences(folder, createTestLog());

test('the defaults are choices that a window may send', () => {
  expect(Preferences.parse(defaultPreferences)).toEqual(defaultPreferences);
});

test('a change is there at the next start, and nothing else changed', async () => {
  const store = await open();
  expect(store.current()).toEqual(defaultPreferences);
  expect(await store.change({ theme: 'dark', fontSize: 18 })).toMatchObject({ ok: true });
  const expected = { ...defaultPreferences, theme: 'dark', fontSize: 18 };
  expect(store.current()).toEqual(expected);
  expect((await open()).current()).toEqual(expected);
});

test('a text that was checked or written is not checked again, and any other one is', async () => {
  const checked: CheckedTexts = new Map();
  const openChecked = () => openPreferences(folder, createTestLog(), checked);
  await (await openChecked()).change({ theme: 'dark' });
  expect(checked.get('preferences.json')).toBe(await readFile(file(), 'utf8'));
  checked.clear();
  expect((await openChecked()).current().theme).toBe('dark');
  expect([...checked.keys()]).toEqual(['preferences.json']);
  // No version writes this colour; whoever says that it was checked is believed, for this text alone.
  const pink = JSON.stringify({ version: 1, choices: { theme: 'pink' } });
  await writeFile(file(), pink);
  checked.set('preferences.json', pink);
  expect((await openChecked()).current().theme).toBe('pink');
  await writeFile(file(), `${pink} `);
  expect((await openChecked()).current().theme).toBe('system');
  expect(await readdir(folder)).toEqual([expect.stringMatching(/damaged/)]);
});

test('a text that lost something when it was checked is checked each time', async () => {
  const checked: CheckedTexts = new Map();
  await writeFile(file(), JSON.stringify({ version: 1, choices: { theme: 'dark', colour: 1 } }));
  const store = await openPreferences(folder, createTestLog(), checked);
  expect(store.current()).toEqual({ ...defaultPreferences, theme: 'dark' });
  expect(checked.size).toBe(0);
});

test('changes made at once are all kept', async () => {
  const store = await open();
  await Promise.all([
    store.change({ theme: 'dark' }),
    store.change({ density: 'compact' }),
    store.change({ zoomLevel: 2 }),
    store.change({ theme: 'light' }),
  ]);
  expect((await open()).current()).toMatchObject({
    theme: 'light',
    density: 'compact',
    zoomLevel: 2,
  });
});

test('a listener hears what is and what was', async () => {
  const store = await open();
  const heard: unknown[] = [];
  store.onChange((next, old) => heard.push([next.theme, old.theme]));
  await store.change({ theme: 'dark' });
  expect(heard).toEqual([['dark', 'system']]);
});

test('what the system refuses is not kept, and its sentence is the answer', async () => {
  const store = await open();
  store.addEffect(async ({ startAtLogin }) =>
    startAtLogin ? failure('LOGIN_ITEM', 'Not here.') : success(null),
  );
  expect(await store.change({ startAtLogin: true, theme: 'dark' })).toEqual(
    failure('LOGIN_ITEM', 'Not here.'),
  );
  expect(store.current()).toEqual(defaultPreferences);
  expect(await readdir(folder)).toEqual([]);
});

test('what cannot be written is not changed, and what it brought about is taken back', async () => {
  const store = await open();
  const asked: boolean[] = [];
  store.addEffect(async ({ startAtLogin }) => {
    asked.push(startAtLogin);
    return success(null);
  });
  await mkdir(`${file()}.new`);
  expect(await store.change({ startAtLogin: true })).toMatchObject({
    ok: false,
    failure: { code: 'NOT_KEPT' },
  });
  expect(store.current().startAtLogin).toBe(false);
  expect(asked).toEqual([true, false]);
});

test('choices of a newer version are left out, and missing ones get their defaults', async () => {
  await writeFile(file(), JSON.stringify({ version: 1, choices: { theme: 'dark', later: 1 } }));
  expect((await open()).current()).toEqual({ ...defaultPreferences, theme: 'dark' });
});

test('a kept key that is none is left out, and the others stay', async () => {
  const keys = { drafts: ['G'], inbox: [], feed: ['no key'], later: ['H'] };
  await writeFile(file(), JSON.stringify({ version: 1, choices: { theme: 'dark', keys } }));
  const expected = { ...defaultPreferences, theme: 'dark', keys: { drafts: ['G'], inbox: [] } };
  expect((await open()).current()).toEqual(expected);
});

test.each(['', '{"version":1,"choi', '[]', '{"version":1,"choices":{"fontSize":"big"}}'])(
  'a damaged file %j is moved aside with its content, and the defaults hold',
  async (content) => {
    await writeFile(file(), content);
    const log = createTestLog();
    expect((await openPreferences(folder, log)).current()).toEqual(defaultPreferences);
    const [aside, ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(aside).toMatch(/^preferences\.damaged-/);
    expect(await readFile(join(folder, aside!), 'utf8')).toBe(content);
    expect(log.lines).toEqual([{ level: 'error', message: expect.stringContaining('damaged') }]);
  },
);

test.each([
  { theme: 'blue' },
  { fontSize: 11 },
  { fontSize: 21 },
  { fontSize: 14.5 },
  { density: '' },
  { doNotDisturbUntilSeconds: -1 },
  { spellLanguages: ['../../etc'] },
  { spellLanguages: 'en' },
  { cacheLimitMiB: 0 },
  { zoomLevel: Number.NaN },
  { globalShortcut: '' },
  { closeToTray: 1 },
  { keys: { later: ['G'] } },
  { keys: { drafts: ['g'] } },
  { keys: { drafts: 'G' } },
  { unknown: true },
])('the choice %j is refused', (patch) => {
  expect(PreferencesPatch.safeParse(patch).success).toBe(false);
});
