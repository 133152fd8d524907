/** Names that can be taken for each other: what exists under them stays, and administrators are told of it (API decisions 2.5). */
import { fold } from '#shared/text/fold.ts';
import { type Confusables, skeletonOf } from '#shared/text/look-alikes.ts';
import {
  withoutInvisible,
  invisibleIn,
  withInvisibleSpelled,
} from '#shared/text/invisible-characters.ts';

export interface Named {
  readonly id: number;
  readonly name: string;
}

export interface Clash {
  readonly id: number;
  /** With what nobody sees written out. */
  readonly name: string;
  /** The ids of others of the kind that look the same. */
  readonly looks_like: readonly number[];
}

export interface Clashes {
  /** From before API decisions 2.5: they have something in them that nobody sees. */
  readonly hidden: readonly Clash[];
  /** They are written otherwise than another one and look like it. */
  readonly alike: readonly Clash[];
}

interface NameLook extends Named {
  readonly sight: string;
  readonly skeleton: string;
}

/** Answers the ids of those of a kind that a name can be taken for. */
export function lookAlikesIn(
  all: readonly Named[],
  table: Confusables,
): (name: string) => readonly number[] {
  const skeletonOfName = (each: string): string => skeletonOf(withoutInvisible(each), table);
  const bySkeleton = Map.groupBy(all, ({ name }) => skeletonOfName(name));
  return (name) => (bySkeleton.get(skeletonOfName(name)) ?? []).map(({ id }) => id);
}

/** @param all  of one kind */
export function clashesAmong(all: readonly Named[], table: Confusables): Clashes {
  const looked = all.map(({ id, name }): NameLook => {
    const seen = withoutInvisible(name);
    return { id, name, sight: fold(seen), skeleton: skeletonOf(seen, table) };
  });
  const bySkeleton = Map.groupBy(looked, ({ skeleton }) => skeleton);
  const clashOf = ({ id, name, skeleton }: NameLook): Clash => {
    const others = (bySkeleton.get(skeleton) ?? []).filter((other) => other.id !== id);
    return { id, name: withInvisibleSpelled(name), looks_like: others.map((other) => other.id) };
  };
  const hasOther = ({ skeleton, sight }: NameLook): boolean =>
    (bySkeleton.get(skeleton) ?? []).some((other) => other.sight !== sight);
  const [hidden, plain] = [true, false].map((isHidden) =>
    looked.filter(({ name }) => (invisibleIn(name) !== undefined) === isHidden),
  );
  return {
    hidden: (hidden ?? []).map(clashOf),
    alike: (plain ?? []).filter(hasOther).map(clashOf),
  };
}
