/**
 * Limits in milliseconds were set on one machine. Elsewhere, and while others use the processor, they are scaled by work of
 * the same kind, SQLite and JSON on one core, that is measured in the same run.
 */
import type { RawHistory } from '../reference/history.ts';
import type { Row } from '../report.ts';
import { streamName, STREAMS } from '../seed.ts';
import { compare, median } from '../statistics.ts';

const ROWS = 1000;
/** What such a page took there, in ms. */
const PAGE_THERE_MS = 2.8;
const PAGES = 20;
/** Until the processor runs at its speed again, and code and pages are there. */
const WARM_UP_MS = 300;

/** How many times as long as there the same takes here and now. */
function slowness(raw: RawHistory): number {
  let count = 0;
  const time = (): number => {
    const startedAt = performance.now();
    raw.page(streamName(count++ % STREAMS), ROWS);
    return performance.now() - startedAt;
  };
  const warmUntil = performance.now() + WARM_UP_MS;
  while (performance.now() < warmUntil) time();
  return median(Array.from({ length: PAGES }, time)) / PAGE_THERE_MS;
}

export interface Paced<T> {
  readonly result: T;
  /** How many times as long as there things take: before or after it, whichever was faster, for what was measured may still be busy. */
  readonly slowness: number;
}

export async function paced<T>(raw: RawHistory, measure: () => Promise<T>): Promise<Paced<T>> {
  const before = slowness(raw);
  const result = await measure();
  return { result, slowness: Math.min(before, slowness(raw)) };
}

/** A figure with a limit of that machine. @param rounds  milliseconds */
export const limitedHere = (
  name: string,
  limitMs: number,
  rounds: readonly Paced<number>[],
): Row => ({
  ...{ name, unit: 'ms' },
  ...compare(
    rounds.map(({ result, slowness: times }) => ({ figure: result, reference: limitMs * times })),
  ),
  against: `${String(limitMs)} ms where a raw page of 1,000 takes ${String(PAGE_THERE_MS)}`,
  target: { kind: 'at-most', ratio: 1 },
});

/**
 * The same of one thing.
 * @param rounds   how often it is measured, after one that warms up
 * @param measure  answers milliseconds
 */
export async function measureHere(
  name: string,
  { raw, limitMs, rounds }: { raw: RawHistory; limitMs: number; rounds: number },
  measure: () => Promise<number>,
): Promise<Row> {
  const measured: Paced<number>[] = [];
  for (let round = -1; round < rounds; round++) {
    const each = await paced(raw, measure);
    if (round >= 0) measured.push(each);
  }
  return limitedHere(name, limitMs, measured);
}
