/** What a window gets of a session's state, and what of it changed. */
import type { ClientState, UnreadConversations } from '#shared/bridge/models/client-state.ts';
import type { SessionState, WindowState } from './session-state.ts';
import { unreadOf } from './unread.ts';
import type { UnreadStore } from './unread.ts';

interface Shown {
  readonly streamIds: ReadonlySet<number>;
  readonly unread: UnreadConversations;
}

const shownOf = new WeakMap<UnreadStore['totals'], Shown>();

/** The same object while neither unread messages nor the set of subscribed streams change. */
function unreadIn({ unreadStore, streams }: SessionState): UnreadConversations {
  const known = shownOf.get(unreadStore.totals);
  const isSame =
    known?.streamIds.size === streams.length &&
    streams.every(({ streamId }) => known.streamIds.has(streamId));
  if (known !== undefined && isSame) return known.unread;
  const streamIds = new Set(streams.map(({ streamId }) => streamId));
  const unread = unreadOf(unreadStore.totals, streamIds);
  shownOf.set(unreadStore.totals, { streamIds, unread });
  return unread;
}

export function windowStateOf(state: SessionState): WindowState {
  const {
    unreadStore: _unread,
    starred: { size: starredCount },
    maxMessageId: _newest,
    mutedPlaces: _muted,
    formerStreamIds: _former,
    typists: _typists,
    ...shown
  } = state;
  return { ...shown, unread: unreadIn(state), starredCount };
}

/** The slices that are other objects than before; all of them where there was nothing before. */
export function changesBetween(
  before: SessionState | null,
  after: SessionState,
): Partial<ClientState> {
  if (before === after) return {};
  const now = windowStateOf(after);
  if (before === null) return now;
  const old = windowStateOf(before);
  const names = Object.keys(now) as (keyof WindowState)[];
  return Object.fromEntries(
    names.flatMap((name) => (old[name] === now[name] ? [] : [[name, now[name]] as const])),
  );
}
