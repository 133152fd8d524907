import { expect, test } from 'vitest';
import { isSingleKey, type Stroke } from '#shared/bridge/keys/chords.ts';
import { keyboardOf } from '#shared/bridge/keys/key-choices.ts';
import type { ShortcutId } from '#shared/bridge/keys/keys.ts';
import {
  ariaKeys,
  chordKeys,
  composeShortcutOf,
  hintOf,
  listShortcutOf,
  shortcutOf,
  withHint,
} from '#renderer/lib/keys.ts';
import { keyWords } from '#renderer/i18n/keys.ts';
import { keysOf } from '../support/window/keys.ts';
import { stroke } from '../support/window/strokes.ts';

const keyboard = keyboardOf({}, false);
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
  expect(shortcutOf(keyboard, given, anywhere)).toBe(id);
});

test('single keys are text while typing, and nothing when they are switched off', () => {
  const typing = { isTyping: true, hasSingleKeys: true };
  const without = { isTyping: false, hasSingleKeys: false };
  for (const given of [stroke('c'), stroke('I', 'shift'), stroke('*', 'shift'), stroke('/')]) {
    expect(shortcutOf(keyboard, given, typing)).toBeNull();
    expect(shortcutOf(keyboard, given, without)).toBeNull();
  }
  expect(shortcutOf(keyboard, stroke('k', 'ctrl'), { isTyping: true, hasSingleKeys: false })).toBe(
    'switcher',
  );
  expect(shortcutOf(keyboard, stroke('Escape', 'shift'), typing)).toBe('markAllRead');
});

test.each([
  [stroke('ArrowUp'), 'previousMessage'],
  [stroke('j'), 'nextMessage'],
  [stroke('G', 'shift'), 'newestMessage'],
  [stroke('g'), null],
  [stroke('Enter'), 'reply'],
  [stroke('ArrowUp', 'alt'), null],
])('the key %o on a message means %s', (given, id) => {
  expect(listShortcutOf(keyboard, given)).toBe(id);
});

test.each([
  [stroke('b', 'ctrl'), 'bold'],
  [stroke('B', 'ctrl', 'shift'), null],
  [stroke('L', 'ctrl', 'shift'), 'link'],
  [{ ...stroke('π', 'alt'), code: 'KeyP' }, 'preview'],
  [stroke('.', 'ctrl'), 'goThere'],
  [stroke('b'), null],
])('while writing %o means %s', (given, id) => {
  expect(composeShortcutOf(keyboard, given)).toBe(id);
});

/** @param letter  any letter of the layout, which tells what layout it is */
const typedAt = (letter: string, code: string, given: Stroke) => ({
  letter,
  given: { ...given, code },
});

test.each([
  ['Russian', typedAt('ф', 'KeyK', stroke('л', 'ctrl')), ['switcher', null, null]],
  ['Russian', typedAt('ф', 'KeyB', stroke('и', 'ctrl')), [null, null, 'bold']],
  ['Russian', typedAt('ф', 'KeyN', stroke('т')), ['nextUnreadTopic', null, null]],
  ['Russian', typedAt('ф', 'KeyI', stroke('Ш', 'shift')), ['inbox', null, null]],
  ['Russian', typedAt('ф', 'Period', stroke('Ю', 'shift')), [null, 'quote', null]],
  ['Russian', typedAt('ф', 'Comma', stroke('б', 'ctrl')), ['settings', null, null]],
  ['Russian', typedAt('ф', 'Digit2', stroke('"', 'shift')), [null, 'mentionSender', null]],
  ['Russian', typedAt('ф', 'Slash', stroke('.', 'ctrl')), ['writing', null, 'goThere']],
  ['Russian', typedAt('ф', 'Digit7', stroke('?', 'shift')), ['shortcuts', null, null]],
  ['Greek', typedAt('α', 'KeyK', stroke('κ', 'ctrl')), ['switcher', null, null]],
  ['Greek', typedAt('α', 'KeyW', stroke('ς')), ['filterPeople', null, null]],
  ['Greek', typedAt('α', 'KeyQ', stroke(';')), ['filter', null, null]],
  ['Hebrew', typedAt('ש', 'KeyB', stroke('נ', 'ctrl')), [null, null, 'bold']],
  ['Hebrew', typedAt('ש', 'KeyW', stroke("'")), ['filterPeople', null, null]],
  ['Hebrew', typedAt('ש', 'KeyQ', stroke('/')), ['search', null, null]],
  ['Hebrew', typedAt('ש', 'KeyI', stroke('I', 'shift')), ['inbox', null, null]],
  ['Persian', typedAt('ش', 'Digit7', stroke('۷', 'ctrl')), ['organization', null, null]],
  ['German', typedAt('a', 'KeyY', stroke('z')), [null, 'openInContext', null]],
  ['German', typedAt('a', 'Digit2', stroke('"', 'shift')), [null, null, null]],
  ['French', typedAt('a', 'Digit2', stroke('é', 'ctrl')), [null, null, null]],
  ['Dvorak', typedAt('a', 'KeyQ', stroke("'")), [null, null, null]],
])('on a %s layout %o means %j', (_, { letter, given }, meanings) => {
  listShortcutOf(keyboard, stroke(letter));
  expect([
    shortcutOf(keyboard, given, anywhere),
    listShortcutOf(keyboard, given),
    composeShortcutOf(keyboard, given),
  ]).toEqual(meanings);
});

