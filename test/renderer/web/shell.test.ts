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

test.each([['G'], 7, 'drafts', [], { theme: 'no theme' }])(
  'where %j was kept the defaults hold',
  async (kept) => {
    keep(typeof kept === 'object' && !Array.isArray(kept) ? kept : { keys: kept });
    expect(await createWebShell().preferences()).toEqual(success(defaultPreferences));
  },
);
