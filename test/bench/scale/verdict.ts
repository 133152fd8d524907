/** What a row's growth is called, and the table of all of them. */
import type { ScaleLine } from '../figures/scale.ts';
import { aligned } from '../report.ts';

/** Ten times the messages may cost so much more, or so many ms. */
const FLAT = { ratio: 2, ms: 1 };
/** How long nobody else may be answered. */
const TURN_MS = 50;
const EXCEPTION_MS = 200;

interface Verdict {
  readonly growth: string;
  readonly verdict: string;
  readonly isMet: boolean;
}

/** @param sizes  ascending, each ten times the one before */
export function verdictOf(
  { figures, grows, exception }: ScaleLine,
  sizes: readonly number[],
): Verdict {
  const [before, last] = sizes.slice(-2).map((size) => figures.get(size));
  if (before === undefined || last === undefined) {
    return { growth: '', verdict: 'not measured', isMet: false };
  }
  const ratio = last.workedMs / Math.max(before.workedMs, 0.01);
  const isFlat = ratio <= FLAT.ratio || last.workedMs - before.workedMs <= FLAT.ms;
  const isShort = last.turnMs <= (exception === undefined ? TURN_MS : EXCEPTION_MS);
  const verdicts = [
    isFlat ? 'flat' : (grows ?? 'GROWS'),
    ...(isShort ? [] : ['HOLDS OTHERS']),
    ...(exception !== undefined && last.turnMs > TURN_MS ? [`held: ${exception}`] : []),
  ];
  const isMet = isShort && (isFlat || grows !== undefined);
  return { growth: `×${ratio.toFixed(1)}`, verdict: verdicts.join('; '), isMet };
}

const shown = (ms: number | undefined): string =>
  ms === undefined ? '–' : ms.toFixed(ms < 10 ? 2 : 0);

/** Of the processor, in ms, at each size; then what is true of the largest. */
export function scaleTable(lines: readonly ScaleLine[], sizes: readonly number[]): string {
  const largest = sizes.at(-1) ?? 0;
  const head = [
    '',
    ...sizes.map((size) => `${String(size / 1000)}k`),
    'growth',
    'longest turn',
    'MiB',
    '',
  ];
  const rows = lines.map((line) => {
    const { growth, verdict } = verdictOf(line, sizes);
    const figure = line.figures.get(largest);
    return [
      line.name,
      ...sizes.map((size) => shown(line.figures.get(size)?.workedMs)),
      ...[growth, shown(figure?.turnMs), String(figure?.peakMiB ?? '–'), verdict],
    ];
  });
  return aligned([head, ...rows], (column) => column === 0 || column === head.length - 1);
}
