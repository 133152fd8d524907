/**
 * Which message interrupts, as a pure function. The rules are those of the settings (specification 4):
 *
 * 1. Nothing rings for one's own messages and for those that are read.
 * 2. A muted stream or topic is silent, but for mentions by name.
 * 3. Private messages, mentions by name and alert words follow `enable_desktop_notifications` and `enable_sounds`.
 *    So do wildcard mentions where `wildcard_mentions_notify` is on.
 * 4. Everything in a stream follows the stream's `desktop_notifications` and `audible_notifications`; where the stream
 *    says nothing of its own, the account's `enable_stream_desktop_notifications` and `…_audible_notifications`.
 * 5. What came while the application was away rings only where rule 3 names it.
 * 6. Nothing rings for what is looked at, and nothing while do-not-disturb is on. The badge counts it all the same.
 *
 * Bots ring like people. Settings of e-mail, push, digest and sign-in mail say nothing about a desktop.
 */
import type { MutedTopic } from '#shared/bridge/models/client-state.ts';
import { conversationKey } from '#shared/bridge/models/conversation.ts';
import type { Conversation } from '#shared/bridge/models/conversation.ts';
import type { DecisionReason } from '#shared/bridge/models/notifications.ts';
import { isDoNotDisturb } from '#shared/bridge/models/preference-defaults.ts';
import type { NotificationSettings } from '#shared/api/models/settings.ts';
import { badgeOf, unreadMark } from '#shared/policies/unread-counts.ts';

export interface MessageFacts {
  readonly conversation: Conversation;
  readonly isOwn: boolean;
  readonly isRead: boolean;
  /** By name or by a group. */
  readonly isMentioned: boolean;
  readonly isWildcardMentioned: boolean;
  readonly hasAlertWord: boolean;
}

export interface StreamFacts {
  readonly isMuted: boolean;
  /** Null where the stream follows the account's setting. */
  readonly desktopNotifications: boolean | null;
  readonly audibleNotifications: boolean | null;
}

export interface NotificationFacts {
  readonly message: MessageFacts;
  readonly settings: NotificationSettings;
  /** The stream of the message; null for a private one, and where the account is not subscribed. */
  readonly stream: StreamFacts | null;
  readonly mutedTopics: readonly MutedTopic[];
  /** Somebody is there, as they were when it was sent, and the window has the focus and shows its conversation. */
  readonly isLookedAt: boolean;
  /** UNIX seconds; 0 for off, null until it is turned off. */
  readonly doNotDisturbUntilSeconds: number | null;
  readonly nowSeconds: number;
  /** It came while the application was away. */
  readonly isCatchUp: boolean;
}

export interface ChannelDecision {
  readonly isOn: boolean;
  /** The one setting or fact that decided. */
  readonly deciding: DecisionReason;
}

export interface NotificationDecision {
  readonly desktop: ChannelDecision;
  readonly sound: ChannelDecision;
  /** Whether it counts on the badge while it is unread. */
  readonly badge: boolean;
}

/** The settings of one way to interrupt. */
interface Channel {
  /** For what is meant for the reader. */
  readonly forReader: boolean;
  readonly forStreams: boolean;
  readonly ofStream: boolean | null;
}

/** A reason to ring, with the setting that lets it or does not. */
interface Reason {
  readonly isOn: boolean;
  readonly deciding: DecisionReason;
}

export function decideNotification(facts: NotificationFacts): NotificationDecision {
  const { settings, stream } = facts;
  return {
    desktop: verdict(facts, {
      forReader: settings.enable_desktop_notifications,
      forStreams: settings.enable_stream_desktop_notifications,
      ofStream: stream?.desktopNotifications ?? null,
    }),
    sound: verdict(facts, {
      forReader: settings.enable_sounds,
      forStreams: settings.enable_stream_audible_notifications,
      ofStream: stream?.audibleNotifications ?? null,
    }),
    badge: isOnBadge(facts),
  };
}

