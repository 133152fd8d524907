/** Streams that the account no longer sees, and may keep messages of. */
import type { GoneStream, ListedStream } from '#shared/bridge/models/client-state.ts';
import type { Message } from '#shared/api/models/message.ts';
import type { SessionState } from './session-state.ts';
import { withItems } from './collections/sorted.ts';

/** More than anybody looks up. */
const MOST = 1000;

/** Without what is the account's own of it. */
export const listed = (stream: ListedStream): ListedStream => ({
  streamId: stream.streamId,
  name: stream.name,
  description: stream.description,
  isPrivate: stream.isPrivate,
  isAnnouncementOnly: stream.isAnnouncementOnly,
  hasSharedHistory: stream.hasSharedHistory,
  firstMessageId: stream.firstMessageId,
  weeklyTraffic: stream.weeklyTraffic,
});

export const goneStream = (
  stream: ListedStream,
  how: GoneStream['how'],
  sinceSeconds: number | null,
): GoneStream => ({ ...listed(stream), weeklyTraffic: null, how, sinceSeconds });

export function withGone(state: SessionState, gone: readonly GoneStream[]): SessionState {
  if (gone.length === 0) return state;
  return { ...state, goneStreams: withItems(state.goneStreams, gone, 'streamId').slice(-MOST) };
}

/** A new snapshot tells nothing of what is not seen any more: that is what was known before and is not in it. */
export function keepingGone(
  before: SessionState | null,
  now: SessionState,
  nowSeconds: number,
): SessionState {
  if (before === null) return now;
  const seen = seenIn(now);
  const lost = [...before.streams, ...before.otherStreams]
    .filter(({ streamId }) => !seen.has(streamId))
    .map((stream) => goneStream(stream, 'hidden', nowSeconds));
  return withGone({ ...now, goneStreams: before.goneStreams }, lost);
}

/** Messages of a stream that was never told of here have its name. */
export function namingGone(state: SessionState, messages: readonly Message[]): SessionState {
  const known = seenIn(state);
  for (const { streamId } of state.goneStreams) known.add(streamId);
  const unknown = messages.flatMap((message): GoneStream[] => {
    const { stream_id: streamId, display_recipient: name } = message;
    if (streamId === undefined || typeof name !== 'string' || known.has(streamId)) return [];
    known.add(streamId);
    const rest = { isPrivate: true, isAnnouncementOnly: false, hasSharedHistory: false } as const;
    const stream = { streamId, name, description: '', ...rest };
    return [goneStream({ ...stream, firstMessageId: null, weeklyTraffic: null }, 'hidden', null)];
  });
  return withGone(state, unknown);
}

const seenIn = ({ streams, otherStreams }: SessionState): Set<number> =>
  new Set([...streams, ...otherStreams].map(({ streamId }) => streamId));
