/** What is made of an object, for as long as that is there. */

/** What is thrown away with the object that it is about. */
export interface ObjectCache<Of extends object, Value> {
  readonly get: (of: Of) => Value | undefined;
  readonly set: (of: Of, value: Value) => void;
}

/** Constructs no object of its own: the fields of a class that extends it are added to the one that is given. */
const Given = function (object: object) {
  return object;
} as unknown as new (object: object) => object;

/**
 * Does what a `WeakMap` does, by a private field of the object, which no copy of it gets. Between two collections of everything,
 * V8 takes every value of a `WeakMap` that has grown old for alive: what is made for each message, and leads to it, would
 * keep all messages of that time, and each would be copied twice.
 */
export function createObjectCache<Of extends object, Value>(): ObjectCache<Of, Value> {
  class Holder extends Given {
    #value: Value | undefined = undefined;

    static get(of: Of): Value | undefined {
      return #value in of ? of.#value : undefined;
    }

    static set(of: Of, value: Value): void {
      const holder = #value in of ? of : new Holder(of);
      holder.#value = value;
    }
  }
  return Holder;
}

/** Computes once for each object, for as long as that is there. */
export function memoized<From extends object, To>(compute: (from: From) => To): (from: From) => To {
  const known = createObjectCache<From, To>();
  return (from) => {
    const kept = known.get(from);
    if (kept !== undefined) return kept;
    const computed = compute(from);
    known.set(from, computed);
    return computed;
  };
}
