import { cpus, loadavg, platform, totalmem } from 'node:os';
import { compare, type Comparison, median } from './statistics.ts';

export interface Target {
  /** What the ratio has to stay above or below. */
  readonly kind: 'at-least' | 'at-most';
  readonly ratio: number;
}

export interface Row extends Comparison {
  readonly name: string;
  readonly unit: '/s' | 'ms' | 'µs' | 'KB' | 'KiB' | 'MiB' | 'bytes' | 'rows' | '%';
  /** What the figure is compared with. */
  readonly against: string;
  /** Null for what is only shown. */
  readonly target: Target | null;
}

/** A figure with a limit instead of a reference: the limit stands where the reference would. */
export const limited = (
  row: Pick<Row, 'name' | 'unit'>,
  figures: readonly number[],
  reference: number,
): Row => ({
  ...row,
  ...compare(figures.map((figure) => ({ figure, reference }))),
  against: `the limit on the reference machine`,
  target: { kind: 'at-most', ratio: 1 },
});

/** A figure that has no target: the spread is that around its own median. */
export function shown(row: Pick<Row, 'name' | 'unit'>, figures: readonly number[]): Row {
  const reference = median(figures);
  const rounds = figures.map((figure) => ({ figure, reference }));
  return { ...row, ...compare(rounds), against: 'only shown', target: null };
}

const number = (value: number): string =>
  value >= 99.5 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(2);

const ratio = (value: number): string => value.toFixed(2);

const isMet = ({ ratio: reached }: Comparison, { kind, ratio: wanted }: Target): boolean =>
  kind === 'at-least' ? reached >= wanted : reached <= wanted;

function targetText(row: Row): string {
  if (row.target === null) return '';
  const sign = row.target.kind === 'at-least' ? '≥' : '≤';
  return `${sign} ${ratio(row.target.ratio)} ${isMet(row, row.target) ? 'met' : 'MISSED'}`;
}

const columns: readonly (readonly [string, (row: Row) => string])[] = [
  ['', (row) => row.name],
  ['figure', (row) => `${number(row.figure)} ${row.unit}`],
  ['reference', (row) => `${number(row.reference)} ${row.unit}`],
  ['ratio', (row) => ratio(row.ratio)],
  ['spread', (row) => `${ratio(row.lowestRatio)}-${ratio(row.highestRatio)}`],
  ['target', targetText],
  ['against', (row) => row.against],
];

const isText = (column: number): boolean => column === 0 || column >= columns.length - 2;

/** Lines of cells, one below the other. @param isLeft  whether a column begins at its left */
export function aligned(
  lines: readonly (readonly string[])[],
  isLeft: (column: number) => boolean,
): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number): string =>
    isLeft(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join('   ').trimEnd()).join('\n');
}

/** Medians of the rounds; the spread is that of the rounds' ratios. */
export const tableOf = (rows: readonly Row[]): string =>
  aligned(
    [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cell]) => cell(row)))],
    isText,
  );

/** Others that use the machine make every figure worse, the references too. */
export function machine(): Readonly<Record<string, string | number>> {
  const processors = cpus();
  return {
    node: process.version,
    platform: platform(),
    processor: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

export const machineLine = (): string =>
  Object.entries(machine())
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

export const jsonOf = (rows: readonly Row[], options: object): string =>
  JSON.stringify(
    {
      machine: machine(),
      options,
      rows: rows.map((row) => ({
        ...row,
        isMet: row.target === null ? null : isMet(row, row.target),
      })),
    },
    null,
    2,
  );
