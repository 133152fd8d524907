/** Lists that are kept in the order of their ids, each id once: equal contents are equal lists. */

type Numbered<K extends string> = Readonly<Record<K, number>>;

/** The later one of two with the same id stays. */
export function byId<K extends string, T extends Numbered<K>>(items: readonly T[], key: K): T[] {
  const known = new Map(items.map((item) => [item[key], item]));
  return [...known.values()].sort((a, b) => a[key] - b[key]);
}

/** The same list where it has equal ones already. */
export function withItems<K extends string, T extends Numbered<K>>(
  items: readonly T[],
  added: readonly T[],
  key: K,
): readonly T[] {
  const known = new Map(items.map((item) => [item[key], item]));
  const isNews = added.some((item) => !isEqual(known.get(item[key]), item));
  return isNews ? byId([...items, ...added], key) : items;
}

export function withoutItems<K extends string, T extends Numbered<K>>(
  items: readonly T[],
  ids: readonly number[],
  key: K,
): readonly T[] {
  const gone = new Set(ids);
  return items.some((item) => gone.has(item[key]))
    ? items.filter((item) => !gone.has(item[key]))
    : items;
}

/** The same list where nothing of it changes, or nothing has the id. */
export function withChanged<K extends string, T extends Numbered<K>>(
  items: readonly T[],
  key: K,
  id: number,
  change: Partial<T>,
): readonly T[] {
  const item = items.find((each) => each[key] === id);
  return item === undefined ? items : withItems(items, [{ ...item, ...change }], key);
}

/** Whether they hold the same JSON values. */
export const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (a !== undefined && JSON.stringify(a) === JSON.stringify(b));
