import { beforeEach, expect, test } from 'vitest';
import { defaultPreferences } from '#shared/bridge/models/preference-defaults.ts';
import { success } from '#shared/bridge/outcome.ts';
import { createWebShell } from '#renderer/web/shell.ts';

const NAME = 'hearth.preferences';
const keep = (kept: unknown): void => localStorage.setItem(NAME, JSON.stringify(kept));

/** Moves only when a test moves it. */
const clock = { nowMs: 0, now: () => clock.nowMs, wait: () => new Promise<void>(() => undefined) };
const openShell = () => createWebShell(clock);

beforeEach(() => localStorage.removeItem(NAME));

test('a page that had no input for long has nobody in front of it, and somebody with the next input', async () => {
  const shell = openShell();
  const told: unknown[] = [];
  shell.on('activityChanged', (event) => told.push(event));
  expect(shell.activeSinceMs()).toBe(0);
  clock.nowMs += 300_000;
  expect(shell.activeSinceMs()).toBeNull();
  await shell.reportActivity();
  expect(told).toEqual([{ activeSinceMs: null }, { activeSinceMs: clock.nowMs }]);
});

test('changed keys are there when the page is opened again', async () => {
  await openShell().setPreferences({ keys: { drafts: ['G'], inbox: [] } });
  expect(await openShell().preferences()).toEqual(
    success({ ...defaultPreferences, keys: { drafts: ['G'], inbox: [] } }),
  );
});

test('choices and keys that another version kept hold where they are known here', async () => {
  keep({ theme: 'dark', later: true, keys: { drafts: ['G'], later: ['H'], inbox: ['no key'] } });
  expect(await openShell().preferences()).toEqual(
    success({ ...defaultPreferences, theme: 'dark', keys: { drafts: ['G'] } }),
  );
});

test('a link in the address is told until it was followed, in a tab that is open and in one that is loaded again', async () => {
  const fragment = '#narrow/stream/1-general/topic/lunch/near/7';
  const before = location.href;
  const told: unknown[] = [];
  const shell = openShell();
  shell.on('linkOpened', (event) => told.push(event));
  history.replaceState(history.state, '', fragment);
  await shell.pageReady();
  await shell.pageReady();
  expect(told).toEqual([
    { accountId: null, fragment },
    { accountId: null, fragment },
  ]);
  await shell.savePlace({ accountId: 'ada', place: '{}' });
  expect(location.hash).toBe('');
  location.hash = fragment;
  await expect.poll(() => told).toHaveLength(3);
  history.replaceState(history.state, '', before);
});

test.each([['G'], 7, 'drafts', [], { theme: 'no theme' }])(
  'where %j was kept the defaults hold',
  async (kept) => {
    keep(typeof kept === 'object' && !Array.isArray(kept) ? kept : { keys: kept });
    expect(await openShell().preferences()).toEqual(success(defaultPreferences));
  },
);
