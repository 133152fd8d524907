/** What keys do, and what is said where they are changed. */
import type { ActionId, KeyContext } from '#shared/bridge/keys/keys.ts';
import type { Refusal } from '#shared/bridge/keys/key-choices.ts';

export const keyWords: Readonly<Record<ActionId, string>> = {
  switcher: 'Go to a conversation, a view or a command',
  search: 'Search everywhere',
  searchHere: 'Search in this conversation',
  shortcuts: 'The list of keys',
  nextUnreadTopic: 'Next unread topic',
  nextUnreadPrivate: 'Next unread private conversation',
  next: 'Next conversation',
  previous: 'Previous conversation',
  nextUnread: 'Next unread conversation',
  previousUnread: 'Previous unread conversation',
  back: 'Back',
  forward: 'Forward',
  inbox: 'Inbox',
  recent: 'Recent conversations',
  feed: 'Combined feed',
  mentions: 'Mentions',
  starred: 'Starred messages',
  drafts: 'Drafts',
  write: 'Write a message',
  newPrivate: 'New private message',
  writing: 'Go to where you are writing',
  filter: 'Filter conversations',
  filterPeople: 'Filter people',
  nextRegion: 'Next part of the window',
  previousRegion: 'Previous part of the window',
  leftColumn: 'Show or hide the left column',
  rightColumn: 'Show or hide people and details',
  organization: 'Organization 1 to 9',
  nextOrganization: 'Next organization',
  previousOrganization: 'Previous organization',
  markAllRead: 'Mark everything as read, after asking',
  doNotDisturb: 'Do not disturb, on or off',
  settings: 'Settings',

  nextMessage: 'Next message',
  previousMessage: 'Previous message',
  firstMessage: 'First message',
  newestMessage: 'Newest message, with all before it read',
  reply: 'Reply',
  pageDown: 'A page down',
  pageUp: 'A page up',
  firstUnread: 'First unread message',
  quote: 'Quote and reply',
  replyPrivately: 'Reply privately',
  mentionSender: 'Mention the sender',
  openTopic: 'Open its topic, or the whole stream',
  openConversation: 'Open its conversation',
  openInContext: 'Open it in its conversation',
  edit: 'Edit',
  react: 'React',
  thumbsUp: 'React with thumbs up',
  repeatReaction: 'Repeat the first reaction',
  star: 'Star',
  muteTopic: 'Mute its topic',
  markUnread: 'Mark unread from here',
  history: 'View history',
  senderCard: 'About the sender',
  menu: 'All actions',
  markRead: 'Twice: mark all here as read',
  send: 'Send',
  newLine: 'New line',
  bold: 'Bold',
  italic: 'Italic',
  link: 'Link',
  preview: 'Preview, and back',
  pastePlain: 'Paste without formatting',
  editLast: 'In an empty box: edit my last message',
  goThere: 'Go to where the message will be',
  leave: 'Leave the box; the text stays',
};

/** In the order in which they are listed. */
export const contexts: readonly KeyContext[] = ['anywhere', 'list', 'compose'];

const quoted = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(' and ');

export const keysPageWords = {
  open: 'Change keys…',
  intro:
    'Press Change beside an action, then its new keys. They are kept for you on this computer.',
  none: 'No key',
  always: 'Always',
  alwaysHint: 'This key cannot be changed.',
  off: 'switched off',
  change: 'Change',
  /** @param keys  empty for an action without any */
  changeLabel: (action: string, keys: string): string =>
    keys === '' ? `Change: ${action}, no key` : `Change: ${action}, ${keys}`,
  reset: (action: string): string => `Reset: ${action}`,
  field: 'New keys',
  fieldLabel: (action: string): string => `New keys for ${action}`,
  waiting: 'Press the keys…',
  hint: 'Esc leaves everything as it is.',
  noKey: 'No key',
  cancel: 'Cancel',
  takeOver: 'Take over',
  keep: 'Keep it there',

  conflict: (keys: string, others: readonly string[]): string =>
    `${keys} already belongs to ${quoted(others)}. Take it over, keep it there, or press other keys.`,
  fixed: (keys: string, others: readonly string[]): string =>
    `${keys} always belongs to ${quoted(others)} and cannot be given away. Press other keys.`,
  modifier:
    'Ctrl, Alt, Shift and the like count only together with another key: hold them and press it.',
  unknown: 'This key has no name by which it could be kept. Press another one.',
  refusals: {
    field: (keys: string): string =>
      `${keys} is needed in text fields, lists or buttons. Press other keys.`,
    system: (keys: string): string =>
      `${keys} belongs to the system or to the window, for example to quit or to zoom. Press other keys.`,
    text: (keys: string): string =>
      `${keys} is text while you write. Hold Ctrl or Alt with it, or press a function key.`,
    digit: (): string => 'Here each digit is a key: press one from 1 to 9, with Ctrl or Alt.',
  } satisfies Readonly<Record<Refusal, (keys: string) => string>>,

  saved: (action: string, keys: readonly string[]): string =>
    keys.length === 0 ? `${action} has no key now.` : `${action}: ${keys.join(' or ')}.`,
  lost: (names: readonly string[]): string => `Taken from ${quoted(names)}.`,
  isOff: 'It acts once single-key shortcuts are on.',

  resetAll: 'Reset all keys…',
  resetAllTitle: 'Reset all keys?',
  resetAllText:
    'Every action gets the keys back that it had at first. Your own choices are removed.',
  resetAllRun: 'Reset',
  allReset: 'All keys are as they were at first.',

  outside: 'From every program',
  outsideName: 'Show or hide Hearth',
  outsideHint: 'Works while another program has the focus. No key until you choose one.',
} as const;
