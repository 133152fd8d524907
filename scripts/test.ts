import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumReason, desktopReason } from '../test/support/machine.ts';
import { projectDir } from './run.ts';
import { buildIfStale } from './stale-build.ts';

/*
 * npm test                       every suite that this machine can run
 * npm test -- service web        only these
 * npm test -- service -- streams only the files whose path contains the filter
 */

interface Suite {
  readonly name: string;
  /** Name of the project in test/vitest.config.ts. */
  readonly project: string;
  /** Why this machine cannot run it. */
  readonly reason: string | undefined;
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly note: string;
}

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly numTotalTestSuites: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

const suites: readonly Suite[] = [
  { name: 'service', project: 'node', reason: undefined },
  { name: 'renderer', project: 'renderer', reason: chromiumReason },
  { name: 'web', project: 'web', reason: chromiumReason },
  { name: 'desktop', project: 'desktop', reason: desktopReason },
];

const isCi = Boolean(process.env['CI']) && process.env['CI'] !== 'false';

async function main(args: readonly string[]): Promise<boolean> {
  const { chosen, filters } = choose(args);
  await buildIfStale();
  const outcomes = new Map<string, Outcome>();
  for (const suite of chosen) outcomes.set(suite.name, await outcomeOf(suite, filters));
  console.log(`\n${table(outcomes)}\n\n${totals(outcomes)}`);
  return [...outcomes.values()].every(isGood);
}

function choose(args: readonly string[]): { chosen: readonly Suite[]; filters: readonly string[] } {
  const split = args.includes('--') ? args.indexOf('--') : args.length;
  const names = args.slice(0, split);
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    const known = suites.map((suite) => suite.name).join(', ');
    throw new Error(`no suite named ${unknown.join(', ')}; there are ${known}`);
  }
  const chosen = suites.filter((suite) => names.length === 0 || names.includes(suite.name));
  return { chosen, filters: args.slice(split + 1) };
}

async function outcomeOf(suite: Suite, filters: readonly string[]): Promise<Outcome> {
  if (suite.reason !== undefined) {
    return { passed: 0, failed: 0, skipped: 0, note: `left out: ${suite.reason}` };
  }
  const folder = mkdtempSync(join(tmpdir(), 'hearth-report-'));
  try {
    console.log(`\n${suite.name}`);
    const file = join(folder, 'report.json');
    const code = await vitest(suite.project, file, filters);
    return outcomeFrom(existsSync(file) ? readReport(file) : undefined, code);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readReport(file: string): Report {
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

function outcomeFrom(report: Report | undefined, code: number | null): Outcome {
  if (report === undefined)
    return { passed: 0, failed: 1, skipped: 0, note: 'the run itself failed' };
  const passed = report.numPassedTests;
  const failed = report.numFailedTests;
  const skipped = report.numPendingTests + report.numTodoTests;
  if (report.numTotalTestSuites === 0) return { passed, failed, skipped, note: 'no test ran' };
  // A file that does not load, or an error outside any test, fails the run without failing a test.
  if (code !== 0 && failed === 0) {
    return { passed, failed: 1, skipped, note: 'the run itself failed' };
  }
  const note = isCi && skipped > 0 ? 'nothing may be skipped with CI=true' : '';
  return { passed, failed, skipped, note };
}

function vitest(project: string, file: string, filters: readonly string[]): Promise<number | null> {
  const cli = join(projectDir, 'node_modules', 'vitest', 'vitest.mjs');
  const args = ['run', '--config', 'test/vitest.config.ts', '--project', project];
  const reports = ['--reporter', 'default', '--reporter', 'json', `--outputFile.json=${file}`];
  const child = spawn(process.execPath, [cli, ...args, ...reports, ...filters], {
    cwd: projectDir,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
}

function isGood(outcome: Outcome): boolean {
  if (outcome.failed > 0) return false;
  const isLeftOut = outcome.note.startsWith('left out');
  if (isCi && (isLeftOut || outcome.skipped > 0)) return false;
  return isLeftOut || outcome.passed > 0;
}

function table(outcomes: ReadonlyMap<string, Outcome>): string {
  const row = (...cells: readonly [string, ...(string | number)[]]): string =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(10) : String(cell).padStart(8))).join('');
  const rows = [...outcomes].map(([name, { passed, failed, skipped, note }]) =>
    `${row(name, passed, failed, skipped)}  ${note}`.trimEnd(),
  );
  return [row('suite', 'passed', 'failed', 'skipped'), ...rows].join('\n');
}

function totals(outcomes: ReadonlyMap<string, Outcome>): string {
  const sum = (key: 'passed' | 'failed'): number =>
    [...outcomes.values()].reduce((total, outcome) => total + outcome[key], 0);
  return `${String(sum('passed'))} passed, ${String(sum('failed'))} failed`;
}

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
