import type { UnreadConversations } from '#shared/bridge/models/client-state.ts';
import { conversationKey, type Conversation } from '#shared/bridge/models/conversation.ts';
import { unreadMark, type UnreadMark } from '#shared/policies/unread-counts.ts';

type IsQuiet = (conversation: Conversation) => boolean;

export const noMark: UnreadMark = { wanted: 0, other: 0 };

export const isUnread = ({ wanted, other }: UnreadMark): boolean => wanted > 0 || other > 0;

export const addMarks = (a: UnreadMark, b: UnreadMark): UnreadMark => ({
  wanted: a.wanted + b.wanted,
  other: a.other + b.other,
});

/** The mark of one conversation. */
export function conversationMark(
  unread: UnreadConversations,
  conversation: Conversation,
  isQuiet: IsQuiet,
): UnreadMark {
  const found = unread[conversationKey(conversation)];
  return found === undefined ? noMark : unreadMark(found, isQuiet);
}

/** Unread topics of one stream: newest first. */
export interface StreamUnread {
  readonly mark: UnreadMark;
  readonly topics: readonly string[];
}

const emptyStream: StreamUnread = { mark: noMark, topics: [] };

/** What the left column shows of each stream; one pass over everything. */
export function unreadByStream(
  unread: UnreadConversations,
  isQuiet: IsQuiet,
): ReadonlyMap<number, StreamUnread> {
  const streams = new Map<number, StreamUnread>();
  const newestFirst = Object.values(unread).sort((a, b) => b.newestId - a.newestId);
  for (const entry of newestFirst) {
    if (entry.conversation.kind !== 'stream') continue;
    const { streamId, topic } = entry.conversation;
    const { mark, topics } = streams.get(streamId) ?? emptyStream;
    const own = unreadMark(entry, isQuiet);
    streams.set(streamId, {
      mark: addMarks(mark, own),
      topics: isUnread(own) ? [...topics, topic] : topics,
    });
  }
  return streams;
}

export const mentionCount = (unread: UnreadConversations): number =>
  Object.values(unread).reduce((sum, { mentions }) => sum + mentions, 0);
