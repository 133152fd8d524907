import type { SubscribedStream } from '../../src-main/contract/models/client.ts';

const rank = (stream: SubscribedStream): number => (stream.isMuted ? 2 : stream.isPinned ? 0 : 1);

/** Pinned first, muted last, by name within. Unread does not move a stream: rows stay where they were. */
export const orderStreams = (streams: readonly SubscribedStream[]): readonly SubscribedStream[] =>
  [...streams].sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));

/**
 * The rows in the order in which they stood, for as long as the pointer is over them; new ones go to the end.
 * @param held  keys in the order to keep
 */
export function holdOrder<T>(
  rows: readonly T[],
  held: readonly string[],
  keyOf: (row: T) => string,
): readonly T[] {
  const place = (row: T): number => {
    const at = held.indexOf(keyOf(row));
    return at === -1 ? held.length : at;
  };
  return [...rows].sort((a, b) => place(a) - place(b));
}
