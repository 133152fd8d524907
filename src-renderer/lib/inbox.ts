import type {
  UnreadConversation,
  UnreadConversations,
} from '#shared/bridge/models/client-state.ts';
import type { Conversation } from '#shared/bridge/models/conversation.ts';

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

/** So many rows of them, from the top; the name of a stream is a row, too. */
export function firstRows(groups: InboxGroups, rows: number): InboxGroups {
  let left = rows;
  const take = <T>(entries: readonly T[]): readonly T[] => {
    const taken = entries.slice(0, Math.max(left, 0));
    left -= taken.length;
    return taken;
  };
  const privates = take(groups.privates);
  const mentions = take(groups.mentions);
  const streams = groups.streams.flatMap(({ streamId, topics }) => {
    left -= 1;
    return left > 0 ? [{ streamId, topics: take(topics) }] : [];
  });
  return { privates, mentions, streams };
}

export const rowsOf = ({ privates, mentions, streams }: InboxGroups): number =>
  privates.length +
  mentions.length +
  streams.reduce((sum, { topics }) => sum + 1 + topics.length, 0);
