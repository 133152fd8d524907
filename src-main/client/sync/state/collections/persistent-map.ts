/**
 * A map that is never changed: setting and deleting give a new one that shares all but a few small nodes with the old
 * one. What is kept of tens of thousands of messages changes with every single one of them.
 */

type Key = string | number;

interface Leaf<K, V> {
  readonly hash: number;
  /** More than one where keys have the same hash. */
  readonly entries: readonly (readonly [K, V])[];
}
type Branch<K, V> = readonly (Node<K, V> | undefined)[];
type Node<K, V> = Leaf<K, V> | Branch<K, V>;

const BITS = 5;
const WIDTH = 1 << BITS;

function hashOf(key: Key): number {
  // Ids follow each other: their lowest digits spread them evenly as they are.
  if (typeof key === 'number') return (key ^ Math.floor(key / 2 ** 32)) >>> 0;
  let hash = 5381;
  for (let index = 0; index < key.length; index += 1) {
    hash = (Math.imul(hash, 33) ^ key.charCodeAt(index)) >>> 0;
  }
  return hash;
}

const slotOf = (hash: number, depth: number): number => (hash >>> (depth * BITS)) % WIDTH;

const isBranch = <K, V>(node: Node<K, V>): node is Branch<K, V> => Array.isArray(node);

function replaced<K, V>(
  branch: Branch<K, V>,
  slot: number,
  node: Node<K, V> | undefined,
): Branch<K, V> {
  const copy = branch.slice();
  copy[slot] = node;
  return copy;
}

function withEntry<K extends Key, V>(
  node: Node<K, V> | undefined,
  added: Leaf<K, V>,
  depth: number,
): Node<K, V> {
  if (node === undefined) return added;
  if (isBranch(node)) {
    const slot = slotOf(added.hash, depth);
    return replaced(node, slot, withEntry(node[slot], added, depth + 1));
  }
  if (node.hash === added.hash) {
    const key = added.entries[0]?.[0];
    const others = node.entries.filter((entry) => entry[0] !== key);
    return { hash: node.hash, entries: [...others, ...added.entries] };
  }
  const fork: (Node<K, V> | undefined)[] = new Array<undefined>(WIDTH).fill(undefined);
  fork[slotOf(node.hash, depth)] = node;
  return withEntry(fork, added, depth);
}

function withoutKey<K extends Key, V>(
  node: Node<K, V> | undefined,
  key: K,
  { hash, depth }: { readonly hash: number; readonly depth: number },
): Node<K, V> | undefined {
  if (node === undefined) return undefined;
  if (isBranch(node)) {
    const slot = slotOf(hash, depth);
    const rest = replaced(node, slot, withoutKey(node[slot], key, { hash, depth: depth + 1 }));
    return rest.every((each) => each === undefined) ? undefined : rest;
  }
  const entries = node.entries.filter((entry) => entry[0] !== key);
  return entries.length === 0 ? undefined : { hash: node.hash, entries };
}

function collect<K, V>(node: Node<K, V> | undefined, entries: (readonly [K, V])[]): void {
  if (node === undefined) return;
  if (isBranch(node)) for (const each of node) collect(each, entries);
  else entries.push(...node.entries);
}

/** What adding the leaves one by one would give, without all that would be in between. */
function build<K, V>(leaves: readonly Leaf<K, V>[], depth: number): Node<K, V> | undefined {
  const [first] = leaves;
  if (first === undefined) return undefined;
  if (leaves.every(({ hash }) => hash === first.hash)) {
    return { hash: first.hash, entries: leaves.flatMap(({ entries }) => entries) };
  }
  const slots = Array.from({ length: WIDTH }, (): Leaf<K, V>[] => []);
  for (const leaf of leaves) slots[slotOf(leaf.hash, depth)]?.push(leaf);
  return slots.map((each) => build(each, depth + 1));
}

export class PersistentMap<K extends Key, V> {
  readonly size: number;
  readonly #root: Node<K, V> | undefined;

  private constructor(root: Node<K, V> | undefined, size: number) {
    this.#root = root;
    this.size = size;
  }

  static from<K extends Key, V>(entries: Iterable<readonly [K, V]> = []): PersistentMap<K, V> {
    const leaves = [...new Map(entries)].map((entry) => ({
      hash: hashOf(entry[0]),
      entries: [entry],
    }));
    return new PersistentMap(build<K, V>(leaves, 0), leaves.length);
  }

  get(key: K): V | undefined {
    const hash = hashOf(key);
    let node = this.#root;
    for (let depth = 0; node !== undefined && isBranch(node); depth += 1) {
      node = node[slotOf(hash, depth)];
    }
    return node?.hash === hash ? node.entries.find((entry) => entry[0] === key)?.[1] : undefined;
  }

  with(key: K, value: V): PersistentMap<K, V> {
    const known = this.get(key);
    if (known !== undefined && known === value) return this;
    const leaf = { hash: hashOf(key), entries: [[key, value] as const] };
    const size = known === undefined ? this.size + 1 : this.size;
    return new PersistentMap(withEntry(this.#root, leaf, 0), size);
  }

  without(key: K): PersistentMap<K, V> {
    if (this.get(key) === undefined) return this;
    const root = withoutKey(this.#root, key, { hash: hashOf(key), depth: 0 });
    return new PersistentMap(root, this.size - 1);
  }

  /** In no order that means anything. */
  [Symbol.iterator](): Iterator<readonly [K, V]> {
    const entries: (readonly [K, V])[] = [];
    collect(this.#root, entries);
    return entries[Symbol.iterator]();
  }
}
