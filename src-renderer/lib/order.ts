import type { SubscribedStream } from '#shared/bridge/models/client-state.ts';
import { byName } from './by-name.ts';

/** With fewer streams than this, quiet ones are in nobody's way. */
const MANY_STREAMS = 30;

export interface StreamOrder {
  readonly isUnread: (streamId: number) => boolean;
  /** `demote_inactive_streams`: 1 automatically, 2 always, 3 never. */
  readonly demotesInactive: number;
}

/** Nobody wrote there for weeks. It is not known of a new stream. */
const isInactive = ({ weeklyTraffic }: SubscribedStream): boolean => weeklyTraffic === 0;

/**
 * Those that are not pinned: unread before read, then inactive ones, muted last; by name within.
 * @returns the pinned ones apart, by name and muted last
 */
export function orderStreams(
  streams: readonly SubscribedStream[],
  { isUnread, demotesInactive }: StreamOrder,
): { readonly pinned: readonly SubscribedStream[]; readonly others: readonly SubscribedStream[] } {
  const demotes =
    demotesInactive === 2 || (demotesInactive !== 3 && streams.length >= MANY_STREAMS);
  const rank = (stream: SubscribedStream): number => {
    if (stream.isMuted) return 3;
    if (!stream.isPinned && isUnread(stream.streamId)) return 0;
    return demotes && !stream.isPinned && isInactive(stream) ? 2 : 1;
  };
  const sorted = [...streams].sort((a, b) => rank(a) - rank(b) || byName(a, b));
  return {
    pinned: sorted.filter(({ isPinned }) => isPinned),
    others: sorted.filter(({ isPinned }) => !isPinned),
  };
}

/**
 * The rows in the order in which they stood, for as long as the pointer is over them; new ones go to the end.
 * @param held  keys in the order to keep
 */
export function holdOrder<T>(
  rows: readonly T[],
  held: readonly string[],
  keyOf: (row: T) => string,
): readonly T[] {
  const places = new Map(held.map((key, at) => [key, at]));
  const place = (row: T): number => places.get(keyOf(row)) ?? held.length;
  return [...rows].sort((a, b) => place(a) - place(b));
}
