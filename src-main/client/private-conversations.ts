import type { PrivateConversation, ShownMessage } from '../contract/models/client.ts';
import { conversationKey } from '../contract/models/client.ts';

export interface PrivateConversations {
  /** Newest first. */
  readonly list: () => readonly PrivateConversation[];
  /** Whether the list changed; messages of streams do not change it. */
  readonly add: (message: ShownMessage) => boolean;
}

/** The private conversations of the messages known so far. */
export function createPrivateConversations(): PrivateConversations {
  const byKey = new Map<string, PrivateConversation>();
  return {
    list: () => [...byKey.values()].sort((a, b) => b.newestMessageId - a.newestMessageId),
    add: ({ id, conversation }) => {
      if (conversation.kind !== 'private') return false;
      const key = conversationKey(conversation);
      if ((byKey.get(key)?.newestMessageId ?? -1) >= id) return false;
      byKey.set(key, { userIds: conversation.userIds, newestMessageId: id });
      return true;
    },
  };
}
