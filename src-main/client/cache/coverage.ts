/** For which message ids a place is known completely, as intervals that do not touch each other. */

/** Both ends belong to it. */
export type Interval = readonly [fromId: number, throughId: number];

/** The end of an interval that new messages extend. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** Ascending, with neighbours joined. */
export function withInterval(intervals: readonly Interval[], added: Interval): readonly Interval[] {
  const [from, through] = added;
  if (from > through) return intervals;
  let joined: Interval = added;
  const apart: Interval[] = [];
  for (const each of intervals) {
    const isApart = each[1] + 1 < joined[0] || joined[1] + 1 < each[0];
    if (isApart) apart.push(each);
    else joined = [Math.min(each[0], joined[0]), Math.max(each[1], joined[1])];
  }
  return [...apart, joined].sort((a, b) => a[0] - b[0]);
}

/** What is left when nothing is known of the ids through `id`. */
export const above = (intervals: readonly Interval[], id: number): readonly Interval[] =>
  intervals
    .filter(([, through]) => through > id)
    .map(([from, through]): Interval => [Math.max(from, id + 1), through]);

export const covers = (intervals: readonly Interval[], from: number, through: number): boolean =>
  from > through || intervals.some((each) => each[0] <= from && through <= each[1]);

/** The id from which on everything is known; null where the newest are not. */
export function coveredFrom(intervals: readonly Interval[]): number | null {
  const last = intervals.at(-1);
  return last?.[1] === FOREVER ? last[0] : null;
}

/** The first id from `id` on of which nothing is known. */
export const uncoveredFrom = (intervals: readonly Interval[], id: number): number =>
  (intervals.find(([from, through]) => from <= id && id <= through)?.[1] ?? id - 1) + 1;
