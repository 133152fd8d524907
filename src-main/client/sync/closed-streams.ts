/** Streams that the account can no longer read, whose messages go from here. */
import { z } from 'zod';
import type { SessionState } from './state/session-state.ts';

/** Streams that may no longer be read at all, or only as far as they were received. */
const Left = z.union([
  z
    .object({
      type: z.literal('subscription'),
      op: z.literal('remove'),
      subscriptions: z.array(z.object({ stream_id: z.int() })),
    })
    .transform(({ subscriptions }) => subscriptions.map(({ stream_id: id }) => id)),
  z
    .object({
      type: z.literal('stream'),
      op: z.literal('delete'),
      streams: z.array(z.object({ stream_id: z.int() })),
    })
    .transform(({ streams }) => streams.map(({ stream_id: id }) => id)),
]);

/** Those that an event tells of. */
export const leftBy = (event: unknown): readonly number[] => Left.safeParse(event).data ?? [];

/** Streams that could be read and no longer are told of, or no longer may be read at all. */
export function closedStreams(before: SessionState | null, now: SessionState): readonly number[] {
  if (before === null) return [];
  const subscribed = new Set(now.streams.map(({ streamId }) => streamId));
  const visible = new Set([...subscribed, ...now.otherStreams.map(({ streamId }) => streamId)]);
  return [
    ...before.streams.filter(({ streamId }) => !subscribed.has(streamId)),
    ...before.otherStreams.filter(({ streamId }) => !visible.has(streamId)),
  ].map(({ streamId }) => streamId);
}
