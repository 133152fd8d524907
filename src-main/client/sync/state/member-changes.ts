import { z } from 'zod';
import type { SessionState } from './session-state.ts';

/** Stands for all streams. */
export const ALL_STREAMS = 0;

/** @param id  of the event that told of it */
export function withMemberChange(
  state: SessionState,
  streamIds: readonly number[],
  id: number,
): SessionState {
  const { memberChanges } = state;
  const changed = streamIds.filter((streamId) => (memberChanges[streamId] ?? -1) < id);
  if (changed.length === 0) return state;
  const now = Object.fromEntries(changed.map((streamId) => [streamId, id]));
  return { ...state, memberChanges: { ...memberChanges, ...now } };
}

const Numbered = z.looseObject({ id: z.int() });
const Peers = z.object({ op: z.enum(['peer_add', 'peer_remove']), stream_ids: z.array(z.int()) });
const Own = z.object({
  op: z.enum(['add', 'remove']),
  subscriptions: z.array(z.object({ stream_id: z.int() })),
});

/** Whoever counted the people in these streams has to count again. */
export function membersChanged(state: SessionState, event: unknown): SessionState {
  const id = Numbered.safeParse(event).data?.id;
  if (id === undefined) return state;
  const own = Own.safeParse(event).data?.subscriptions.map((each) => each.stream_id);
  const streamIds = own ?? Peers.safeParse(event).data?.stream_ids ?? [];
  return withMemberChange(state, streamIds, id);
}
