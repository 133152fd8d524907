/** The one place that counts unread messages: left column, badge, tray and window title all ask here. */
import type {
  MutedTopic,
  UnreadConversation,
  UnreadConversations,
} from '../bridge/models/client-state.ts';
import { conversationKey } from '../bridge/models/conversation.ts';
import type { Conversation } from '../bridge/models/conversation.ts';

/** What decides how unread messages count. */
export interface UnreadContext {
  readonly streams: readonly { readonly streamId: number; readonly isMuted: boolean }[];
  readonly mutedTopics: readonly MutedTopic[];
  readonly notifications: { readonly desktop_icon_count_display: number };
}

export interface UnreadMark {
  /** Messages that want the reader: private ones and mentions. Shown as a number. */
  readonly wanted: number;
  /** Others of what is not muted. Shown as a dot or bold. */
  readonly other: number;
}

export interface UnreadSummary extends UnreadMark {
  /** What the setting `desktop_icon_count_display` makes of them: 1 all, 2 what wants the reader, 3 none. */
  readonly badge: number;
  /** `(3) `, capped at 99+; empty for a badge of 0. */
  readonly titlePrefix: string;
}

/** Whether ordinary messages there stay quiet: a muted stream or topic, or a stream that is not subscribed to. */
export function createIsQuiet(
  context: Omit<UnreadContext, 'notifications'>,
): (conversation: Conversation) => boolean {
  const { streams, mutedTopics } = context;
  const heard = new Set(streams.filter((s) => !s.isMuted).map(({ streamId }) => streamId));
  const topics = new Set(mutedTopics.map((t) => conversationKey({ kind: 'stream', ...t })));
  return (conversation) =>
    conversation.kind === 'stream' &&
    (!heard.has(conversation.streamId) || topics.has(conversationKey(conversation)));
}

/**
 * The mark of one conversation. A mention counts in a muted place too, for it is not the noise that was muted and
 * one by name rings; the rest of it does not.
 */
export function unreadMark(
  { conversation, count, mentions }: Omit<UnreadConversation, 'newestId'>,
  isQuiet: (conversation: Conversation) => boolean,
): UnreadMark {
  if (conversation.kind === 'private') return { wanted: count, other: 0 };
  const wanted = Math.min(mentions, count);
  return { wanted, other: isQuiet(conversation) ? 0 : count - wanted };
}

/** @param display  `desktop_icon_count_display`; an unknown value counts all, as its default does */
export function badgeOf({ wanted, other }: UnreadMark, display: number): number {
  if (display === 3) return 0;
  return display === 2 ? wanted : wanted + other;
}

export function summarizeUnread(
  unread: UnreadConversations,
  context: UnreadContext,
): UnreadSummary {
  const isQuiet = createIsQuiet(context);
  let wanted = 0;
  let other = 0;
  for (const conversation of Object.values(unread)) {
    const mark = unreadMark(conversation, isQuiet);
    wanted += mark.wanted;
    other += mark.other;
  }
  const badge = badgeOf({ wanted, other }, context.notifications.desktop_icon_count_display);
  return { wanted, other, badge, titlePrefix: titlePrefix(badge) };
}

/** What stands in a badge, tray and title: never more than two digits. */
export const cappedCount = (count: number): string => (count > 99 ? '99+' : String(count));

export const titlePrefix = (badge: number): string =>
  badge === 0 ? '' : `(${cappedCount(badge)}) `;

/** What all accounts of this computer want of the person: for the icon's badge and the tray. */
export interface Badge extends UnreadMark {
  /** The number on the icon; 0 for none. */
  readonly badge: number;
  /** Why messages may be missed, as a sentence; null when all is well. Its mark is "!", never "0". */
  readonly problem: string | null;
}

/** The sums over the accounts, and their first problem. */
export const joinBadges = (accounts: readonly Badge[]): Badge => ({
  wanted: accounts.reduce((sum, { wanted }) => sum + wanted, 0),
  other: accounts.reduce((sum, { other }) => sum + other, 0),
  badge: accounts.reduce((sum, { badge }) => sum + badge, 0),
  problem: accounts.find(({ problem }) => problem !== null)?.problem ?? null,
});
