/** What became of the suites: read from vitest's reports, and told in a table. */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { projectDir } from './project-dir.ts';

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** From its start to its end, building left out. */
  readonly seconds: number;
  readonly note: string;
  readonly files: readonly FileTime[];
  /** What failed, and how its message begins. */
  readonly failures: readonly string[];
}

/** How long a file took. */
export interface FileTime {
  readonly path: string;
  readonly seconds: number;
}

type Result = Omit<Outcome, 'seconds'>;

export const noneRan = 'no test ran';
export const nothing = {
  passed: 0,
  failed: 0,
  skipped: 0,
  seconds: 0,
  files: [],
  failures: [],
} as const;
export const notRun: Outcome = { ...nothing, note: 'not run' };

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly numTotalTestSuites: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** In milliseconds. */
    readonly startTime: number;
    readonly endTime: number;
    /** Why the file as a whole failed. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

const isCi = Boolean(process.env['CI']) && process.env['CI'] !== 'false';

/** @param file  vitest's report, which is not there where the run itself failed */
export function readResult(file: string, code: number | null): Result {
  const isThere = existsSync(file);
  return resultFrom(isThere ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined, code);
}

function resultFrom(report: Report | undefined, code: number | null): Result {
  if (report === undefined) return { ...nothing, failed: 1, note: 'the run itself failed' };
  const { numPassedTests: passed, numFailedTests: failed } = report;
  const skipped = report.numPendingTests + report.numTodoTests;
  const counted = {
    ...{ passed, failed, skipped },
    files: report.testResults.map(timeOf),
    failures: report.testResults.flatMap(failuresIn),
  };
  if (report.numTotalTestSuites === 0) return { ...counted, note: noneRan };
  // A file that does not load, or an error outside any test, fails the run without failing a test.
  if (code !== 0 && failed === 0) {
    return { ...counted, failed: 1, note: 'the run itself failed' };
  }
  const note = isCi && skipped > 0 ? 'nothing may be skipped with CI=true' : '';
  return { ...counted, note };
}

const timeOf = ({ name, startTime, endTime }: Report['testResults'][number]): FileTime => ({
  path: relative(projectDir, name),
  seconds: (endTime - startTime) / 1000,
});

function failuresIn(file: Report['testResults'][number]): readonly string[] {
  const path = relative(projectDir, file.name);
  const tests = file.assertionResults.filter(({ status }) => status === 'failed');
  if (tests.length === 0 && file.status === 'failed')
    return [`${path}: ${beginning(file.message)}`];
  return tests.map(
    ({ fullName, failureMessages }) =>
      `${path} > ${fullName.trim()}: ${beginning(failureMessages?.[0] ?? '')}`,
  );
}

const beginning = (message: string): string =>
  stripVTControlCharacters(message.split('\n', 1)[0] ?? '');

export function isGood(outcome: Outcome): boolean {
  if (outcome.failed > 0) return false;
  const isLeftOut = outcome.note.startsWith('left out');
  if (isCi && (isLeftOut || outcome.skipped > 0)) return false;
  return isLeftOut || outcome.passed > 0;
}

export const isWhollyLeftOut = ({ passed, failed, note }: Outcome): boolean =>
  passed + failed === 0 && note.startsWith('left out');

export function table(outcomes: ReadonlyMap<string, Outcome>): string {
  const row = (...cells: readonly [string, ...(string | number)[]]): string =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(10) : String(cell).padStart(9))).join('');
  const rows = [...outcomes].map(([name, { passed, failed, skipped, seconds, note }]) =>
    `${row(name, passed, failed, skipped, seconds.toFixed(1))}  ${note}`.trimEnd(),
  );
  return [row('suite', 'passed', 'failed', 'skipped', 'seconds'), ...rows].join('\n');
}

/** A file that takes less is not listed. */
const SHORTEST_SECONDS = 6;

/** The files that took long, the longest first. */
export function minutesOf(outcomes: ReadonlyMap<string, Outcome>): string {
  const long = [...outcomes.values()]
    .flatMap(({ files }) => files)
    .filter(({ seconds }) => seconds >= SHORTEST_SECONDS)
    .sort((one, other) => other.seconds - one.seconds);
  const rows = long.map(({ path, seconds }) => `${(seconds / 60).toFixed(1).padStart(7)}  ${path}`);
  return ['minutes  file', ...rows].join('\n');
}

/** Said once more at the end: what failed early stands thousands of lines above. */
export function failuresOf(outcomes: ReadonlyMap<string, Outcome>): readonly string[] {
  return [...outcomes].flatMap(([suite, { failures }]) =>
    failures.map((failure) => `  ${suite}: ${failure}`),
  );
}

export function totals(outcomes: ReadonlyMap<string, Outcome>): string {
  const sum = (key: 'passed' | 'failed'): number =>
    [...outcomes.values()].reduce((total, outcome) => total + outcome[key], 0);
  return `${String(sum('passed'))} passed, ${String(sum('failed'))} failed`;
}
