/** Who is there, where thousands come and go in each second. */

export interface Slotted {
  /** Where it stands among the others; kept by the slot set. */
  slot: number;
}

/**
 * A set whose table is made once. A `Set` or a `Map` in which members come and go makes a new table whenever the last one is full,
 * and each table knows the next: as soon as one of them is old, V8 keeps all that follow, with everything that was in them,
 * until it collects the old generation.
 */
export class SlotSet<T extends Slotted> {
  readonly #members: (T | null)[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(member: T): void {
    member.slot = this.#size;
    this.#members[this.#size] = member;
    this.#size += 1;
  }

  /** Answers whether it was there. */
  remove(member: T): boolean {
    const { slot } = member;
    if (slot >= this.#size || this.#members[slot] !== member) return false;
    this.#size -= 1;
    const last = this.#members[this.#size] ?? member;
    last.slot = slot;
    this.#members[slot] = last;
    this.#members[this.#size] = null;
    return true;
  }

  /** Those who are there now, whoever comes or goes later, in any order. */
  members(): readonly T[] {
    return this.#members.slice(0, this.#size).filter((member) => member !== null);
  }
}
