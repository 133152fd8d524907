/** Messages and what was read of them in the initial state. */
import { summarizeUnread } from '../rules/unread.ts';
import { part } from './part.ts';

export const messagePart = part(['newestHeldId'], (_request, { newestHeldId }) => ({
  max_message_id: newestHeldId ?? -1,
}));

export const unreadPart = part(['unread', 'subscriptions'], (_request, facts) => {
  const subscribed = new Set(facts.subscriptions.map((row) => row.id));
  const muted = facts.subscriptions.filter((row) => row.is_muted === 1).map((row) => row.id);
  // What was left unread in a stream that the caller has left is held, but no longer waits for anybody.
  const rows = facts.unread.filter(
    ({ stream_id: streamId }) => streamId === null || subscribed.has(streamId),
  );
  return { unread_msgs: summarizeUnread(rows, new Set(muted)) };
});

export const starredPart = part([], () => ({ starred_messages: [] }));

export const conversationPart = part(
  ['privateConversations'],
  ({ caller }, { privateConversations }) => ({
    recent_private_conversations: privateConversations.flatMap((row) =>
      row.max_id === null
        ? []
        : [
            {
              max_message_id: row.max_id,
              user_ids: row.participants_key
                .split(',')
                .map(Number)
                .filter((id) => id !== caller.userId),
            },
          ],
    ),
  }),
);
