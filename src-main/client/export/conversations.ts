/** Messages by the conversation that they are in, as one takes them along. */
import { fold } from '#shared/text/fold.ts';
import type { Message } from '#shared/api/models/message.ts';

export interface ExportedMessage {
  readonly id: number;
  /** UNIX seconds. */
  readonly timestamp: number;
  readonly senderId: number;
  readonly senderName: string;
  /** As it was written (Markdown). */
  readonly text: string;
  readonly html: string;
}

export interface ExportedConversation {
  /** Such as `general › lunch`, or the names of the others. */
  readonly title: string;
  /** Null for a private one. */
  readonly stream: string | null;
  readonly messages: readonly ExportedMessage[];
}

const taken = (message: Message): ExportedMessage => ({
  id: message.id,
  timestamp: message.timestamp,
  senderId: message.sender_id,
  senderName: message.sender_full_name,
  text: message.source ?? '',
  html: message.content,
});

const streamOf = ({ display_recipient: place }: Message): string | null =>
  typeof place === 'string' ? place : null;

function titleOf({ display_recipient: place, subject }: Message, ownUserId: number): string {
  if (typeof place === 'string') return `${place} › ${subject}`;
  const others = place.filter(({ id }) => id !== ownUserId);
  return (others.length === 0 ? place : others).map(({ full_name: name }) => name).join(', ');
}

/** A stream may be renamed and two people may have one name: ids tell conversations apart, and letters of topics do not. */
function keyOf({ display_recipient: place, subject, stream_id: streamId }: Message): string {
  if (typeof place === 'string') return `${String(streamId)} ${fold(subject)}`;
  return place
    .map(({ id }) => id)
    .sort((one, other) => one - other)
    .join(',');
}

/** Streams by name, then private conversations; the newest name of each, messages in the order of their ids. */
export function conversationsOf(
  messages: readonly Message[],
  ownUserId: number,
): readonly ExportedConversation[] {
  const byKey = new Map<string, Message[]>();
  for (const message of [...messages].sort((one, other) => one.id - other.id)) {
    const key = keyOf(message);
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [message]);
    else known.push(message);
  }
  const all = [...byKey.values()].flatMap((each): readonly ExportedConversation[] => {
    const newest = each.at(-1);
    if (newest === undefined) return [];
    const [title, stream] = [titleOf(newest, ownUserId), streamOf(newest)];
    return [{ title, stream, messages: each.map(taken) }];
  });
  return all.sort(
    (one, other) =>
      Number(one.stream === null) - Number(other.stream === null) ||
      one.title.localeCompare(other.title),
  );
}
