const isMac = navigator.userAgent.includes('Mac OS');

/** The keys that act anywhere in the window, in the order in which they are listed. */
export const shortcuts = [
  { id: 'switcher', chord: 'Ctrl+K' },
  { id: 'search', chord: 'Ctrl+Shift+F' },
  { id: 'search', chord: '/' },
  { id: 'searchHere', chord: 'Ctrl+F' },
  { id: 'shortcuts', chord: '?' },
  { id: 'shortcuts', chord: 'Ctrl+/' },
  { id: 'nextUnreadTopic', chord: 'N' },
  { id: 'nextUnreadPrivate', chord: 'P' },
  { id: 'next', chord: 'Alt+ArrowDown' },
  { id: 'previous', chord: 'Alt+ArrowUp' },
  { id: 'nextUnread', chord: 'Alt+Shift+ArrowDown' },
  { id: 'previousUnread', chord: 'Alt+Shift+ArrowUp' },
  { id: 'back', chord: isMac ? 'Ctrl+[' : 'Alt+ArrowLeft' },
  { id: 'forward', chord: isMac ? 'Ctrl+]' : 'Alt+ArrowRight' },
  { id: 'inbox', chord: 'Shift+I' },
  { id: 'recent', chord: 'T' },
  { id: 'feed', chord: 'A' },
  { id: 'mentions', chord: 'Ctrl+Shift+M' },
  { id: 'starred', chord: '*' },
  { id: 'drafts', chord: 'D' },
  { id: 'write', chord: 'C' },
  { id: 'newPrivate', chord: 'X' },
  { id: 'newPrivate', chord: 'Ctrl+Shift+K' },
  { id: 'writing', chord: 'Ctrl+.' },
  { id: 'filter', chord: 'Q' },
  { id: 'filterPeople', chord: 'W' },
  { id: 'nextRegion', chord: 'F6' },
  { id: 'previousRegion', chord: 'Shift+F6' },
  { id: 'leftColumn', chord: 'Ctrl+Shift+S' },
  { id: 'rightColumn', chord: 'Ctrl+Shift+.' },
  { id: 'organization', chord: 'Ctrl+1…9' },
  { id: 'nextOrganization', chord: 'Ctrl+Tab' },
  { id: 'previousOrganization', chord: 'Ctrl+Shift+Tab' },
  { id: 'markAllRead', chord: 'Shift+Escape' },
  { id: 'doNotDisturb', chord: 'Ctrl+Shift+D' },
  { id: 'settings', chord: 'Ctrl+,' },
] as const;

export type ShortcutId = (typeof shortcuts)[number]['id'];

/** Keys that the message list understands itself. */
export const listShortcuts = [
  { id: 'nextMessage', chord: 'ArrowDown' },
  { id: 'nextMessage', chord: 'J' },
  { id: 'previousMessage', chord: 'ArrowUp' },
  { id: 'previousMessage', chord: 'K' },
  { id: 'pageDown', chord: 'PageDown' },
  { id: 'pageDown', chord: 'Space' },
  { id: 'pageDown', chord: 'Shift+J' },
  { id: 'pageUp', chord: 'PageUp' },
  { id: 'pageUp', chord: 'Shift+K' },
  { id: 'firstMessage', chord: 'Home' },
  { id: 'newestMessage', chord: 'End' },
  { id: 'newestMessage', chord: 'Shift+G' },
  { id: 'firstUnread', chord: 'Shift+PageUp' },
  { id: 'reply', chord: 'Enter' },
  { id: 'reply', chord: 'R' },
  { id: 'quote', chord: '>' },
  { id: 'replyPrivately', chord: 'Shift+R' },
  { id: 'mentionSender', chord: '@' },
  { id: 'openTopic', chord: 'S' },
  { id: 'openConversation', chord: 'Shift+S' },
  { id: 'openInContext', chord: 'Z' },
  { id: 'edit', chord: 'ArrowLeft' },
  { id: 'edit', chord: 'E' },
  { id: 'react', chord: ':' },
  { id: 'thumbsUp', chord: '+' },
  { id: 'repeatReaction', chord: '=' },
  { id: 'star', chord: 'Ctrl+S' },
  { id: 'muteTopic', chord: 'Shift+M' },
  { id: 'markUnread', chord: 'Shift+U' },
  { id: 'history', chord: 'Shift+H' },
  { id: 'senderCard', chord: 'U' },
  { id: 'menu', chord: 'I' },
  { id: 'markRead', chord: 'Escape' },
] as const;

export type ListShortcutId = (typeof listShortcuts)[number]['id'];

/** Keys of the compose box; it reads them itself, because they depend on what is written. */
export const composeShortcuts = [
  { id: 'send', chord: 'Enter' },
  { id: 'send', chord: 'Ctrl+Enter' },
  { id: 'newLine', chord: 'Shift+Enter' },
  { id: 'bold', chord: 'Ctrl+B' },
  { id: 'italic', chord: 'Ctrl+I' },
  { id: 'link', chord: 'Ctrl+Shift+L' },
  { id: 'preview', chord: 'Alt+P' },
  { id: 'pastePlain', chord: 'Ctrl+Shift+V' },
  { id: 'editLast', chord: 'ArrowUp' },
  { id: 'editLast', chord: 'ArrowLeft' },
  { id: 'goThere', chord: 'Ctrl+.' },
  { id: 'leave', chord: 'Escape' },
] as const;

type Stroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'> &
  Partial<Pick<KeyboardEvent, 'code'>>;

/** Whether the key was pressed with what is Ctrl here, and the Command key on a Mac. */
export const hasControl = (stroke: Pick<Stroke, 'ctrlKey' | 'metaKey'>): boolean =>
  stroke.ctrlKey || stroke.metaKey;

/** A chord of printable characters alone: in a text field it is text, and a person can switch such keys off. */
export const isSingleKey = (chord: string): boolean => chord.replace(/^Shift\+/, '').length === 1;

/** Where the key lies, for chords whose character is another one with Shift held. */
const codes: Readonly<Record<string, string>> = { '.': 'Period' };

function isKey(key: string, { key: pressed, code, shiftKey }: Stroke): boolean {
  if (key === '1…9') return /^[1-9]$/.test(pressed);
  if (shiftKey && codes[key] !== undefined && code === codes[key]) return true;
  return pressed.toLowerCase() === key.toLowerCase();
}

function isStroke(chord: string, stroke: Stroke): boolean {
  // The plus sign is a key too, and the space bar one without a printed name.
  const parts = chord === '+' ? [chord] : chord.split('+');
  const key = parts.at(-1) === 'Space' ? ' ' : (parts.at(-1) ?? '');
  // A character such as "?" needs Shift on some layouts and not on others.
  const isShiftFree = key.length === 1 && /[^A-Z.,]/.test(key) && !parts.includes('Shift');
  return (
    isKey(key, stroke) &&
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
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  ...(isMac ? { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' } : {}),
};

/** The keys of a chord as they are printed on the keyboard. */
export const chordKeys = (chord: string): readonly string[] =>
  (chord === '+' ? [chord] : chord.split('+')).map((key) => names[key] ?? key);
