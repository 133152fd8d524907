/** What rang and why: the forms that windows show and that the rules and the notification log share. */
import type { Conversation } from './conversation.ts';

/** The sounds that come with the application; each is a file of that name. */
export const soundNames = ['ember', 'chime', 'knock', 'bell', 'drop'] as const;
export type SoundName = (typeof soundNames)[number];

const soundOfSetting: Readonly<Record<string, SoundName>> = { zulip: 'ember', ding: 'chime' };

/**
 * What the setting `notification_sound` sounds like here; the service takes two names (API decisions 9.1)
 * and this computer may choose another sound for itself.
 * @param setting  a name of `available_notification_sounds`; any other plays the first sound
 * @param own      what was chosen on this computer; null follows the setting
 */
export const soundFor = (setting: string, own: SoundName | null): SoundName =>
  own ?? soundOfSetting[setting] ?? 'ember';

/**
 * What decided about one message. `…-on` and `…-off` name a setting that let it through or did not; the others are
 * facts.
 */
export const decisionReasons = [
  'own-message',
  'already-read',
  'muted-stream',
  'muted-topic',
  'not-subscribed',
  // Private messages and mentions: `enable_desktop_notifications`, `enable_sounds`.
  'private-on',
  'private-off',
  'mention-on',
  'mention-off',
  'wildcard-on',
  'wildcard-off',
  // `wildcard_mentions_notify` is off.
  'wildcard-ignored',
  'alert-word-on',
  'alert-word-off',
  // The stream's own `desktop_notifications`, `audible_notifications`.
  'stream-on',
  'stream-off',
  // The account's `enable_stream_desktop_notifications`, `enable_stream_audible_notifications`.
  'streams-on',
  'streams-off',
  // An ordinary message of a stream that came while the application was away.
  'catch-up',
  // The window shows the conversation and has the focus.
  'looking',
  'do-not-disturb',
  // The operating system or the browser does not let notifications through.
  'not-permitted',
  // Another message sounded at the same moment.
  'just-sounded',
  // Read, deleted or looked at before it could ring.
  'settled-before',
] as const;
export type DecisionReason = (typeof decisionReasons)[number];

/** One message and what was decided about it. */
export interface NotificationLogEntry {
  /** UNIX seconds of the decision. */
  readonly atSeconds: number;
  readonly accountId: string;
  readonly messageId: number;
  readonly conversation: Conversation;
  /** The stream's name at that time; null for private conversations and unknown streams. */
  readonly streamName: string | null;
  readonly senderName: string;
  readonly rang: boolean;
  readonly sounded: boolean;
  readonly desktopReason: DecisionReason;
  readonly soundReason: DecisionReason;
}

/** How many decisions are kept. */
export const NOTIFICATION_LOG_LIMIT = 200;

/** What the notification log keeps across restarts. */
export interface NotificationLogRecord {
  /** The newest message that was decided about, by account id. */
  readonly lastDecided: Readonly<Record<string, number>>;
  /** Oldest first. */
  readonly entries: readonly NotificationLogEntry[];
}
