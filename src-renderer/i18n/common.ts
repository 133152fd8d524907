import {
  CONTENT_BYTES,
  PASSWORD_CHARACTERS,
  STREAM_NAME_CHARACTERS,
  TOPIC_CHARACTERS,
} from '#shared/api/bounds.ts';
import type { UnreadMark } from '#shared/policies/unread-counts.ts';
import { count } from './count.ts';

/** Every sentence and label that a person reads, beside what the service and the bridge answer. */
export const words = {
  product: 'Hearth',
  bug: 'Something went wrong in Hearth itself. Nothing was changed. Try again.',
  notFetched:
    'This could not be loaded from the service. Try again once you are connected, or reload the page.',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  save: 'Save',
  close: 'Close',
  back: 'Back',
  dismiss: 'Dismiss',
  required: (label: string): string => `${label} is missing.`,
  showPassword: 'Show password',
  /** From 0, among the first that are tried. */
  passwordStrengths: [
    'Very easy to guess',
    'Easy to guess',
    'Not hard to guess',
    'Hard to guess',
    'Very hard to guess',
  ],
  loading: 'Loading…',
  starting: 'Starting…',
  working: 'One moment…',
  capped: (n: number): string => (n > 99 ? '99+' : String(n)),

  start: {
    title: 'Welcome to Hearth',
    question: 'How do you want to start?',
    host: 'Host an organization on this computer',
    hostHint: 'Your team’s messages live here, and you look after them.',
    connect: 'Connect to an existing one',
    connectHint: 'Somebody gave you an address to sign in to, or a link that invites you.',
    problemTitle: 'Hearth could not open your organization',
    readKept: 'Read what is kept here',
  },

  host: {
    title: 'Host an organization on this computer',
    browserTitle: 'Create the organization of this service',
    intro: 'You become its first administrator and can add colleagues afterwards.',
    setupCode: 'Setup code',
    setupCodeHint: 'The service printed it when it started: XXXX-XXXX.',
    realmName: 'Organization name',
    fullName: 'Your name',
    email: 'E-mail address',
    password: 'Password',
    passwordHint: 'You sign in with it on other computers.',
    submit: 'Create organization',
    busy: 'Creating…',
  },

  signIn: {
    title: 'Connect to an organization',
    titleAt: (organization: string): string => `Sign in to ${organization}`,
    address: 'Address',
    addressHint:
      'For example chat.example.com or 192.168.1.20:9981. Somebody invited you, or made you a new password? Paste their link here.',
    email: 'E-mail address',
    password: 'Password',
    developmentHint: 'A development service: the password may stay empty.',
    submit: 'Sign in',
    busy: 'Signing in…',
    stay: 'Stay signed in',
    stayHint:
      'For a computer of your own. Otherwise you are signed out when you close this tab, and drafts and unsent messages are removed.',
    again: 'Sign in again',
    againIntro: (email: string, organization: string): string =>
      `Enter the password of ${email} in ${organization}. What you were writing stays where it is.`,
  },

  safetyWords: {
    question: 'Which of these did you get?',
    hint: 'Whoever invited you sees the safety words of the organization where it is hosted. Have them read to you, or sent some other way than over this network. Only the right row leads to your organization.',
    none: 'None of these',
    refused:
      'Then this may not be your organization. Nothing was sent to it. Ask whoever invited you for the address and the safety words.',
  },

  newPassword: {
    title: 'Choose your password',
    byLink: (organization: string): string =>
      `For your account at ${organization}. Wherever you are signed in now, you will be signed out.`,
    given:
      'Somebody gave you the one that you just used. From now on, sign in with one that only you know.',
    password: 'New password',
    hint: `At least ${PASSWORD_CHARACTERS.least} characters.`,
    submit: 'Save and sign in',
    busy: 'Saving…',
  },

  connection: {
    connecting: 'Connecting…',
    live: 'Connected',
    'signed-out': 'Signed out',
    retrying: 'Trying again by itself.',
  },

  views: {
    inbox: 'Inbox',
    recent: 'Recent conversations',
    feed: 'Combined feed',
    mentions: 'Mentions',
    starred: 'Starred messages',
    drafts: 'Drafts',
    streams: 'All streams',
    firstSteps: 'First steps',
    introduction: 'Welcome',
    missing: 'Stream not found',
    search: 'Search',
  },

  regions: {
    navigation: 'Conversations',
    messages: 'Messages',
    compose: 'Write a message',
    skip: 'Skip to the messages',
  },

  sidebar: {
    privateMessages: 'Private messages',
    streams: 'Streams',
    newPrivate: 'New private message',
    newStream: 'New stream',
    addPerson: 'Add person',
    find: 'Go to…',
    noPrivate: 'Nobody yet. Start with the + above.',
    noStreams: 'You are in no stream yet.',
    moreTopics: (n: number): string => count(n, 'more topic', 'more topics'),
    fewerTopics: 'Fewer topics',
    unread: (n: number): string => count(n, 'unread message', 'unread messages'),
    /** For a stream or a topic: what is unread there, and how many of that mention the reader. */
    unreadWithMentions: ({ wanted, other }: UnreadMark): string =>
      [
        count(wanted + other, 'unread message', 'unread messages'),
        ...(wanted > 0 ? [count(wanted, 'mention', 'mentions')] : []),
      ].join(', '),
    /** For more than one place: private messages and mentions among what is unread. */
    unreadForYou: ({ wanted, other }: UnreadMark): string =>
      [
        count(wanted + other, 'unread message', 'unread messages'),
        ...(wanted > 0 && other > 0 ? [`${String(wanted)} for you`] : []),
      ].join(', '),
    hasUnread: 'unread',
    isPrivate: 'private',
    isAnnouncement: 'announcements only',
    isPinned: 'pinned',
    isMuted: 'muted',
    hasDraft: 'draft',
  },

  account: {
    menu: (name: string): string => `Account of ${name}`,
    address: 'Address for colleagues',
    loopback: 'Only this computer can reach this address.',
    copy: 'Copy address',
    copied: 'Copied',
    selected: 'Selected: copy it with Ctrl+C',
    shortcuts: 'Keyboard shortcuts',
    firstSteps: 'First steps',
    organizations: 'Organizations',
    signOut: 'Sign out',
    signOutTitle: 'Sign out of this computer?',
    signOutText: (organization: string): string =>
      `Messages stay in ${organization}. To come back you need your e-mail address and password.`,
    unsentLost: (drafts: number, messages: number): string => {
      const parts = [
        drafts === 0 ? '' : count(drafts, 'draft', 'drafts'),
        messages === 0 ? '' : count(messages, 'unsent message', 'unsent messages'),
      ].filter((part) => part !== '');
      return `You will lose ${parts.join(' and ')}.`;
    },
  },

  timeline: {
    notesToSelf: 'Notes to yourself',
    unknownStream: 'Unknown stream',
    unknownPerson: 'Unknown person',
    spoiler: 'Spoiler',
    newest: 'Jump to newest',
    newestCount: (n: number): string => `Jump to newest (${n})`,
    loadingOlder: 'Loading older messages…',
    beginning: 'This is the beginning.',
    emptyStream: (name: string): string => `Nothing in ${name} yet`,
    emptyStreamHint: 'Write a topic and the first message below.',
    emptyTopic: 'No messages in this topic',
    emptyTopicHint: 'The first one starts it.',
    emptyPrivate: (name: string): string => `No messages with ${name} yet`,
    emptyPrivateHint: 'Only the two of you can read what you write here.',
    emptyGroupHint: 'Only the people named above can read what you write here.',
    emptySelf: 'A place for yourself',
    emptySelfHint: 'Only you can read what you write here.',
    failed: 'The messages could not be loaded.',
    openTopic: (topic: string): string => `Open topic ${topic}`,
    openStream: (name: string): string => `Open stream ${name}`,
    arrived: (sender: string, text: string): string => `${sender}: ${text}`,
    manyArrived: (n: number): string => count(n, 'new message', 'new messages'),
    bot: 'Bot',
  },

  compose: {
    topic: 'Topic',
    topicPlaceholder: 'Choose a topic',
    topicOptional: 'Topic (optional)',
    topicFirst: 'Choose a topic, then write',
    topicCount: (n: number): string => `${n} of ${TOPIC_CHARACTERS}`,
    message: 'Message',
    placeholder: (where: string): string => `Write to ${where}`,
    byteCount: (n: number): string =>
      `${n.toLocaleString('en')} of ${CONTENT_BYTES.toLocaleString('en')} bytes`,
    send: 'Send',
    sending: 'Sending…',
    notSent: (reason: string): string => `Not sent. ${reason} Your text is still here.`,
    elsewhere: 'You are writing to another topic than the one shown.',
    goThere: 'Go there',
    announcement: 'Only administrators can write in this stream.',
    suggestions: 'Known topics',
    enterSends: 'Enter sends, Shift+Enter starts a new line',
  },

  people: {
    title: 'New private message',
    label: 'To',
    filter: 'Find people',
    list: 'People',
    remove: (name: string): string => `Remove ${name}`,
    none: 'Nobody matches.',
    alone: 'You are the only one here so far. An administrator can add people.',
    submit: 'Open conversation',
    guest: 'Guest',
    bot: 'Bot',
    admin: 'Administrator',
  },

  newStream: {
    title: 'New stream',
    name: 'Name',
    nameHint: `At most ${STREAM_NAME_CHARACTERS} characters, for example marketing`,
    description: 'Description (optional)',
    isPrivate: 'Private',
    privateHint: 'Only people who are added can find and read it.',
    people: 'Add people (optional)',
    submit: 'Create stream',
    busy: 'Creating…',
  },

  addPerson: {
    title: 'Add person',
    intro:
      'Give them the address, the e-mail address and this password. They choose one of their own when they sign in.',
    fullName: 'Name',
    email: 'E-mail address',
    password: 'First password',
    submit: 'Add person',
    busy: 'Adding…',
    added: (name: string): string => `${name} can sign in now.`,
    passOn: 'Pass this on to them:',
    address: 'Address',
    howTo: 'Open the address in a browser, or connect to it in Hearth, and sign in.',
    copy: 'Copy',
    another: 'Add another person',
    done: 'Done',
  },

  switcher: {
    title: 'Go to a conversation',
    input: 'Stream, topic or person',
    results: 'Conversations',
    none: 'Nothing matches. Try fewer letters.',
    stream: 'Stream',
    topic: 'Topic',
    person: 'Person',
    conversation: 'Private messages',
    count: (n: number): string => count(n, 'result', 'results'),
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    singleKeys: 'Single-key shortcuts',
    introduction: 'About streams and topics',
    singleKeysHint: 'Keys without Ctrl or Alt, such as a letter, outside of text fields.',
    groups: { anywhere: 'Anywhere', list: 'On a message', compose: 'While writing' },
    or: 'or',
  },
} as const;
