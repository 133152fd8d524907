/** Computes once for each object, for as long as that is there. */
export function remembered<From extends object, To>(
  compute: (from: From) => To,
): (from: From) => To {
  const known = new WeakMap<From, To>();
  return (from) => {
    const kept = known.get(from);
    if (kept !== undefined) return kept;
    const computed = compute(from);
    known.set(from, computed);
    return computed;
  };
}
