import { expect } from 'vitest';

const RUNS = 5;
/** Linear work takes four times as long, quadratic work sixteen times. */
const MOST = 6;

/**
 * Work that takes less CPU time is repeated, so that neither clock nor garbage collector nor compiler is what is measured: what
 * seems to grow too fast is measured again for longer.
 */
const LEAST_MS = [3, 50, 250] as const;
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

async function repeatsOf<T>(
  run: (input: T) => unknown,
  input: T,
  leastMs: number,
): Promise<number> {
  let repeats = 1;
  while ((await cpuMsOf(run, input, repeats)) < leastMs && repeats < MAX_REPEATS) repeats *= 2;
  return repeats;
}

/** The median of five, or of three that agree already. */
async function growthOf<T>({ make, run, size }: Work<T>, leastMs: number): Promise<number> {
  const [small, large] = [make(size), make(4 * size)];
  const repeats = await repeatsOf(run, small, leastMs);
  const ratios: number[] = [];
  const linear = (): number => ratios.filter((ratio) => ratio <= MOST).length;
  while (Math.max(linear(), ratios.length - linear()) <= RUNS / 2) {
    const ms = await cpuMsOf(run, small, repeats);
    ratios.push((await cpuMsOf(run, large, repeats)) / ms);
  }
  return ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Infinity;
}

/**
 * Fails unless four times the input takes at most six times the CPU time.
 * @param what  names the input in the failure
 */
export async function expectLinear<T>(work: Work<T>, what?: string): Promise<void> {
  let growth = Infinity;
  for (const leastMs of LEAST_MS) if (growth > MOST) growth = await growthOf(work, leastMs);
  expect(growth, what).toBeLessThanOrEqual(MOST);
}
