/** What happens last in a conversation, from its newest message. */
import type { ConversationSummary } from '#shared/bridge/models/client.ts';
import type { Message } from '#shared/api/models/message.ts';
import { plainText } from '../plain-text.ts';

const EXCERPT_CHARACTERS = 200;

export function summaryOf(
  message: Message,
  ownUserId: number,
  isParticipant: boolean,
): ConversationSummary {
  const { stream_id: streamId, display_recipient: recipient } = message;
  const others = typeof recipient === 'string' ? [] : recipient.map(({ id }) => id);
  return {
    conversation:
      streamId === undefined
        ? {
            kind: 'private',
            userIds: others.filter((id) => id !== ownUserId).sort((a, b) => a - b),
          }
        : { kind: 'stream', streamId, topic: message.subject },
    newestMessageId: message.id,
    newestAtSeconds: message.timestamp,
    newestSenderId: message.sender_id,
    excerpt: plainText(message.content, EXCERPT_CHARACTERS),
    isParticipant,
  };
}
