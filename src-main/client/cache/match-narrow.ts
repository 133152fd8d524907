/** Narrows held against messages one at a time. */
import type { Message } from '#shared/api/models/message.ts';
import { matches } from '#shared/search/query.ts';
import type { HasKind } from '#shared/search/narrow.ts';
import { isSentWithin } from '#shared/search/narrow-terms.ts';
import { plainText } from '../plain-text.ts';
import { fold } from '#shared/text/fold.ts';
import type { Condition, ResolvedNarrow, Selection } from './narrow.ts';
import type { NarrowScope } from './narrow-scope.ts';
import { isMentioned } from '#shared/api/flags.ts';

/** A message as it is kept. */
export interface CachedMessageEntry {
  readonly message: Message;
  /** Whether the account holds it, beside being allowed to read it. */
  readonly isHeld: boolean;
}

const MAX_PLAIN = 10_000;

/** What a search looks at: where the service gave no source, the text of what it gave. */
export const searchedText = (message: Pick<Message, 'content' | 'source'>): string =>
  message.source ?? plainText(message.content, MAX_PLAIN);

export type MessageFeatures = Readonly<Record<HasKind, boolean>>;

/** Where the service did not tell, what the HTML shows. */
export const featuresOf = (message: Message): MessageFeatures => ({
  link: message.has_link ?? /<a (?:[^<>]* )?href="(?!\/#)/.test(message.content),
  image: message.has_image ?? message.content.includes('class="message_inline_image"'),
  attachment: message.has_attachment ?? message.content.includes('href="/user_uploads/'),
});

/**
 * Whether the account holds the message. A copy and history that was never received may have the same flags: then
 * only the service knows, and what is not told is taken for history.
 */
export function isHeldMessage({ is_held: isHeld, flags }: Message): boolean {
  if (isHeld !== undefined) return isHeld;
  return !flags.includes('historical') || flags.some((flag) => !/^(?:read|historical)$/.test(flag));
}

/** All participants of a private conversation, ascending, joined by commas; null for a stream. */
export function conversationKeyOf({ display_recipient: recipient }: Message): string | null {
  if (typeof recipient === 'string') return null;
  return recipient
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join(',');
}

function isInGroup(message: Message, userId: number): boolean {
  const { display_recipient: recipient } = message;
  if (typeof recipient === 'string' || recipient.length < 3) return false;
  return recipient.some(({ id }) => id === userId);
}

function isTopicMuted({ stream_id: streamId, subject }: Message, scope: NarrowScope): boolean {
  return streamId !== undefined && scope.isTopicMuted(streamId, subject);
}

const isStreamMuted = ({ stream_id: id }: Message, { streams }: NarrowScope): boolean =>
  streams.some(({ streamId, isMuted }) => streamId === id && isMuted);

function isPublic(
  { message, isHeld }: CachedMessageEntry,
  scope: NarrowScope,
  isOwnOnly: boolean,
): boolean {
  const stream = scope.streams.find(({ streamId }) => streamId === message.stream_id);
  if (stream?.isPrivate !== false) return false;
  return !isOwnOnly || isHeld || stream.isSubscribed;
}

type Meanings = {
  readonly [K in Condition['kind']]: (
    entry: CachedMessageEntry,
    condition: Extract<Condition, { kind: K }>,
    scope: NarrowScope,
  ) => boolean;
};

const meanings: Meanings = {
  stream: ({ message }, { streamId }) => message.stream_id === streamId,
  conversation: ({ message }, { key }) => conversationKeyOf(message) === key,
  topic: ({ message }, { topicKey }) =>
    message.type === 'stream' && fold(message.subject) === topicKey,
  sender: ({ message }, { userIds }) => userIds.includes(message.sender_id),
  'group-with': ({ message }, { userId }) => isInGroup(message, userId),
  message: ({ message }, { id }) => message.id === id,
  sent: ({ message }, { range }) => isSentWithin(range, message.timestamp),
  flag: ({ message }, { flags }) => flags.some((flag) => message.flags.includes(flag)),
  mentioned: ({ message }) => isMentioned(message.flags),
  private: ({ message }) => message.type === 'private',
  unread: ({ message }) => !message.flags.includes('read'),
  home: ({ message }, _, scope) => !isTopicMuted(message, scope) && !isStreamMuted(message, scope),
  'unmuted-topics': ({ message }, _, scope) => !isTopicMuted(message, scope),
  'public-streams': (entry, _, scope) => isPublic(entry, scope, false),
  'own-public-streams': (entry, _, scope) => isPublic(entry, scope, true),
  link: ({ message }) => featuresOf(message).link,
  image: ({ message }) => featuresOf(message).image,
  attachment: ({ message }) => featuresOf(message).attachment,
};

const meets = (entry: CachedMessageEntry, condition: Condition, scope: NarrowScope): boolean =>
  (meanings[condition.kind] as (e: CachedMessageEntry, c: Condition, s: NarrowScope) => boolean)(
    entry,
    condition,
    scope,
  );

export function isInScope(
  { message, isHeld }: CachedMessageEntry,
  base: Selection['base'],
): boolean {
  if (isHeld || base === 'open') return true;
  const { stream_id: streamId } = message;
  return base !== 'held' && streamId !== undefined && base.alsoIn.includes(streamId);
}

export function isSelected(
  entry: CachedMessageEntry,
  narrow: ResolvedNarrow,
  scope: NarrowScope,
): boolean {
  const { message } = entry;
  const { base, predicates, search } = narrow;
  if (!isInScope(entry, base)) return false;
  if (!predicates.every((p) => meets(entry, p.condition, scope) !== p.isNegated)) return false;
  const topic = message.type === 'stream' ? message.subject : null;
  return search === null || matches(topic, searchedText(message), search);
}
