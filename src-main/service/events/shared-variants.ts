/**
 * Lists that many share, and lists that differ from a shared one in a few places. What is made of a shared list is made once,
 * and what is made of a variation of it needs to be made for those places alone. Nobody may change either.
 */
import { createObjectCache } from '../core/cache/attached.ts';

export interface ListVariation<T> {
  /** The shared list; the same one where it does not differ at all. */
  readonly of: readonly T[];
  /** Ascending. */
  readonly at: readonly number[];
}

const variations = createObjectCache<readonly unknown[], ListVariation<unknown>>();

/** Lets others find out that the list is shared. */
export function markShared<T>(list: readonly T[]): readonly T[] {
  variations.set(list, { of: list, at: [] });
  return list;
}

/** The list with other elements at some places. @param of  a shared list @param at  ascending */
export function withReplaced<T>(
  of: readonly T[],
  at: readonly number[],
  elementAt: (index: number) => T,
): readonly T[] {
  const list = [...of];
  for (const index of at) list[index] = elementAt(index);
  variations.set(list, { of, at });
  return list;
}

/** Undefined for a list that nobody shares. */
export const variationOf = <T>(list: readonly T[]): ListVariation<T> | undefined =>
  variations.get(list) as ListVariation<T> | undefined;
