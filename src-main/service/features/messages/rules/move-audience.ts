/** Who is told of which moved messages: nobody learns of one that is hidden from them. */
import type { Holders, Stretch } from '#service/db/port.ts';

/** Accounts that are told the same. */
export interface MoveGroup {
  readonly userIds: readonly number[];
  /** Where the moved messages are that they may see, ascending. */
  readonly stretches: readonly Stretch[];
}

/** The messages of a group, ascending. */
export const messagesOf = (
  { stretches }: MoveGroup,
  messageIds: readonly number[],
): readonly number[] => stretches.flatMap(([from, until]) => messageIds.slice(from, until));

const isAll = ([first]: readonly Stretch[], count: number): boolean =>
  first?.[0] === 0 && first[1] === count;

/**
 * The first group sees every moved message; it is there even when nobody is in it.
 * @param count  of the moved messages
 * @param open  accounts that see everything, whatever they hold
 */
export function moveGroups(
  { held }: Holders,
  count: number,
  open: Iterable<number>,
): readonly MoveGroup[] {
  const all = new Set(open);
  const groups = new Map<string, { userIds: number[]; stretches: readonly Stretch[] }>();
  for (const [userId, stretches] of held) {
    if (isAll(stretches, count)) all.add(userId);
    if (all.has(userId) || stretches.length === 0) continue;
    const key = stretches.join();
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { userIds: [userId], stretches });
    else known.userIds.push(userId);
  }
  const everything: Stretch = [0, count];
  return [{ userIds: [...all].sort((a, b) => a - b), stretches: [everything] }, ...groups.values()];
}

/** The list cut where other accounts begin to see, or no longer do, with all who see that part. */
export function byPart(groups: readonly MoveGroup[]): readonly (readonly [Stretch, number[]])[] {
  const edges = groups.flatMap(({ stretches }) => stretches.flat());
  const cuts = [...new Set(edges)].sort((a, b) => a - b);
  const seenBy = new Map<number, number[]>(cuts.map((cut) => [cut, []]));
  const positionOf = new Map(cuts.map((cut, index) => [cut, index]));
  for (const { userIds, stretches } of groups) {
    for (const [from, until] of stretches) {
      for (let at = positionOf.get(from) ?? 0; (cuts[at] ?? until) < until; at += 1) {
        seenBy.get(cuts[at] ?? from)?.push(...userIds);
      }
    }
  }
  return cuts.flatMap((cut, index) => {
    const [until, userIds] = [cuts[index + 1], seenBy.get(cut)];
    return until === undefined || userIds === undefined ? [] : [[[cut, until], userIds] as const];
  });
}