/** Settings come before circumstances: what would not ring anyway is not blamed on do-not-disturb. */
function verdict(facts: NotificationFacts, channel: Channel): ChannelDecision {
  const { isOwn, isRead } = facts.message;
  if (isOwn) return { isOn: false, deciding: 'own-message' };
  if (isRead) return { isOn: false, deciding: 'already-read' };
  const found = strongest(groundsOf(facts, channel));
  if (!found.isOn) return found;
  if (facts.isLookedAt) return { isOn: false, deciding: 'looking' };
  if (isDoNotDisturb(facts, facts.nowSeconds)) return { isOn: false, deciding: 'do-not-disturb' };
  return found;
}

/** The first that is on decides; where none is, the first. */
const strongest = (grounds: readonly [Reason, ...Reason[]]): Reason =>
  grounds.find(({ isOn }) => isOn) ?? grounds[0];

function groundsOf(facts: NotificationFacts, channel: Channel): readonly [Reason, ...Reason[]] {
  const { forReader } = channel;
  const { conversation, isMentioned } = facts.message;
  if (conversation.kind === 'private') {
    return [{ isOn: forReader, deciding: forReader ? 'private-on' : 'private-off' }];
  }
  const direct: Reason = { isOn: forReader, deciding: forReader ? 'mention-on' : 'mention-off' };
  const muted = mutedBy(facts);
  if (muted !== null) return isMentioned ? [direct] : [{ isOn: false, deciding: muted }];
  const rest = [...callsOf(facts, forReader), streamGround(facts, channel)];
  const [first = direct, ...others] = isMentioned ? [direct, ...rest] : rest;
  return [first, ...others];
}

function mutedBy({ message, stream, mutedTopics }: NotificationFacts): DecisionReason | null {
  if (stream?.isMuted === true) return 'muted-stream';
  return isTopicMuted(message.conversation, mutedTopics) ? 'muted-topic' : null;
}

function isTopicMuted(conversation: Conversation, mutedTopics: readonly MutedTopic[]): boolean {
  if (conversation.kind === 'private') return false;
  // By number first: thousands of messages may be decided about at once.
  return mutedTopics.some(
    (muted) =>
      muted.streamId === conversation.streamId &&
      conversationKey({ kind: 'stream', ...muted }) === conversationKey(conversation),
  );
}

/** Ways of calling the reader that are not by name. */
function callsOf({ message, settings }: NotificationFacts, forReader: boolean): readonly Reason[] {
  const calls: Reason[] = [];
  if (message.isWildcardMentioned) {
    const answered = forReader ? 'wildcard-on' : 'wildcard-off';
    const isHeard = settings.wildcard_mentions_notify;
    calls.push({ isOn: isHeard && forReader, deciding: isHeard ? answered : 'wildcard-ignored' });
  }
  if (message.hasAlertWord) {
    calls.push({ isOn: forReader, deciding: forReader ? 'alert-word-on' : 'alert-word-off' });
  }
  return calls;
}

function streamGround({ stream, isCatchUp }: NotificationFacts, channel: Channel): Reason {
  if (stream === null) return { isOn: false, deciding: 'not-subscribed' };
  const { ofStream, forStreams } = channel;
  const isOn = ofStream ?? forStreams;
  if (isOn && isCatchUp) return { isOn: false, deciding: 'catch-up' };
  const suffix = isOn ? 'on' : 'off';
  return { isOn, deciding: ofStream === null ? `streams-${suffix}` : `stream-${suffix}` };
}

/** By the function that counts what is unread, so that both agree. */
function isOnBadge(facts: NotificationFacts): boolean {
  const { conversation, isOwn, isRead, isMentioned, isWildcardMentioned } = facts.message;
  if (isOwn || isRead) return false;
  const mentions = isMentioned || isWildcardMentioned ? 1 : 0;
  const isQuiet = (): boolean => facts.stream === null || mutedBy(facts) !== null;
  const mark = unreadMark({ conversation, count: 1, mentions }, isQuiet);
  return badgeOf(mark, facts.settings.desktop_icon_count_display) > 0;
}
