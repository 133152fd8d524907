import { expect, test } from 'vitest';
import {
  composeShortcuts,
  isSingleKey,
  listShortcutOf,
  listShortcuts,
  shortcutOf,
  shortcuts,
} from '../../src-renderer/keys.ts';
import { keyWords } from '../../src-renderer/text/words-keys.ts';
import { words } from '../../src-renderer/text/words.ts';

const stroke = (key: string, ...held: readonly ('ctrl' | 'alt' | 'shift' | 'meta')[]) => ({
  key,
  ctrlKey: held.includes('ctrl'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
  metaKey: held.includes('meta'),
});
const anywhere = { isTyping: false, hasSingleKeys: true };

test.each([
  [stroke('k', 'ctrl'), 'switcher'],
  [stroke('K', 'meta'), 'switcher'],
  [stroke('K', 'ctrl', 'shift'), 'newPrivate'],
  [stroke('F', 'ctrl', 'shift'), 'search'],
  [stroke('f', 'ctrl'), 'searchHere'],
  [stroke('/'), 'search'],
  [stroke('/', 'shift'), 'search'],
  [stroke('/', 'ctrl'), 'shortcuts'],
  [stroke('F6'), 'nextRegion'],
  [stroke('F6', 'shift'), 'previousRegion'],
  [stroke('ArrowDown', 'alt'), 'next'],
  [stroke('ArrowDown', 'alt', 'shift'), 'nextUnread'],
  [stroke('?', 'shift'), 'shortcuts'],
  [stroke('?'), 'shortcuts'],
  [stroke('n'), 'nextUnreadTopic'],
  [stroke('p'), 'nextUnreadPrivate'],
  [stroke('I', 'shift'), 'inbox'],
  [stroke('i'), null],
  [stroke('t'), 'recent'],
  [stroke('a'), 'feed'],
  [stroke('M', 'ctrl', 'shift'), 'mentions'],
  [stroke('*', 'shift'), 'starred'],
  [stroke('*'), 'starred'],
  [stroke('d'), 'drafts'],
  [stroke('D', 'ctrl', 'shift'), 'doNotDisturb'],
  [stroke('c'), 'write'],
  [stroke('C', 'shift'), null],
  [stroke('c', 'ctrl'), null],
  [stroke('q'), 'filter'],
  [stroke('w'), 'filterPeople'],
  [stroke('S', 'ctrl', 'shift'), 'leftColumn'],
  [stroke('.', 'ctrl'), 'writing'],
  [{ ...stroke('>', 'ctrl', 'shift'), code: 'Period' }, 'rightColumn'],
  [{ ...stroke(':', 'ctrl', 'shift'), code: 'Period' }, 'rightColumn'],
  [stroke('.', 'ctrl', 'shift'), 'rightColumn'],
  [stroke(',', 'ctrl'), 'settings'],
  [stroke('7', 'ctrl'), 'organization'],
  [stroke('0', 'ctrl'), null],
  [stroke('7'), null],
  [stroke('Tab', 'ctrl'), 'nextOrganization'],
  [stroke('Tab', 'ctrl', 'shift'), 'previousOrganization'],
  [stroke('Escape', 'shift'), 'markAllRead'],
  [stroke('Escape'), null],
])('%o means %s', (given, id) => {
  expect(shortcutOf(given, anywhere)).toBe(id);
});

test('single keys are text while typing, and nothing when they are switched off', () => {
  const typing = { isTyping: true, hasSingleKeys: true };
  const without = { isTyping: false, hasSingleKeys: false };
  for (const given of [stroke('c'), stroke('I', 'shift'), stroke('*', 'shift'), stroke('/')]) {
    expect(shortcutOf(given, typing)).toBeNull();
    expect(shortcutOf(given, without)).toBeNull();
  }
  expect(shortcutOf(stroke('k', 'ctrl'), { isTyping: true, hasSingleKeys: false })).toBe(
    'switcher',
  );
  expect(shortcutOf(stroke('Escape', 'shift'), typing)).toBe('markAllRead');
});

test.each([
  [stroke('ArrowUp'), 'previousMessage'],
  [stroke('j'), 'nextMessage'],
  [stroke('G', 'shift'), 'newestMessage'],
  [stroke('g'), null],
  [stroke('Enter'), 'reply'],
  [stroke('ArrowUp', 'alt'), null],
])('on a message %o means %s', (given, id) => {
  expect(listShortcutOf(given)).toBe(id);
});

test('no chord means two things in one place, and every one is named in the list', () => {
  for (const table of [shortcuts, listShortcuts]) {
    const chords = table.map(({ chord }) => chord);
    expect(new Set(chords).size).toBe(chords.length);
  }
  for (const { id } of shortcuts) expect(keyWords[id]).toBeTruthy();
  for (const { id } of [...listShortcuts, ...composeShortcuts])
    expect(words.shortcuts.actions[id]).toBeTruthy();
});

test('keys that anywhere need Ctrl or Alt are not taken for single ones', () => {
  const single = shortcuts.filter(({ chord }) => isSingleKey(chord)).map(({ id }) => id);
  expect([...new Set(single)]).toEqual([
    'search',
    'shortcuts',
    'nextUnreadTopic',
    'nextUnreadPrivate',
    'inbox',
    'recent',
    'feed',
    'starred',
    'drafts',
    'write',
    'newPrivate',
    'filter',
    'filterPeople',
  ]);
});
