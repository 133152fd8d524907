import { expect, test } from 'vitest';
import { listShortcutOf, shortcutOf } from '../../src-renderer/keys.ts';

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
  [stroke('k', 'ctrl', 'shift'), null],
  [stroke('F6'), 'nextRegion'],
  [stroke('F6', 'shift'), 'previousRegion'],
  [stroke('ArrowDown', 'alt'), 'next'],
  [stroke('ArrowDown', 'alt', 'shift'), 'nextUnread'],
  [stroke('?', 'shift'), 'shortcuts'],
  [stroke('?'), 'shortcuts'],
  [stroke('c'), 'write'],
  [stroke('C', 'shift'), null],
  [stroke('c', 'ctrl'), null],
])('%o means %s', (given, id) => {
  expect(shortcutOf(given, anywhere)).toBe(id);
});

test('single keys are text while typing, and nothing when they are switched off', () => {
  expect(shortcutOf(stroke('c'), { isTyping: true, hasSingleKeys: true })).toBeNull();
  expect(shortcutOf(stroke('?', 'shift'), { isTyping: false, hasSingleKeys: false })).toBeNull();
  expect(shortcutOf(stroke('k', 'ctrl'), { isTyping: true, hasSingleKeys: false })).toBe(
    'switcher',
  );
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
