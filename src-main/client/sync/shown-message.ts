/** Messages of the wire as a window shows them, and the other way round: views as narrows, drafts as recipients. */
import type {
  Conversation,
  ShownMessage,
  ShownReaction,
  View,
} from '#shared/bridge/models/client.ts';
import type { EventMessage, Message, Reaction } from '#shared/api/models/message.ts';
import { marked, marksOfAll } from '#shared/api/models/message-marks.ts';
import type { NarrowTerm, HistoryScope } from '#shared/api/narrow.ts';
import { findPerson } from './state/people.ts';
import type { SessionState } from './state/session-state.ts';
import { isMentioned } from '#shared/api/flags.ts';

export interface Reader {
  readonly ownUserId: number;
  /** Null while nothing is known of the people here. */
  readonly state: Pick<SessionState, 'people'> | null;
}

export function shownMessage(
  message: Message | EventMessage,
  flags: readonly string[],
  { ownUserId, state }: Reader,
): ShownMessage {
  const person = state === null ? undefined : findPerson(state.people, message.sender_id);
  return {
    id: message.id,
    conversation: conversationOf(message, ownUserId),
    senderId: message.sender_id,
    senderName: person?.fullName ?? message.sender_full_name,
    avatarUrl: person === undefined ? message.avatar_url : person.avatarUrl,
    rendered: message.content,
    ...marked(marksOfAll, (name) => message[name]),
    sentAtSeconds: message.timestamp,
    editedAtSeconds:
      'last_edit_timestamp' in message ? (message.last_edit_timestamp ?? null) : null,
    ...('edited_parts' in message ? { editedParts: message.edited_parts } : {}),
    ...(message.recovered_at === undefined ? {} : { recoveredAtSeconds: message.recovered_at }),
    isOwn: message.sender_id === ownUserId,
    isRead: flags.includes('read'),
    isStarred: flags.includes('starred'),
    isMentioned: isMentioned(flags),
    hasAlertWord: flags.includes('has_alert_word'),
    reactions: groupedReactions(message.reactions),
    match: matchOf(message),
    localId: null,
  };
}

function matchOf(message: Message | EventMessage): ShownMessage['match'] {
  if (!('match_content' in message)) return null;
  const { match_content: rendered, match_subject: topic } = message;
  return rendered === undefined ? null : { rendered, topic: topic ?? '' };
}

/** By the emoji, in the order in which each was first given; two names of one emoji are one kind. */
function groupedReactions(reactions: readonly Reaction[]): readonly ShownReaction[] {
  const groups = new Map<string, ShownReaction>();
  for (const { emoji_name: name, emoji_code: code, reaction_type: type, user_id } of reactions) {
    const key = `${type} ${code}`;
    const { userIds, ...group } = groups.get(key) ?? { name, code, type, userIds: [] };
    groups.set(key, { ...group, userIds: [...userIds, user_id] });
  }
  return [...groups.values()];
}

/** What says where a message belongs. */
interface Placed {
  readonly stream_id?: number | undefined;
  readonly display_recipient: string | readonly { readonly id: number }[];
  readonly subject: string;
}

export function conversationOf(message: Placed, ownUserId: number): Conversation {
  if (message.stream_id !== undefined) {
    return { kind: 'stream', streamId: message.stream_id, topic: message.subject };
  }
  const { display_recipient: recipient } = message;
  const participants = typeof recipient === 'string' ? [] : recipient;
  const others = participants.map(({ id }) => id).filter((id) => id !== ownUserId);
  return { kind: 'private', userIds: others.sort((a, b) => a - b) };
}

/** The user ids that a private conversation is addressed by: notes to oneself go to oneself. */
const addressees = (userIds: readonly number[], ownUserId: number): number[] =>
  userIds.length === 0 ? [ownUserId] : [...userIds];

/** The terms by which the service, and the cache, select what the view shows. */
export function narrowOf(view: View, ownUserId: number): readonly NarrowTerm[] {
  switch (view.kind) {
    case 'feed':
      return [];
    case 'mentions':
      return [{ operator: 'is', operand: 'mentioned' }];
    case 'starred':
      return [{ operator: 'is', operand: 'starred' }];
    case 'search':
      return view.terms;
    case 'private':
      return [{ operator: 'pm-with', operand: addressees(view.userIds, ownUserId) }];
    case 'stream': {
      const stream = { operator: 'stream', operand: view.streamId };
      return view.topic === null ? [stream] : [stream, { operator: 'topic', operand: view.topic }];
    }
  }
}

/** How far the view goes beyond what was received; what names a stream says so itself. */
export function historyScopeOf({ kind }: View): { readonly historyScope?: HistoryScope } {
  if (kind === 'feed') return { historyScope: 'subscribed' };
  return kind === 'search' ? { historyScope: 'readable' } : {};
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
