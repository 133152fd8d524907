import { beforeEach, expect, test } from 'vitest';
import { DeepLinks } from '#renderer/state/deep-links.svelte.ts';
import { isPlace } from '#renderer/state/places/places.ts';
import { Preferences } from '#renderer/state/settings/preferences.svelte.ts';
import { account, BridgeDouble, withPeople } from '#test/support/window/bridge-double.ts';

let bridge: BridgeDouble;
let outside: DeepLinks;
let chosen: string[];
beforeEach(() => {
  bridge = new BridgeDouble();
  chosen = [];
  outside = new DeepLinks(bridge, (accountId) => chosen.push(accountId));
});

test('a clicked notification and a link lead to the account and wait there until they are taken', () => {
  const conversation = withPeople(9);
  bridge.push('conversationOpened', { accountId: account.id, conversation, messageId: 7 });
  expect(outside.target).toEqual({ accountId: account.id, conversation, messageId: 7 });
  bridge.push('linkOpened', { accountId: 'other', fragment: '#narrow/stream/1' });
  expect(outside.target).toEqual({ accountId: 'other', link: '#narrow/stream/1' });
  expect(chosen).toEqual([account.id, 'other']);
  outside.takeTarget();
  expect(outside.target).toBeNull();
});

test('a command waits for who can run it, and only the newest one waits', () => {
  bridge.push('commandRun', { command: 'settings' });
  bridge.push('commandRun', { command: 'shortcuts' });
  const run: string[] = [];
  const stop = outside.onCommand((command) => run.push(command));
  bridge.push('commandRun', { command: 'switcher' });
  expect(run).toEqual(['shortcuts', 'switcher']);
  stop();
  bridge.push('commandRun', { command: 'back' });
  expect(run).toHaveLength(2);
});

test('the page may be freed once everything is handed over, even if some of it failed', async () => {
  const order: string[] = [];
  bridge.answer('readyToClose', async () => {
    order.push('ready');
    return { ok: true, value: null };
  });
  outside.onClosing(async () => {
    await Promise.resolve();
    order.push('drafts');
  });
  outside.onClosing(() => Promise.reject(new Error('full disk')));
  bridge.push('windowClosing', {});
  await expect.poll(() => order).toEqual(['drafts', 'ready']);
});

test('the place that was kept is that of its account', async () => {
  bridge.place = { accountId: account.id, place: '{"kind":"inbox"}' };
  expect(await outside.load()).toBe(account.id);
  expect(outside.savedPlace(account.id)).toBe('{"kind":"inbox"}');
  expect(outside.savedPlace('other')).toBeNull();
});

test('each account of the window is found again where it was left', async () => {
  bridge.place = { accountId: account.id, place: '{"kind":"inbox"}' };
  await outside.load();
  outside.savePlace({ accountId: 'other', place: '{"kind":"mentions"}' });
  outside.savePlace({ accountId: account.id, place: '{"kind":"drafts"}' });
  expect(outside.savedPlace(account.id)).toBe('{"kind":"drafts"}');
  expect(outside.savedPlace('other')).toBe('{"kind":"mentions"}');
});

test.each([
  [{ kind: 'inbox' }, true],
  [{ kind: 'mentions' }, true],
  [{ kind: 'stream', streamId: 1, topic: null }, true],
  [{ kind: 'stream', streamId: 1, topic: 'x' }, true],
  [{ kind: 'stream', streamId: '1', topic: null }, false],
  [{ kind: 'private', userIds: [] }, true],
  [{ kind: 'private', userIds: ['9'] }, false],
  [{ kind: 'search', terms: [] }, true],
  [{ kind: 'search', terms: [], order: 'relevance' }, true],
  [{ kind: 'search', terms: [], order: 'later' }, false],
  [{ kind: 'search' }, false],
  [{ kind: 'later' }, false],
  [{}, false],
  [null, false],
  ['inbox', false],
])('whether %j is a place: %s', (value, expected) => {
  expect(isPlace(value)).toBe(expected);
});

test('choices change how the page looks, also when another window changed them', async () => {
  const root = document.documentElement;
  bridge.choices = { ...bridge.choices, theme: 'dark', fontSize: 16, density: 'compact' };
  const preferences = new Preferences(bridge);
  await preferences.load();
  expect(root.style.colorScheme).toBe('dark');
  expect(root.dataset['density']).toBe('compact');
  expect(parseFloat(root.style.fontSize)).toBeCloseTo((16 / 14) * 100);
  bridge.choices = { ...bridge.choices, theme: 'system', fontSize: 14 };
  bridge.push('preferencesChanged', bridge.choices);
  expect([root.style.colorScheme, root.style.fontSize]).toEqual(['', '']);
  await preferences.change({ density: 'comfortable' });
  expect(root.dataset['density']).toBe('comfortable');
  bridge.fail('setPreferences', 'The disk is full.');
  expect(await preferences.change({ theme: 'dark' })).toMatchObject({ ok: false });
  expect(preferences.choices.theme).toBe('system');
  preferences.stop();
});
