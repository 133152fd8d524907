/** What lies between two messages of a list, both included. */
export interface MessageRange {
  readonly fromId: number;
  readonly toId: number;
}

/** The first and the last message that somebody sees of a list. */
export interface VisibleRange {
  readonly firstId: number;
  readonly lastId: number;
}

/**
 * What somebody has passed who stood at a message and sees this now: on the way down all that lies between, whether it was
 * drawn or not; on the way up only what they see.
 * @param stoodAtId  null where they have only just come
 */
export const rangeTo = (
  stoodAtId: number | null,
  { firstId, lastId }: VisibleRange,
): MessageRange => ({
  fromId: Math.min(stoodAtId ?? firstId, firstId),
  toId: lastId,
});

/** With one more, in order; those that touch are one. */
export function withRange(
  passages: readonly MessageRange[],
  added: MessageRange,
): readonly MessageRange[] {
  const isApart = ({ fromId, toId }: MessageRange): boolean =>
    toId + 1 < added.fromId || fromId > added.toId + 1;
  const touching = passages.filter((each) => !isApart(each));
  const joined = {
    fromId: Math.min(added.fromId, ...touching.map(({ fromId }) => fromId)),
    toId: Math.max(added.toId, ...touching.map(({ toId }) => toId)),
  };
  return [...passages.filter(isApart), joined].sort((a, b) => a.fromId - b.fromId);
}

/** Whether all of it was passed already. */
export const hasPassed = (
  passages: readonly MessageRange[],
  { fromId, toId }: MessageRange,
): boolean => passages.some((each) => each.fromId <= fromId && toId <= each.toId);
