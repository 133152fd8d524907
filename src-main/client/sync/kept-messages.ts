/** Messages of the service as they are kept here. */
import type { Message } from '#shared/api/models/message.ts';
import type { PendingFlag } from '../outbox/outbox-store.ts';

/** What a search marked belongs to that search alone. */
export function withoutMatch(message: Message): Message {
  if (message.match_content === undefined && message.match_subject === undefined) return message;
  const { match_content: _content, match_subject: _subject, ...rest } = message;
  return rest;
}

export function withFlags(message: Message, pending: readonly PendingFlag[]): Message {
  const flags = new Set(message.flags);
  for (const { messageId, flag, isSet } of pending) {
    if (messageId !== message.id) continue;
    if (isSet) flags.add(flag);
    else flags.delete(flag);
  }
  return { ...message, flags: [...flags] };
}

/** With the marks that were made here and that the service does not know of yet. */
export function withPendingFlags(
  messages: readonly Message[],
  pending: readonly PendingFlag[],
): readonly Message[] {
  if (pending.length === 0) return messages;
  const ids = new Set(pending.map(({ messageId }) => messageId));
  return messages.map((each) =>
    ids.has(each.id) ? { ...withFlags(each, pending), is_held: true } : each,
  );
}
