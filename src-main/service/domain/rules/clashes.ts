/** Names from before API decisions 2.5: nobody may take them any more, and nobody renames them but an administrator. */
import { fold } from '../../../contract/fold.ts';
import { asSeen, unseenIn, writtenOut } from '../../../contract/visible.ts';

export interface Named {
  readonly id: number;
  readonly name: string;
}

export interface Clash {
  readonly id: number;
  /** With what nobody sees written out. */
  readonly name: string;
  /** The ids of others of the kind that are seen as the same. */
  readonly looks_like: readonly number[];
}

/** Those with something in them that nobody sees. @param all  of one kind */
export function clashesAmong(all: readonly Named[]): readonly Clash[] {
  const hidden = all.filter(({ name }) => unseenIn(name) !== undefined);
  if (hidden.length === 0) return [];
  const bySight = new Map<string, number[]>();
  for (const { id, name } of all) {
    const sight = fold(asSeen(name));
    bySight.set(sight, [...(bySight.get(sight) ?? []), id]);
  }
  return hidden.map(({ id, name }) => ({
    id,
    name: writtenOut(name),
    looks_like: (bySight.get(fold(asSeen(name))) ?? []).filter((other) => other !== id),
  }));
}
