import type { ShownMessage } from '../contract/models/client.ts';
import { conversationKey } from '../contract/models/client.ts';
import { plainText } from './plain-text.ts';
import type { Notice } from './ports.ts';

const BODY_LIMIT = 200;

export interface Arrival {
  readonly message: ShownMessage;
  readonly accountId: string;
  readonly isWindowFocused: boolean;
}

/** What the operating system shows for a message that arrived; null where it is not worth an interruption. */
export function noticeFor({ message, accountId, isWindowFocused }: Arrival): Notice | null {
  const { conversation } = message;
  if (conversation.kind !== 'private' || message.isOwn || message.isRead || isWindowFocused) {
    return null;
  }
  return {
    tag: conversationKey(conversation),
    title: message.senderName,
    body: plainText(message.rendered, BODY_LIMIT),
    accountId,
    conversation,
  };
}
