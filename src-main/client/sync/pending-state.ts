/** The state with what was marked here and the service does not know yet. */
import type { Message } from '#shared/api/models/message.ts';
import type { PendingFlag } from '../outbox/outbox-store.ts';
import { conversationOf } from './shown-message.ts';
import { markedRead, markedUnread, starredMessages } from './state/marks.ts';
import type { SessionState } from './state/session-state.ts';
import type { UnreadEntry } from './state/unread.ts';
import { isMentioned } from '#shared/api/flags.ts';

export const unreadEntry = (message: Message, ownUserId: number): UnreadEntry => ({
  id: message.id,
  conversation: conversationOf(message, ownUserId),
  isMention: isMentioned(message.flags),
});

/**
 * @param find  messages as they are kept: only with them is it known where something became unread, and is it found out
 *   later that a starred one is gone
 */
export function withPending(
  state: SessionState,
  pending: readonly PendingFlag[],
  find: (ids: readonly number[]) => readonly Message[],
): SessionState {
  if (pending.length === 0) return state;
  const idsOf = (flag: PendingFlag['flag'], isSet: boolean): readonly number[] =>
    pending
      .filter((change) => change.flag === flag && change.isSet === isSet)
      .map(({ messageId }) => messageId);
  const entries = find(idsOf('read', false)).map((each) => unreadEntry(each, state.ownUserId));
  const marked = markedUnread(markedRead(state, idsOf('read', true)), entries);
  const kept = find(idsOf('starred', true)).map(({ id }) => id);
  const starred = starredMessages(marked, kept, true);
  return starredMessages(starred, idsOf('starred', false), false);
}
