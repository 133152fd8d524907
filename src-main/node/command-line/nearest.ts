/** What somebody may have meant: the name that takes the fewest changes, where few are enough. */

/** How many letters have to be added, removed or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const changed = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

export function nearestOf(name: string, names: readonly string[]): string | undefined {
  // Nothing of use is that long, and the work grows with it.
  if (name.length > 100) return undefined;
  const most = Math.max(2, Math.floor(name.length / 3));
  const near = names
    .map((each) => ({ each, changes: distance(name, each) }))
    .filter(({ changes }) => changes <= most)
    .sort((one, other) => one.changes - other.changes);
  return near[0]?.each;
}

/** To follow what is unknown. */
export function suggestion(name: string, names: readonly string[]): string {
  const near = nearestOf(name, names);
  return near === undefined ? '' : `: did you mean ${near}?`;
}
