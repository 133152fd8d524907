/** What settings say about notifications: their names, their sounds, and why something did or did not ring. */
import type {
  DecisionReason,
  NotificationLogEntry,
  SoundName,
} from '#shared/bridge/models/notifications.ts';
import type { NotificationSettings } from '#shared/api/models/settings.ts';

type Channel = 'desktop' | 'sound';

/** Hearth sends no e-mail and nothing to phones: what only says when it would is not shown. The API keeps it. */
type UnheededSetting =
  | 'enable_offline_email_notifications'
  | 'enable_offline_push_notifications'
  | 'enable_online_push_notifications'
  | 'enable_stream_email_notifications'
  | 'enable_stream_push_notifications'
  | 'message_content_in_email_notifications'
  | 'enable_digest_emails'
  | 'enable_login_emails';
export type HeededSetting = Exclude<keyof NotificationSettings, UnheededSetting>;

/** The settings by the names that people read; a sentence of the notification log names the setting that decided by the same. */
export const notificationLabels: Readonly<Record<HeededSetting, string>> = {
  enable_desktop_notifications: 'Notifications for private messages and mentions',
  enable_sounds: 'Sounds for private messages and mentions',
  wildcard_mentions_notify: 'Mentions of everybody count as mentions of me',
  enable_stream_desktop_notifications: 'Notifications for all messages of streams',
  enable_stream_audible_notifications: 'Sounds for all messages of streams',
  desktop_icon_count_display: 'Number on the application icon',
  notification_sound: 'Sound',
  pm_content_in_desktop_notifications: 'Show the text of private messages in notifications',
  realm_name_in_notifications: 'Show the name of the organization in notifications',
};

export const iconCountLabels: Readonly<Record<1 | 2 | 3, string>> = {
  1: 'All unread messages',
  2: 'Private messages and mentions',
  3: 'No number',
};

export const soundLabels: Readonly<Record<SoundName, string>> = {
  ember: 'Ember',
  chime: 'Chime',
  knock: 'Knock',
  bell: 'Bell',
  drop: 'Drop',
};

const quoted = (setting: HeededSetting): string => `“${notificationLabels[setting]}”`;

const forReader = (channel: Channel): string =>
  quoted(channel === 'desktop' ? 'enable_desktop_notifications' : 'enable_sounds');

const forStreams = (channel: Channel): string =>
  quoted(
    channel === 'desktop'
      ? 'enable_stream_desktop_notifications'
      : 'enable_stream_audible_notifications',
  );

const kind = (channel: Channel): string => (channel === 'desktop' ? 'notifications' : 'sounds');

interface SettingPlace {
  readonly channel: Channel;
  /** `Stream #ops`. */
  readonly stream: string;
  readonly topic: string;
}

const sentences: Readonly<Record<DecisionReason, (place: SettingPlace) => string>> = {
  'own-message': () => 'You wrote it yourself.',
  'already-read': () => 'You had read it already.',
  'muted-stream': ({ stream }) => `${stream} is muted for you.`,
  'muted-topic': ({ topic }) => `The topic “${topic}” is muted for you.`,
  'not-subscribed': ({ stream }) => `${stream} is not among your streams.`,
  'private-on': ({ channel }) => `A private message, and ${forReader(channel)} is on.`,
  'private-off': ({ channel }) => `A private message, but ${forReader(channel)} is off.`,
  'mention-on': ({ channel }) => `It mentions you, and ${forReader(channel)} is on.`,
  'mention-off': ({ channel }) => `It mentions you, but ${forReader(channel)} is off.`,
  'wildcard-on': ({ channel }) => `It mentions everybody, and ${forReader(channel)} is on.`,
  'wildcard-off': ({ channel }) => `It mentions everybody, but ${forReader(channel)} is off.`,
  'wildcard-ignored': () =>
    `It mentions everybody, but ${quoted('wildcard_mentions_notify')} is off.`,
  'alert-word-on': ({ channel }) =>
    `It has one of your alert words, and ${forReader(channel)} is on.`,
  'alert-word-off': ({ channel }) =>
    `It has one of your alert words, but ${forReader(channel)} is off.`,
  'stream-on': ({ channel, stream }) => `${stream} has ${kind(channel)} on for you.`,
  'stream-off': ({ channel, stream }) => `${stream} has ${kind(channel)} off for you.`,
  'streams-on': ({ channel }) => `${forStreams(channel)} is on.`,
  'streams-off': ({ channel }) => `${forStreams(channel)} is off.`,
  'catch-up': () => 'It came while Hearth was away, and it was not meant for you in particular.',
  looking: () => 'You were looking at the conversation.',
  'do-not-disturb': () => 'Do not disturb was on.',
  'not-permitted': () => 'Your system does not let Hearth show notifications.',
  'just-sounded': () => 'Another message sounded at the same moment.',
  'settled-before': () => 'You read it, or it was deleted, before it could ring.',
};

