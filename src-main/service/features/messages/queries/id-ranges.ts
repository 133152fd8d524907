/** Parts of an ascending list of ids. A range of ids is asked once, however many of the list lie in it. */

/** Positions in the list; the second one is the first that is not in it. */
export type Stretch = readonly [from: number, until: number];

/** The position of the first id above the given one. */
export function indexAbove(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? 0) > id) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Undefined for an id that is not in the list. */
export function indexOf(ids: readonly number[], id: number): number | undefined {
  const index = indexAbove(ids, id) - 1;
  return ids[index] === id ? index : undefined;
}

/** In their order, without overlaps and empty ones. */
export function united(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: (readonly [number, number])[] = [];
  for (const [from, until] of [...stretches].sort(([a], [b]) => a - b)) {
    if (from >= until) continue;
    const last = all.at(-1);
    if (last === undefined || last[1] < from) all.push([from, until]);
    else if (last[1] < until) all[all.length - 1] = [last[0], until];
  }
  return all;
}

/** What of the first is not in the second; both as `united` answers. */
export function without(
  stretches: readonly Stretch[],
  others: readonly Stretch[],
): readonly Stretch[] {
  const left: Stretch[] = [];
  let next = 0;
  for (const [start, until] of stretches) {
    let from = start;
    while ((others[next]?.[1] ?? Infinity) <= from) next += 1;
    for (let at = next; (others[at]?.[0] ?? Infinity) < until; at += 1) {
      const [otherFrom, otherUntil] = others[at] ?? [until, until];
      if (otherFrom > from) left.push([from, otherFrom]);
      from = Math.max(from, otherUntil);
    }
    if (from < until) left.push([from, until]);
  }
  return left;
}

export const common = (
  stretches: readonly Stretch[],
  others: readonly Stretch[],
): readonly Stretch[] => without(stretches, without(stretches, others));

/** What of them lies at the position or behind it. */
export const behind = (stretches: readonly Stretch[], position: number): readonly Stretch[] =>
  without(stretches, [[0, position]]);

/** What of them lies before the position. */
export const ahead = (stretches: readonly Stretch[], position: number): readonly Stretch[] =>
  without(stretches, [[position, Infinity]]);

export const lengthOf = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, [from, until]) => sum + until - from, 0);

export const covers = (stretches: readonly Stretch[], position: number): boolean =>
  stretches.some(([from, until]) => from <= position && position < until);