test('a letter of another script that somebody has chosen comes before the place of its key', () => {
  const changed = keyboardOf({ drafts: ['Ctrl+Л'] }, false);
  const given = { ...stroke('л', 'ctrl'), code: 'KeyK' };
  expect(shortcutOf(changed, given, anywhere)).toBe('drafts');
  expect(shortcutOf(changed, stroke('k', 'ctrl'), anywhere)).toBe('switcher');
});

test('an event of the browser means the same as its parts', () => {
  const given = { key: '>', code: 'Period', ctrlKey: true, shiftKey: true };
  const event = new KeyboardEvent('keydown', given);
  expect(shortcutOf(keyboard, event, anywhere)).toBe('rightColumn');
});

test('a changed key means its new action, and the one before nothing', () => {
  const changed = keyboardOf({ switcher: ['Ctrl+J'], reply: [], bold: ['Alt+B'] }, false);
  expect(shortcutOf(changed, stroke('j', 'ctrl'), anywhere)).toBe('switcher');
  expect(shortcutOf(changed, stroke('k', 'ctrl'), anywhere)).toBeNull();
  expect(listShortcutOf(changed, stroke('r'))).toBeNull();
  expect(listShortcutOf(changed, stroke('Enter'))).toBe('reply');
  expect(composeShortcutOf(changed, stroke('b', 'alt'))).toBe('bold');
  expect(composeShortcutOf(changed, stroke('b', 'ctrl'))).toBeNull();
});

test('hints name the keys that hold', () => {
  const changed = keyboardOf({ search: [], organization: ['Alt+1…9'], switcher: ['Alt++'] }, false);
  expect(withHint('Go to', keyboard, 'switcher')).toBe('Go to (Ctrl+K)');
  expect(withHint('Go to', changed, 'switcher')).toBe('Go to (Alt++)');
  expect(withHint('Search', changed, 'search')).toBe('Search');
  expect(hintOf(changed, 'organization', 3)).toBe('Alt+3');
  expect(hintOf(keyboard, 'reply')).toBe('R');
  expect(hintOf(keyboard, 'firstMessage')).toBe('Home');
  expect(ariaKeys(keyboard, 'search')).toBe('Control+Shift+F /');
  expect(ariaKeys(changed, 'switcher')).toBe('Alt+Plus');
  expect(ariaKeys(changed, 'search')).toBeUndefined();
});

test.each([
  ['+', ['+']],
  ['Ctrl++', ['Ctrl', '+']],
  ['Alt+Shift+ArrowDown', ['Alt', 'Shift', '↓']],
])('the keys of %s are %j', (chord, keys) => {
  expect(chordKeys(chord)).toEqual(keys);
});

test('everything that keys do is named', () => {
  for (const { id } of keyboard) expect(keyWords[id]).toBeTruthy();
});

test('keys that anywhere need Ctrl or Alt are not taken for single ones', () => {
  const single = keysOf<ShortcutId>('anywhere')
    .filter(({ chord }) => isSingleKey(chord))
    .map(({ id }) => id);
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
