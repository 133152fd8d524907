/** What messages that come, change and go do to unread marks, stars and private conversations. */
import { z } from 'zod';
import type { PrivateConversation } from '#shared/bridge/models/client-state.ts';
import { conversationKey } from '#shared/bridge/models/conversation.ts';
import type { Conversation } from '#shared/bridge/models/conversation.ts';
import { conversationOf } from '../shown-message.ts';
import type { EventContext } from './event.ts';
import { typingEnded } from './presence.ts';
import type { SessionState } from './session-state.ts';
import { withChanged } from './collections/sorted.ts';
import { markedRead, markedUnread, starredMessages } from './marks.ts';
import { noUnread, unreadFact, type UnreadEntry, withoutUnread, withUnread } from './unread.ts';
import { isMentioned } from '#shared/api/flags.ts';

const flags = z.array(z.string());

export const MessageEvent = z.object({
  message: z.object({
    id: z.int(),
    stream_id: z.int().optional(),
    display_recipient: z.union([z.string(), z.array(z.object({ id: z.int() }))]),
    subject: z.string(),
    sender_id: z.int(),
  }),
  flags: flags.catch([]),
});

export function messageCame(
  state: SessionState,
  { message, flags: given }: z.output<typeof MessageEvent>,
): SessionState {
  const { id, sender_id: senderId } = message;
  const conversation = conversationOf(message, state.ownUserId);
  const told = id > state.maxMessageId ? { ...state, maxMessageId: id } : state;
  const placed =
    conversation.kind === 'private'
      ? typingEnded(withPrivate(told, conversation, id), conversationKey(conversation), senderId)
      : withFirstMessage(told, conversation.streamId, id);
  const marked = given.includes('starred') ? starredMessages(placed, [id], true) : placed;
  if (given.includes('read')) return marked;
  return markedUnread(marked, [{ id, conversation, isMention: isMentioned(given) }]);
}

function withPrivate(state: SessionState, place: Conversation, id: number): SessionState {
  if (place.kind !== 'private') return state;
  const key = conversationKey(place);
  const known = state.privateConversations.find((each) => keyOf(each) === key);
  if (known !== undefined && known.newestMessageId >= id) return state;
  const others = state.privateConversations.filter((each) => each !== known);
  return {
    ...state,
    privateConversations: placed(others, { userIds: place.userIds, newestMessageId: id }),
  };
}

const keyOf = ({ userIds }: PrivateConversation): string =>
  conversationKey({ kind: 'private', userIds });

/** Into its place among others that are newest first already. */
function placed(
  others: readonly PrivateConversation[],
  added: PrivateConversation,
): readonly PrivateConversation[] {
  const found = others.findIndex((each) => each.newestMessageId < added.newestMessageId);
  const at = found === -1 ? others.length : found;
  return [...others.slice(0, at), added, ...others.slice(at)];
}

function withFirstMessage(state: SessionState, streamId: number, id: number): SessionState {
  const isFirst = (list: readonly { streamId: number; firstMessageId: number | null }[]): boolean =>
    list.some((each) => each.streamId === streamId && each.firstMessageId === null);
  const first = { firstMessageId: id };
  if (isFirst(state.streams)) {
    return { ...state, streams: withChanged(state.streams, 'streamId', streamId, first) };
  }
  if (isFirst(state.otherStreams)) {
    return { ...state, otherStreams: withChanged(state.otherStreams, 'streamId', streamId, first) };
  }
  return state;
}

export const UpdateMessageEvent = z.object({
  message_id: z.int(),
  message_ids: z.array(z.int()).catch([]),
  flags: flags.optional(),
  stream_id: z.int().optional(),
  new_stream_id: z.int().optional(),
  subject: z.string().optional(),
});

export function messagesChanged(
  state: SessionState,
  event: z.output<typeof UpdateMessageEvent>,
): SessionState {
  const changed = new Map<number, UnreadEntry>();
  const isMove = event.subject !== undefined || event.new_stream_id !== undefined;
  for (const id of isMove ? [event.message_id, ...event.message_ids] : []) {
    const fact = unreadFact(state.unreadStore, id);
    if (fact?.conversation.kind !== 'stream') continue;
    const { streamId, topic } = fact.conversation;
    const conversation = {
      kind: 'stream' as const,
      streamId: event.new_stream_id ?? streamId,
      topic: event.subject ?? topic,
    };
    changed.set(id, { id, conversation, isMention: fact.isMention });
  }
  const fact = unreadFact(state.unreadStore, event.message_id);
  if (fact !== undefined && event.flags !== undefined) {
    const known = changed.get(event.message_id) ?? { id: event.message_id, ...fact };
    changed.set(event.message_id, { ...known, isMention: isMentioned(event.flags) });
  }
  return withStore(state, withUnread(state.unreadStore, changed.values()));
}

