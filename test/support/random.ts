/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number;
  /** 0 (inclusive) to `limit` (exclusive), whole. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
  readonly chance: (probability: number) => boolean;
}

/** The seed that the environment names, or some of which nobody knows yet. */
export function seedsOf(variable: string, count: number): readonly number[] {
  const named = process.env[variable];
  if (named) return [Number(named)];
  return Array.from({ length: count }, () => Math.floor(Math.random() * 1_000_000));
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick(items) {
      if (items.length === 0) throw new Error('nothing to pick from');
      return items[below(items.length)] as (typeof items)[number];
    },
  };
}
