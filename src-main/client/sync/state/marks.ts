/** What was done here, shown before the service tells of it; its event then changes nothing more. */
import type { SessionState } from './session-state.ts';
import { type UnreadEntry, withoutUnread, withUnread } from './unread.ts';

export function markedRead(state: SessionState, ids: Iterable<number>): SessionState {
  const unreadStore = withoutUnread(state.unreadStore, ids);
  return unreadStore === state.unreadStore ? state : { ...state, unreadStore };
}

export function markedUnread(state: SessionState, entries: Iterable<UnreadEntry>): SessionState {
  const unreadStore = withUnread(state.unreadStore, entries);
  return unreadStore === state.unreadStore ? state : { ...state, unreadStore };
}

export function starredMessages(
  state: SessionState,
  ids: Iterable<number>,
  isSet: boolean,
): SessionState {
  let changed = state.starred;
  for (const id of ids) changed = isSet ? changed.with(id, true) : changed.without(id);
  return changed === state.starred ? state : { ...state, starred: changed };
}
