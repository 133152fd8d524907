/** Which row or unread conversation comes next, as the keys that go there ask. */
import type { Conversation, View } from '#shared/bridge/models/conversation.ts';
import { isSamePlace } from './places.ts';

/** The row before (-1) or after (1) the open one, of those that are accepted; from the last one it goes on at the first. */
export function nextRow(
  rows: readonly View[],
  open: View | null,
  step: -1 | 1,
  accepts: (row: View) => boolean,
): View | null {
  const at = rows.findIndex((row) => isSamePlace(row, open));
  const start = at === -1 && step === -1 ? 0 : at;
  for (let i = 1; i <= rows.length; i += 1) {
    const row = rows[(start + step * i + rows.length * 2) % rows.length];
    if (row === undefined) return null;
    if (accepts(row)) return row;
  }
  return null;
}

/**
 * The unread conversation after the open one; null when there is none.
 * @param openStreamId  the stream that is open, whose topics come first; null for none
 */
export function nextConversation(
  unread: readonly Conversation[],
  open: View | null,
  openStreamId: number | null,
): Conversation | null {
  const at = unread.findIndex((place) => isSamePlace(place, open));
  if (at !== -1) return unread[(at + 1) % unread.length] ?? null;
  const here = unread.find((place) => place.kind === 'stream' && place.streamId === openStreamId);
  return here ?? unread[0] ?? null;
}
