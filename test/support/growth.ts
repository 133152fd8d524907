import { expect } from 'vitest';

const RUNS = 5;
/** Linear work takes four times as long, quadratic work sixteen times. */
const MOST = 6;

/** Work that takes less CPU time is repeated, so that neither clock nor garbage collector is what is measured. */
const LEAST_MS = 3;
const MAX_REPEATS = 100_000;

export interface Work<T> {
  /** The input of a size, made outside the measurement. */
  readonly make: (size: number) => T;
  /** Runs in this process; its threads count. */
  readonly run: (input: T) => unknown;
  /** The smaller size; the larger one is four times that. */
  readonly size: number;
}

async function cpuMsOf<T>(run: (input: T) => unknown, input: T, repeats: number): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < repeats; i++) {
    const pending = run(input);
    if (pending instanceof Promise) await pending;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function repeatsOf<T>(run: (input: T) => unknown, input: T): Promise<number> {
  let repeats = 1;
  while ((await cpuMsOf(run, input, repeats)) < LEAST_MS && repeats < MAX_REPEATS) repeats *= 2;
  return repeats;
}

/**
 * Fails unless four times the input takes at most six times the CPU time: the median of five, or of three that
 * agree already.
 * @param what  names the input in the failure
 */
export async function expectLinear<T>({ make, run, size }: Work<T>, what?: string): Promise<void> {
  const [small, large] = [make(size), make(4 * size)];
  const repeats = await repeatsOf(run, small);
  const ratios: number[] = [];
  const linear = (): number => ratios.filter((ratio) => ratio <= MOST).length;
  while (Math.max(linear(), ratios.length - linear()) <= RUNS / 2) {
    const ms = await cpuMsOf(run, small, repeats);
    ratios.push((await cpuMsOf(run, large, repeats)) / ms);
  }
  const median = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)];
  expect(median, what).toBeLessThanOrEqual(MOST);
}
