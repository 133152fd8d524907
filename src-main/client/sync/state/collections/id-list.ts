/** Ascending ids in pieces: one more or one less copies a piece, not the list. */
export type IdList = readonly (readonly number[])[];

const PIECE = 256;

export const lastId = (list: IdList): number | undefined => list.at(-1)?.at(-1);

/** Whoever removes an id, or adds one that is there, changes nothing by it. */
export function withIds(
  list: IdList,
  added: readonly number[],
  removed: ReadonlySet<number>,
): IdList {
  const [one] = added;
  const isOne = added.length + removed.size === 1;
  if (isOne && one !== undefined && one > (lastId(list) ?? -1)) return appended(list, one);
  if (isOne && one === undefined) return list.flatMap((piece) => without(piece, removed));
  const kept = list.flat().filter((id) => !removed.has(id));
  const ids = [...new Set([...kept, ...added])].sort((a, b) => a - b);
  const count = Math.ceil(ids.length / PIECE);
  return Array.from({ length: count }, (_, index) => ids.slice(index * PIECE, (index + 1) * PIECE));
}

function appended(list: IdList, id: number): IdList {
  const last = list.at(-1);
  return last === undefined || last.length >= PIECE
    ? [...list, [id]]
    : [...list.slice(0, -1), [...last, id]];
}

/** The piece itself where none of them can be in it, and none where nothing stays. */
function without(piece: readonly number[], removed: ReadonlySet<number>): IdList {
  const [first = 0, last = 0] = [piece[0], piece.at(-1)];
  if ([...removed].every((id) => id < first || id > last)) return [piece];
  const rest = piece.filter((id) => !removed.has(id));
  return rest.length === 0 ? [] : [rest];
}
