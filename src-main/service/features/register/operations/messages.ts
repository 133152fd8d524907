/** Messages and what was read of them in the initial state. */
import { summarizeUnread } from '#service/features/reading/rules/unread-counts.ts';
import { part } from './section.ts';

const messagePart = part(['newestHeldId'], (_request, { newestHeldId }) => ({
  max_message_id: newestHeldId ?? -1,
}));

export const unreadPart = part(['unread', 'subscriptions'], ({ caller }, facts) => {
  const muted = facts.subscriptions.filter((row) => row.is_muted === 1).map((row) => row.id);
  return { unread_msgs: summarizeUnread(facts.unread, new Set(muted), caller.userId) };
});

const starredPart = part(['starredIds'], (_request, { starredIds }) => ({
  starred_messages: starredIds,
}));

const conversationPart = part(['privateConversations'], ({ caller }, { privateConversations }) => ({
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
}));

/** By the type of the events that go on from it. */
export const messageParts = {
  message: messagePart,
  starred_messages: starredPart,
};

/** Only where they are named. */
export const namedMessageParts = {
  recent_private_conversations: conversationPart,
};