/**
 * Why it did or did not, as a sentence that names the one setting or fact that decided.
 * @param entry  one decision; `streamName` is the stream's name at that time
 */
export function notificationLogSentence(
  entry: Pick<
    NotificationLogEntry,
    'conversation' | 'streamName' | 'desktopReason' | 'soundReason'
  >,
  channel: Channel,
): string {
  const { conversation, streamName } = entry;
  const reason = channel === 'desktop' ? entry.desktopReason : entry.soundReason;
  return sentences[reason]({
    channel,
    stream: streamName === null ? 'The stream' : `Stream #${streamName}`,
    topic: conversation.kind === 'stream' ? conversation.topic : '',
  });
}

/** What happened, in two words or three. */
export function notificationLogOutcome({
  rang,
  sounded,
}: Pick<NotificationLogEntry, 'rang' | 'sounded'>): string {
  if (rang) return sounded ? 'Shown with a sound' : 'Shown';
  return sounded ? 'Sounded' : 'Silent';
}

export const notificationWords = {
  title: 'Notifications',
  groups: {
    reader: 'Private messages and mentions',
    streams: 'Streams',
    look: 'Badge and privacy',
  },
  noEffectHere: 'Has no effect on this computer.',
  soundOfAccount: 'As in my account',
  play: 'Play',
  tryOut: 'Show an example',
  exampleTitle: 'Hearth',
  exampleBody: 'This is what a notification looks like.',
  permission: {
    granted: 'Your system lets Hearth show notifications.',
    denied: 'Your system does not let Hearth show notifications. Allow them in its settings.',
    undecided: 'Your browser has not been asked yet whether Hearth may show notifications.',
  },
  allow: 'Allow notifications',
  ledgerTitle: 'Why was I notified, or not?',
  ledgerHint: 'The last decisions, newest first. They stay on this computer.',
  ledgerEmpty: 'No message has arrived yet.',
  ledgerMore: 'Show more',
  goToMessage: 'Go to the message',
  goToSetting: 'Go to the setting',
  goToSoundSetting: 'Go to the setting of the sound',
  goToLedger: 'Show the last decisions',
  soundToo: (sentence: string): string => `Sound: ${sentence}`,
  permissionTitle: 'On this computer',
  permissionDesktop:
    'Whether notifications appear is also decided in the settings of your system. Show an example to see.',
  exampleShown: 'The example was sent to your system.',
  soundHere: 'Sound on this computer',
  soundHereHint: 'Instead of the one of the account.',
  playLabel: (sound: string): string => `Play ${sound}`,
  doNotDisturb: 'Do not disturb',
  doNotDisturbHint: 'Nothing is shown and nothing sounds on this computer; the badge counts on.',
  doNotDisturbUntil: (time: string): string => `On until ${time}.`,
  disturbOptions: {
    off: 'Off',
    half: 'For 30 minutes',
    hour: 'For an hour',
    tomorrow: 'Until tomorrow, 8:00',
    on: 'Until I turn it off',
    kept: 'On for a while',
  },
  exceptions: 'Streams that differ',
  exceptionsHint: 'Streams that are muted, or that override the two settings above.',
  exceptionsNone: 'All your streams follow the two choices above.',
  exceptionMuted: 'muted',
  exceptionDesktop: (isOn: boolean): string => (isOn ? 'notifications on' : 'notifications off'),
  exceptionSound: (isOn: boolean): string => (isOn ? 'sounds on' : 'sounds off'),
  changeLabel: (stream: string): string => `Change ${stream}`,
  change: 'Change',
  alertWords: 'Alert words',
  alertWordsHint: 'A message with one of them counts as a mention of you.',
  alertWordsNone: 'You have no alert words.',
  newAlertWord: 'New alert word',
  addAlertWord: 'Add word',
  removeAlertWord: (word: string): string => `Remove ${word}`,
} as const;
