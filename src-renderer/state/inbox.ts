import type {
  UnreadConversation,
  UnreadConversations,
} from '../../src-main/contract/models/client-state.ts';
import type { Conversation } from '../../src-main/contract/models/conversation.ts';

export interface InboxStream {
  readonly streamId: number;
  readonly topics: readonly UnreadConversation[];
}

export interface InboxGroups {
  readonly privates: readonly UnreadConversation[];
  /** Topics in which the reader is mentioned; they stand here only. */
  readonly mentions: readonly UnreadConversation[];
  /** By their newest message, as the topics in them. */
  readonly streams: readonly InboxStream[];
}

/** What is unread and not muted, newest first in every group. */
export function inboxGroups(
  unread: UnreadConversations,
  isQuiet: (conversation: Conversation) => boolean,
): InboxGroups {
  const newestFirst = Object.values(unread)
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.newestId - a.newestId);
  const streams = new Map<number, readonly UnreadConversation[]>();
  for (const entry of newestFirst) {
    const { conversation, mentions } = entry;
    if (conversation.kind !== 'stream' || mentions > 0 || isQuiet(conversation)) continue;
    const { streamId } = conversation;
    streams.set(streamId, [...(streams.get(streamId) ?? []), entry]);
  }
  return {
    privates: newestFirst.filter(({ conversation }) => conversation.kind === 'private'),
    mentions: newestFirst.filter(
      ({ conversation, mentions }) => conversation.kind === 'stream' && mentions > 0,
    ),
    streams: [...streams].map(([streamId, topics]) => ({ streamId, topics })),
  };
}
