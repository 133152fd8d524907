/**
 * Limits in milliseconds were set on one machine. Elsewhere, and while others use the processor, they are scaled by work of
 * the same kind, SQLite and JSON on one core, that is measured in the same run.
 */
import type { RawHistory } from '../reference/history.ts';
import type { Row } from '../report.ts';
import { streamName, STREAMS } from '../seed.ts';
import { compare, median, type Round } from '../statistics.ts';

const ROWS = 1000;
/** What such a page took there, in ms. */
const PAGE_THERE_MS = 2.8;
const PAGES = 10;

/** How many times as long as there the same takes here and now. */
function slowness(raw: RawHistory): number {
  const times = Array.from({ length: PAGES }, (_, index) => {
    const startedAt = performance.now();
    raw.page(streamName(index % STREAMS), ROWS);
    return performance.now() - startedAt;
  });
  return median(times) / PAGE_THERE_MS;
}

/**
 * A figure with a limit of that machine.
 * @param rounds   how often both are measured, in turn, after one that warms up
 * @param measure  answers milliseconds
 */
export async function limitedHere(
  name: string,
  { raw, limitMs, rounds }: { raw: RawHistory; limitMs: number; rounds: number },
  measure: () => Promise<number>,
): Promise<Row> {
  const measured: Round[] = [];
  for (let round = -1; round < rounds; round++) {
    const before = slowness(raw);
    const figure = await measure();
    const reference = (limitMs * (before + slowness(raw))) / 2;
    if (round >= 0) measured.push({ figure, reference });
  }
  return {
    ...{ name, unit: 'ms', ...compare(measured) },
    against: `${String(limitMs)} ms where a raw page of 1,000 takes ${String(PAGE_THERE_MS)}`,
    target: { kind: 'at-most', ratio: 1 },
  };
}
