/** What the keys of the application do, until a person gives them to something else. */

interface Row {
  readonly id: string;
  readonly chord: string;
  /** In its place on a Mac. */
  readonly mac?: string;
  /** Belongs to lists, fields and dialogs everywhere, so nobody can give it to something else. */
  readonly isFixed?: true;
  /** It is the same in another place, so the keys are those of the other one. */
  readonly sameAs?: 'writing';
}

/** The keys that act anywhere in the window, in the order in which they are listed. */
const anywhere = [
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
  { id: 'back', chord: 'Alt+ArrowLeft', mac: 'Ctrl+[' },
  { id: 'forward', chord: 'Alt+ArrowRight', mac: 'Ctrl+]' },
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
] as const satisfies readonly Row[];

/** Keys that the message list understands itself. */
const list = [
  { id: 'nextMessage', chord: 'ArrowDown', isFixed: true },
  { id: 'nextMessage', chord: 'J' },
  { id: 'previousMessage', chord: 'ArrowUp', isFixed: true },
  { id: 'previousMessage', chord: 'K' },
  { id: 'pageDown', chord: 'PageDown', isFixed: true },
  { id: 'pageDown', chord: 'Space', isFixed: true },
  { id: 'pageDown', chord: 'Shift+J' },
  { id: 'pageUp', chord: 'PageUp', isFixed: true },
  { id: 'pageUp', chord: 'Shift+K' },
  { id: 'firstMessage', chord: 'Home', isFixed: true },
  { id: 'newestMessage', chord: 'End', isFixed: true },
  { id: 'newestMessage', chord: 'Shift+G' },
  { id: 'firstUnread', chord: 'Shift+PageUp' },
  { id: 'reply', chord: 'Enter', isFixed: true },
  { id: 'reply', chord: 'R' },
  { id: 'quote', chord: '>' },
  { id: 'replyPrivately', chord: 'Shift+R' },
  { id: 'mentionSender', chord: '@' },
  { id: 'openTopic', chord: 'S' },
  { id: 'openConversation', chord: 'Shift+S' },
  { id: 'openInContext', chord: 'Z' },
  { id: 'edit', chord: 'ArrowLeft', isFixed: true },
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
  { id: 'markRead', chord: 'Escape', isFixed: true },
] as const satisfies readonly Row[];

/** Keys of the compose box; it reads them itself, because they depend on what is written. */
const compose = [
  { id: 'send', chord: 'Enter', isFixed: true },
  { id: 'send', chord: 'Ctrl+Enter', isFixed: true },
  { id: 'newLine', chord: 'Shift+Enter', isFixed: true },
  { id: 'bold', chord: 'Ctrl+B' },
  { id: 'italic', chord: 'Ctrl+I' },
  { id: 'link', chord: 'Ctrl+Shift+L' },
  { id: 'preview', chord: 'Alt+P' },
  { id: 'pastePlain', chord: 'Ctrl+Shift+V', isFixed: true },
  { id: 'editLast', chord: 'ArrowUp', isFixed: true },
  { id: 'editLast', chord: 'ArrowLeft', isFixed: true },
  { id: 'goThere', chord: 'Ctrl+.', sameAs: 'writing' },
  { id: 'leave', chord: 'Escape', isFixed: true },
] as const satisfies readonly Row[];

export type ShortcutId = (typeof anywhere)[number]['id'];
export type ListShortcutId = (typeof list)[number]['id'];
export type ComposeShortcutId = (typeof compose)[number]['id'];
/** Something that keys do, of all three tables: no two have an id in common. */
export type ActionId = ShortcutId | ListShortcutId | ComposeShortcutId;

/** Where a key acts: anywhere, while a message has the focus, or while one writes. */
export type KeyContext = 'anywhere' | 'list' | 'compose';

export interface KeyAction {
  readonly id: ActionId;
  readonly context: KeyContext;
  /** Chords that it keeps in any case. */
  readonly fixed: readonly string[];
  /** Chords that it has until a person chooses others. */
  readonly defaults: readonly string[];
  /** The action whose keys it always has; undefined for one with its own. */
  readonly sameAs: ActionId | undefined;
}

function actionsOf(
  context: KeyContext,
  rows: readonly (Row & { readonly id: ActionId })[],
  isMac: boolean,
): readonly KeyAction[] {
  const chords = (id: ActionId, isFixed: boolean): readonly string[] =>
    rows
      .filter((row) => row.id === id && (row.isFixed === true) === isFixed)
      .map(({ chord, mac }) => (isMac ? (mac ?? chord) : chord));
  return [...new Set(rows.map(({ id }) => id))].map((id) => ({
    id,
    context,
    fixed: chords(id, true),
    defaults: chords(id, false),
    sameAs: rows.find((row) => row.id === id)?.sameAs,
  }));
}

const tableOf = (isMac: boolean): readonly KeyAction[] => [
  ...actionsOf('anywhere', anywhere, isMac),
  ...actionsOf('list', list, isMac),
  ...actionsOf('compose', compose, isMac),
];
const tables = { mac: tableOf(true), others: tableOf(false) };

/** Everything that keys do, in the order in which it is listed. */
export const keyActions = (isMac: boolean): readonly KeyAction[] =>
  isMac ? tables.mac : tables.others;

const ids: ReadonlySet<string> = new Set(tables.others.map(({ id }) => id));
export const isActionId = (id: string): id is ActionId => ids.has(id);