const withStore = (state: SessionState, unreadStore: SessionState['unreadStore']): SessionState =>
  unreadStore === state.unreadStore ? state : { ...state, unreadStore };

export const DeleteMessageEvent = z.object({
  message_id: z.int().optional(),
  /** How newer services tell of several at once. */
  message_ids: z.array(z.int()).default([]).catch([]),
});

const deletedIds = ({
  message_id: one,
  message_ids: ids,
}: z.output<typeof DeleteMessageEvent>): readonly number[] =>
  one === undefined ? ids : [one, ...ids];

export function messagesDeleted(
  state: SessionState,
  event: z.output<typeof DeleteMessageEvent>,
  context: EventContext,
): SessionState {
  // From the newest on: the one before it may be among them.
  const ids = deletedIds(event).toSorted((a, b) => b - a);
  const unstarred = starredMessages(state, ids, false);
  const read = withStore(unstarred, withoutUnread(state.unreadStore, ids));
  return ids.reduce((before, id) => withoutPrivate(before, id, context), read);
}

/** The conversation goes back to where its newest message is now, and out of the list with its last one. */
function withoutPrivate(state: SessionState, id: number, context: EventContext): SessionState {
  const known = state.privateConversations.find((each) => each.newestMessageId === id);
  const newestId = known === undefined ? undefined : context.newestBefore?.(known.userIds, id);
  if (known === undefined || newestId === undefined) return state;
  const others = state.privateConversations.filter((each) => each !== known);
  const privateConversations =
    newestId === null ? others : placed(others, { ...known, newestMessageId: newestId });
  return { ...state, privateConversations };
}

/** Whether the newest message of a private conversation was deleted, and the one before it is not known here. */
export function isNewestUnknown(
  { privateConversations }: SessionState,
  events: readonly unknown[],
): boolean {
  const deleted = new Set(
    events.flatMap((event) => {
      if ((event as { readonly type?: unknown }).type !== 'delete_message') return [];
      const read = DeleteMessageEvent.safeParse(event);
      return read.success ? deletedIds(read.data) : [];
    }),
  );
  return privateConversations.some(({ newestMessageId }) => deleted.has(newestMessageId));
}

export const FlagsEvent = z.object({
  op: z.enum(['add', 'remove']).optional(),
  operation: z.enum(['add', 'remove']).optional(),
  flag: z.string(),
  messages: z.array(z.int()),
  all: z.boolean().catch(false),
});

export function flagsChanged(
  state: SessionState,
  event: z.output<typeof FlagsEvent>,
  { find }: EventContext,
): SessionState {
  const isSet = (event.op ?? event.operation) !== 'remove';
  switch (event.flag) {
    case 'read':
      if (isSet) return event.all ? withStore(state, noUnread) : markedRead(state, event.messages);
      return markedUnread(state, [...found(state, event.messages, find)]);
    case 'starred':
      return starredMessages(state, event.messages, isSet);
    case 'mentioned':
    case 'wildcard_mentioned':
      return mentioned(state, event.messages, isSet);
    default:
      return state;
  }
}

/** Those of which it is known where they belong; others are counted after the next registration. */
function* found(
  state: SessionState,
  ids: readonly number[],
  find: EventContext['find'],
): Generator<UnreadEntry> {
  for (const id of ids) {
    const message = unreadFact(state.unreadStore, id) === undefined ? find(id) : undefined;
    if (message === undefined) continue;
    const conversation = conversationOf(message, state.ownUserId);
    yield { id, conversation, isMention: isMentioned(message.flags) };
  }
}

function mentioned(state: SessionState, ids: readonly number[], isSet: boolean): SessionState {
  const entries = ids.flatMap((id) => {
    const fact = unreadFact(state.unreadStore, id);
    return fact === undefined ? [] : [{ id, conversation: fact.conversation, isMention: isSet }];
  });
  return withStore(state, withUnread(state.unreadStore, entries));
}
