const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** @param share  0 to 1; the value below which that share of the values lies */
export function percentile(values: readonly number[], share: number): number {
  const sorted = ascending(values);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  if (low === undefined || high === undefined) throw new Error('nothing was measured');
  return (low + high) / 2;
}

/** One round: the figure and its reference, measured one after the other. */
export interface Round {
  readonly figure: number;
  readonly reference: number;
}

export interface Comparison {
  readonly figure: number;
  readonly reference: number;
  /** Taken from the rounds' own ratios: what slows the machine down for a while slows down both sides of a round. */
  readonly ratio: number;
  readonly lowestRatio: number;
  readonly highestRatio: number;
}

export function compare(rounds: readonly Round[]): Comparison {
  const ratios = rounds.map(({ figure, reference }) => figure / reference);
  return {
    figure: median(rounds.map(({ figure }) => figure)),
    reference: median(rounds.map(({ reference }) => reference)),
    ratio: median(ratios),
    lowestRatio: Math.min(...ratios),
    highestRatio: Math.max(...ratios),
  };
}

export const inTurn = async <T>(
  round: number,
  first: () => Promise<T>,
  second: () => Promise<T>,
): Promise<readonly [T, T]> => {
  if (round % 2 === 0) {
    const a = await first();
    return [a, await second()];
  }
  const b = await second();
  return [await first(), b];
};
