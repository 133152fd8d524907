/** What is said in the compose box and the choice of emoji. */
import { count } from './count.ts';
import { percent } from './percent.ts';

export const composeWords = {
  start: 'Message…',
  choose: 'Where to?',
  toStream: 'Stream',
  toPeople: 'People',
  streamLabel: 'Stream to write to',
  streamPlaceholder: 'Choose a stream',
  peopleLabel: 'People to write to',
  writeThere: 'Write',
  change: 'Write somewhere else',
  noStreams: 'There is no stream here that you can write in.',

  ctrlEnterSends: 'Ctrl+Enter sends, Enter starts a new line',
  sentTo: (where: string): string => `Sent to ${where}.`,
  keepFailed: (reason: string): string =>
    `Your draft could not be kept on this computer. ${reason}`,
  deactivated: (names: string): string =>
    `${names} can no longer receive messages: the account is deactivated.`,
  deactivatedInGroup: (names: string): string =>
    `Nobody can write here any more: the account of ${names} is deactivated.`,
  notJoined: (stream: string): string => `You are not in #${stream}.`,
  privateOff: 'Private messages are switched off in this organization.',
  subscribersOnly: 'Only those who are subscribed to this stream can write in it.',
  streamGone:
    'This stream no longer exists, or you can no longer see it. Your text is kept as a draft.',

  suggestions: {
    person: 'People and groups',
    stream: 'Streams',
    topic: 'Topics',
    emoji: 'Emoji',
    language: 'Languages and blocks',
    command: 'Commands',
  },
  suggestionCount: (n: number): string => count(n, 'suggestion', 'suggestions'),
  topicsByArrow: '> for its topics',
  bot: 'Bot',
  groupHint: (n: number): string => `Notifies ${count(n, 'person', 'people')}`,
  wildcardHint: 'Notifies everybody who gets the message',
  ownEmoji: 'From this organization',
  blockHints: {
    quote: 'Quoted text',
    spoiler: 'Hidden until it is opened',
    math: 'A formula',
  } as Readonly<Record<string, string>>,
  commandHints: {
    me: 'Say what you do: /me waves',
    quote: 'Quote a text',
    spoiler: 'Hide a text until it is opened',
    code: 'A block of code',
    math: 'A formula',
    table: 'A table',
  } as Readonly<Record<string, string>>,

  toolbar: 'Formatting',
  bold: 'Bold',
  italic: 'Italic',
  strike: 'Strikethrough',
  code: 'Code',
  quote: 'Quote',
  list: 'List',
  link: 'Link',
  emoji: 'Emoji',
  attach: 'Attach files',
  preview: 'Preview',
  previewLabel: 'Preview of the message',
  previewEmpty: 'There is nothing to preview yet.',
  previewFailed: (reason: string): string =>
    `The preview is made by the service, which did not answer. ${reason}`,
  previewLoading: 'The preview is being made…',

  uploads: 'Files',
  uploading: (name: string, share: number): string => `Uploading ${name}, ${percent(share)}`,
  cancelUpload: (name: string): string => `Cancel the upload of ${name}`,
  dismissUpload: (name: string): string => `Remove ${name}`,
  retryUpload: (name: string): string => `Try ${name} again`,
  fileEmpty: 'The file is empty.',
  fileUnreadable: 'The file could not be read. A folder has to be packed into one file first.',
  fileTooLarge: (size: string, reason: string): string => `${size} MiB. ${reason}`,
  pictureTooLarge:
    'The picture is too large to take out where it was taken. Turn that off in the settings to send it as it is.',
  pastedFile: 'pasted file',
  dropHere: (where: string): string => `Drop to attach to the message to ${where}`,
  dropNowhere: 'Choose first where the message goes, then drop the files.',
  longPaste: 'That is a long text.',
  makeFile: 'Send it as a file',
  keepText: 'Keep it as text',
  pastedTextFile: 'pasted.txt',
  waitsForUploads: 'Goes out as soon as the files are there.',
  doNotSend: 'Do not send yet',

  wildcardWarning: (name: string, n: number | null, where: string): string =>
    n === null
      ? `@${name} notifies everybody in ${where}.`
      : `@${name} notifies ${count(n, 'person', 'people')} in ${where}.`,
  groupWarning: (name: string, n: number): string =>
    `@${name} notifies ${count(n, 'person', 'people')}.`,
  sendAnyway: 'Send anyway',
  keepWriting: 'Keep writing',

  typing: (names: readonly string[]): string => {
    const [first = '', second = ''] = names;
    if (names.length === 1) return `${first} is typing…`;
    return names.length === 2 ? `${first} and ${second} are typing…` : 'Several people are typing…';
  },

  picker: {
    title: 'Choose an emoji',
    search: 'Find an emoji',
    grid: 'Emoji',
    none: 'No emoji is called like that.',
    recent: 'Recently used',
    custom: 'From this organization',
    results: 'Found',
    categories: 'Kinds of emoji',
    tone: 'Skin tone',
    tones: ['Default', 'Light', 'Medium light', 'Medium', 'Medium dark', 'Dark'],
    found: (n: number): string => count(n, 'emoji found', 'emoji found'),
    names: {
      smileys: 'Faces',
      people: 'People',
      animals: 'Animals and nature',
      food: 'Food and drink',
      travel: 'Travel and places',
      activities: 'Activities',
      objects: 'Objects',
      symbols: 'Symbols',
      flags: 'Flags',
    },
  },
} as const;
