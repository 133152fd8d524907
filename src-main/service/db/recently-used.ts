/**
 * The newest entries within a bound of size, in two ages: once the younger one is half of what may be there, the older one goes
 * as a whole. Entries that a `Map` loses one by one leave dead tables behind, of which each leads to the next: once one of them
 * has grown old, all that ever stood there is kept until V8 collects everything.
 */
export class Recent<Key, Value> {
  readonly #maxSize: number;
  #younger = new Map<Key, Value>();
  #older = new Map<Key, Value>();
  /** Of all that was put among the younger ones, also where something else stands there by now. */
  #size = 0;

  /** @param maxSize  of all entries together, in what their sizes are given in */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: Key): Value | undefined {
    return this.#younger.get(key) ?? this.#older.get(key);
  }

  /** The newest one is there, however large it is. */
  set(key: Key, value: Value, size: number): void {
    if (this.#size + size > this.#maxSize / 2) {
      this.#older = this.#younger;
      this.#younger = new Map();
      this.#size = 0;
    }
    this.#younger.set(key, value);
    this.#size += size;
  }

  delete(key: Key): void {
    this.#younger.delete(key);
    this.#older.delete(key);
  }

  clear(): void {
    if (this.#younger.size > 0) this.#younger = new Map();
    if (this.#older.size > 0) this.#older = new Map();
    this.#size = 0;
  }
}

/** What was made of recent keys in one of few ways each; a way is a small number. */
export class RecentVariants<Key, Value> {
  readonly #variants: Recent<Key, (Value | undefined)[]>;

  /** @param maxSize  as of `Recent` */
  constructor(maxSize: number) {
    this.#variants = new Recent(maxSize);
  }

  get(key: Key, variant: number): Value | undefined {
    return this.#variants.get(key)?.[variant];
  }

  set(key: Key, variant: number, value: Value, size: number): void {
    const variants = this.#variants.get(key) ?? [];
    variants[variant] = value;
    this.#variants.set(key, variants, size);
  }

  clear(): void {
    this.#variants.clear();
  }
}
