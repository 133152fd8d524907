/** Messages of the wire as a window shows them, and the other way round: views as narrows, drafts as recipients. */
import type {
  Conversation,
  MessagePageRequest,
  ShownMessage,
  View,
} from '../contract/models/client.ts';
import type { EventMessage } from '../contract/models/message.ts';
import type { NarrowTerm } from '../contract/narrow.ts';

export function shownMessage(
  message: EventMessage,
  flags: readonly string[],
  ownUserId: number,
): ShownMessage {
  return {
    id: message.id,
    conversation: conversationOf(message, ownUserId),
    senderId: message.sender_id,
    senderName: message.sender_full_name,
    rendered: message.content,
    sentAtSeconds: message.timestamp,
    isOwn: message.sender_id === ownUserId,
    isRead: flags.includes('read'),
  };
}

function conversationOf(message: EventMessage, ownUserId: number): Conversation {
  if (message.stream_id !== undefined) {
    return { kind: 'stream', streamId: message.stream_id, topic: message.subject };
  }
  const participants = Array.isArray(message.display_recipient) ? message.display_recipient : [];
  const others = participants.map(({ id }) => id).filter((id) => id !== ownUserId);
  return { kind: 'private', userIds: others.sort((a, b) => a - b) };
}

/** The user ids that a private conversation is addressed by: notes to oneself go to oneself. */
const addressees = (userIds: readonly number[], ownUserId: number): number[] =>
  userIds.length === 0 ? [ownUserId] : [...userIds];

export function narrowOf(view: View, ownUserId: number): readonly NarrowTerm[] {
  if (view.kind === 'private') {
    return [{ operator: 'pm-with', operand: addressees(view.userIds, ownUserId) }];
  }
  const stream = { operator: 'stream', operand: view.streamId };
  return view.topic === null ? [stream] : [stream, { operator: 'topic', operand: view.topic }];
}

export const recipientOf = (
  conversation: Conversation,
  ownUserId: number,
):
  | { readonly type: 'stream'; readonly to: number; readonly topic: string }
  | { readonly type: 'private'; readonly to: readonly number[] } =>
  conversation.kind === 'stream'
    ? { type: 'stream', to: conversation.streamId, topic: conversation.topic }
    : { type: 'private', to: addressees(conversation.userIds, ownUserId) };

/** The messages of a page that were asked for: the anchor itself comes with it, unasked. */
export const isWanted =
  ({ beforeId }: MessagePageRequest) =>
  (message: { readonly id: number }): boolean =>
    beforeId === null || message.id < beforeId;
