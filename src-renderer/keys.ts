const isMac = navigator.userAgent.includes('Mac OS');

/** The keys that act anywhere in the window, and how they are told from typing. */
export const shortcuts = [
  { id: 'switcher', chord: 'Ctrl+K' },
  { id: 'next', chord: 'Alt+ArrowDown' },
  { id: 'previous', chord: 'Alt+ArrowUp' },
  { id: 'nextUnread', chord: 'Alt+Shift+ArrowDown' },
  { id: 'previousUnread', chord: 'Alt+Shift+ArrowUp' },
  { id: 'back', chord: isMac ? 'Ctrl+[' : 'Alt+ArrowLeft' },
  { id: 'forward', chord: isMac ? 'Ctrl+]' : 'Alt+ArrowRight' },
  { id: 'nextRegion', chord: 'F6' },
  { id: 'previousRegion', chord: 'Shift+F6' },
  { id: 'write', chord: 'C' },
  { id: 'newPrivate', chord: 'X' },
  { id: 'shortcuts', chord: '?' },
  { id: 'shortcuts', chord: 'Ctrl+/' },
] as const;

export type ShortcutId = (typeof shortcuts)[number]['id'];

/** Keys that the message list understands itself. */
export const listShortcuts = [
  { id: 'nextMessage', chord: 'ArrowDown' },
  { id: 'nextMessage', chord: 'J' },
  { id: 'previousMessage', chord: 'ArrowUp' },
  { id: 'previousMessage', chord: 'K' },
  { id: 'firstMessage', chord: 'Home' },
  { id: 'newestMessage', chord: 'End' },
  { id: 'newestMessage', chord: 'Shift+G' },
  { id: 'reply', chord: 'Enter' },
  { id: 'reply', chord: 'R' },
  { id: 'openTopic', chord: 'S' },
] as const;

export type ListShortcutId = (typeof listShortcuts)[number]['id'];

/** Keys of the compose box; it reads them itself, because they depend on what is written. */
export const composeShortcuts = [
  { id: 'send', chord: 'Enter' },
  { id: 'send', chord: 'Ctrl+Enter' },
  { id: 'newLine', chord: 'Shift+Enter' },
  { id: 'goThere', chord: 'Ctrl+.' },
  { id: 'leave', chord: 'Escape' },
] as const;

type Stroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Whether the key was pressed with what is Ctrl here, and the Command key on a Mac. */
export const hasControl = (stroke: Stroke): boolean => stroke.ctrlKey || stroke.metaKey;

export const isSingleKey = (chord: string): boolean => chord.length === 1;

function isStroke(chord: string, stroke: Stroke): boolean {
  const parts = chord.split('+');
  const key = parts.at(-1) ?? '';
  // A character such as "?" needs Shift on some layouts and not on others.
  const isShiftFree = isSingleKey(key) && !/[A-Z]/.test(key);
  return (
    stroke.key.toLowerCase() === key.toLowerCase() &&
    hasControl(stroke) === parts.includes('Ctrl') &&
    stroke.altKey === parts.includes('Alt') &&
    (isShiftFree || stroke.shiftKey === parts.includes('Shift'))
  );
}

/**
 * @param isTyping  a text field has the focus: single keys are text then
 * @param hasSingleKeys  the person has them switched on
 */
export function shortcutOf(
  stroke: Stroke,
  { isTyping, hasSingleKeys }: { readonly isTyping: boolean; readonly hasSingleKeys: boolean },
): ShortcutId | null {
  const found = shortcuts.find(({ chord }) => isStroke(chord, stroke));
  if (found === undefined) return null;
  return isSingleKey(found.chord) && (isTyping || !hasSingleKeys) ? null : found.id;
}

/** What a key means while a message has the focus. */
export const listShortcutOf = (stroke: Stroke): ListShortcutId | null =>
  listShortcuts.find(({ chord }) => isStroke(chord, stroke))?.id ?? null;

export const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('input:not([type="checkbox"]), textarea, select, [contenteditable]');

const names: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ...(isMac ? { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' } : {}),
};

/** The keys of a chord as they are printed on the keyboard. */
export const chordKeys = (chord: string): readonly string[] =>
  chord.split('+').map((key) => names[key] ?? key);
