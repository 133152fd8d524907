/** Finds any of many byte strings in one pass (Aho and Corasick, 1975). */

/** @param found  the longest string that ends at each place where one does: from its first byte up to its end */
export type Search = (bytes: Uint8Array, found: (from: number, to: number) => void) => void;

/** Nodes in the order of their making; the root is 0. */
class Trie {
  readonly parents: number[] = [0];
  readonly bytes: number[] = [0];
  readonly depths: number[] = [0];
  readonly isEnd: boolean[] = [false];
  readonly #children = new Map<number, number>();

  child(node: number, byte: number): number | undefined {
    return this.#children.get(node * 256 + byte);
  }

  add(string: Uint8Array): void {
    let node = 0;
    for (const byte of string) {
      let next = this.child(node, byte);
      if (next === undefined) {
        next = this.parents.length;
        this.#children.set(node * 256 + byte, next);
        this.parents.push(node);
        this.bytes.push(byte);
        this.depths.push((this.depths[node] ?? 0) + 1);
        this.isEnd.push(false);
      }
      node = next;
    }
    this.isEnd[node] = true;
  }

  /** Each node behind all that are nearer to the root. */
  byDepth(): readonly number[] {
    const rows: number[][] = [];
    this.depths.forEach((depth, node) => (rows[depth] ??= []).push(node));
    return rows.flat();
  }
}

export function searchFor(strings: Iterable<Uint8Array>): Search {
  const trie = new Trie();
  for (const string of strings) if (string.length > 0) trie.add(string);
  const count = trie.parents.length;
  /** The node of the longest other string that ends as this node does. */
  const fallbacks = new Int32Array(count);
  const lengths = new Int32Array(count);

  const step = (from: number, byte: number): number => {
    let node = from;
    for (;;) {
      const next = trie.child(node, byte);
      if (next !== undefined) return next;
      if (node === 0) return 0;
      node = fallbacks[node] ?? 0;
    }
  };
  for (const node of trie.byDepth()) {
    const parent = trie.parents[node] ?? 0;
    const depth = trie.depths[node] ?? 0;
    if (depth > 1) fallbacks[node] = step(fallbacks[parent] ?? 0, trie.bytes[node] ?? 0);
    const inherited = lengths[fallbacks[node] ?? 0] ?? 0;
    lengths[node] = trie.isEnd[node] === true ? depth : inherited;
  }

  return (bytes, found) => {
    let node = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      node = step(node, bytes[at] ?? 0);
      const length = lengths[node] ?? 0;
      if (length > 0) found(at + 1 - length, at + 1);
    }
  };
}
