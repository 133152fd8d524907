import { beforeEach, expect, test } from 'vitest';
import { defaultPreferences } from '../../../src-main/bridge/models/preference-defaults.ts';
import { success } from '../../../src-main/bridge/outcome.ts';
import { createWebShell } from '../../../src-renderer/web/shell.ts';

const NAME = 'hearth.preferences';
const keep = (kept: unknown): void => localStorage.setItem(NAME, JSON.stringify(kept));

beforeEach(() => localStorage.removeItem(NAME));

test('changed keys are there when the page is opened again', async () => {
  await createWebShell().setPreferences({ keys: { drafts: ['G'], inbox: [] } });
  expect(await createWebShell().preferences()).toEqual(
    success({ ...defaultPreferences, keys: { drafts: ['G'], inbox: [] } }),
  );
});

test('choices and keys that another version kept hold where they are known here', async () => {
  keep({ theme: 'dark', later: true, keys: { drafts: ['G'], later: ['H'], inbox: ['no key'] } });
  expect(await createWebShell().preferences()).toEqual(
    success({ ...defaultPreferences, theme: 'dark', keys: { drafts: ['G'] } }),
  );
});

test('a link in the address is told until it was followed, in a tab that is open and in one that is loaded again', async () => {
  const fragment = '#narrow/stream/1-general/topic/lunch/near/7';
  const before = location.href;
  const told: unknown[] = [];
  const shell = createWebShell();
  shell.on('linkOpened', (event) => told.push(event));
  history.replaceState(history.state, '', fragment);
  await shell.pageReady();
  await shell.pageReady();
  expect(told).toEqual([
    { accountId: null, fragment },
    { accountId: null, fragment },
  ]);
  await shell.keepPlace({ accountId: 'ada', place: '{}' });
  expect(location.hash).toBe('');
  location.hash = fragment;
  await expect.poll(() => told).toHaveLength(3);
  history.replaceState(history.state, '', before);
});

test.each([['G'], 7, 'drafts', [], { theme: 'no theme' }])(
  'where %j was kept the defaults hold',
  async (kept) => {
    keep(typeof kept === 'object' && !Array.isArray(kept) ? kept : { keys: kept });
    expect(await createWebShell().preferences()).toEqual(success(defaultPreferences));
  },
);
