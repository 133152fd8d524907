/** How much memory the bodies of requests may take until they are answered (API decisions 13). */

interface BudgetLimits {
  /** Bytes of one key. */
  readonly each: number;
  /** Bytes of all keys together. */
  readonly all: number;
}

/** Bytes of those who share a limit, by who they are: an address, or an account. */
export class BodyBudget {
  readonly limits: BudgetLimits;
  readonly #byKey = new Map<string | number, number>();
  #all = 0;

  constructor(limits: BudgetLimits) {
    this.limits = limits;
  }

  /** A request that holds nothing yet. */
  open(key: string | number): Charge {
    return new Charge(this, key);
  }

  /** Whether a request may hold more. A body that is alone always may, however long it is. */
  hasRoom({ key, held }: Charge, bytes: number): boolean {
    const { each, all } = this.limits;
    const ofKey = this.#byKey.get(key) ?? 0;
    const fits = (used: number, limit: number): boolean => used === held || used + bytes <= limit;
    return fits(ofKey, each) && fits(this.#all, all);
  }

  /** @param bytes  negative to give them back */
  count(key: string | number, bytes: number): void {
    this.#all += bytes;
    const ofKey = (this.#byKey.get(key) ?? 0) + bytes;
    if (ofKey === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, ofKey);
  }
}

/** The bytes of one request. */
export class Charge {
  readonly budget: BodyBudget;
  readonly key: string | number;
  #held = 0;
  #isReleased = false;

  constructor(budget: BodyBudget, key: string | number) {
    this.budget = budget;
    this.key = key;
  }

  get held(): number {
    return this.#held;
  }

  /** Counts more bytes, unless there is no room for them. */
  take(bytes: number): boolean {
    if (this.#isReleased || !this.budget.hasRoom(this, bytes)) return false;
    this.budget.count(this.key, bytes);
    this.#held += bytes;
    return true;
  }

  /** Gives all of them back, for good. */
  release(): void {
    if (this.#held > 0) this.budget.count(this.key, -this.#held);
    this.#held = 0;
    this.#isReleased = true;
  }
}
