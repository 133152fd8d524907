import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import {
  chromiumReason,
  desktopReason,
  launchReason,
  networkLeftOut,
  networkReason,
  payloadsReason,
} from '../test/support/machine.ts';
import { proxiesReason } from '../test/support/proxies.ts';
import { projectDir, run } from './run.ts';
import { buildIfStale } from './stale-build.ts';

/*
 * npm test                       every suite that this machine can run
 * npm test -- service web        only these
 * npm test -- service -- streams only the files whose path contains the filter
 * npm run test:fast              what needs nothing but Node, and of the service what this branch changed
 * npm test -- --watch service    again, what a change concerns, until it is ended
 * npm run test:long              the same as npm test, with soaks, fuzzes and walks in their long form
 */

/** About as long as each other: what works on all cores, what drives pages, and what drives a desktop. */
type Lane = 'work' | 'pages' | 'desktop';

interface Suite {
  /** That of the project in test/vitest.config.ts. */
  readonly name: string;
  /** Why this machine cannot run it. */
  readonly reason: string | undefined;
  /** Which part of it this machine cannot run, and why. */
  readonly leftOut?: string | undefined;
  /** What is no part of the project and not there: nobody's run fails for it. */
  readonly without?: string | undefined;
  /** Suites of one lane run one after the other, lanes beside each other. */
  readonly lane: Lane;
  /**
   * What drives one page or a desktop waits more than it works, and goes one step after the other: it is served first, and
   * the rest of the processor is for what works on all cores.
   */
  readonly isPatient?: boolean;
  /** It runs what `npm run build` makes. */
  readonly needsBuild?: boolean;
  /** It is left out without harm where the system does not let it run. */
  readonly isOptional?: boolean;
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** From its start to its end, building left out. */
  readonly seconds: number;
  readonly note: string;
  /** What failed, and how its message begins. */
  readonly failures: readonly string[];
}

type Result = Omit<Outcome, 'seconds'>;

const noneRan = 'no test ran';
const nothing = { passed: 0, failed: 0, skipped: 0, seconds: 0, failures: [] } as const;
const notRun: Outcome = { ...nothing, note: 'not run' };

interface Choice {
  /** Of the service, only what has changed. */
  readonly isFast: boolean;
  readonly isWatching: boolean;
  readonly isLong: boolean;
  readonly chosen: readonly Suite[];
  readonly filters: readonly string[];
}

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
    /** Why the file as a whole failed. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

const suites: readonly Suite[] = [
  { name: 'unit', reason: undefined, lane: 'work', isPatient: true },
  {
    name: 'service',
    reason: undefined,
    without: payloadsReason,
    lane: 'work',
    isPatient: true,
  },
  {
    name: 'process',
    reason: undefined,
    leftOut: launchReason,
    without: process.argv.includes('--long') ? proxiesReason : undefined,
    lane: 'work',
    needsBuild: true,
    isPatient: true,
  },
  {
    name: 'ui',
    reason: chromiumReason,
    lane: 'pages',
    isPatient: true,
  },
  {
    name: 'network',
    reason: networkReason,
    leftOut: networkLeftOut,
    lane: 'pages',
    needsBuild: true,
    isOptional: true,
  },
  { name: 'web', reason: chromiumReason, lane: 'pages', needsBuild: true },
  { name: 'desktop', reason: desktopReason, lane: 'desktop', needsBuild: true },
];

const isOptional = (name: string): boolean =>
  suites.some((suite) => suite.name === name && suite.isOptional === true);

const isCi = Boolean(process.env['CI']) && process.env['CI'] !== 'false';

async function main(args: readonly string[]): Promise<boolean> {
  const { isWatching, isLong, isFast, chosen, filters } = choose(args);
  if (isLong) process.env['HEARTH_TEST_LONG'] = '1'; // test/support/long.ts
  if (chosen.some(({ needsBuild }) => needsBuild === true)) {
    await buildIfStale();
    if (!isWatching) process.env['HEARTH_IS_BUILT'] = '1'; // test/support/entries.ts
  }
  if (isWatching) return watch(chosen, filters);
  const changed = isFast ? ['--changed', await branchPoint(), '--passWithNoTests'] : [];
  // In this order, whichever ends first.
  const outcomes = new Map<string, Outcome>(chosen.map(({ name }) => [name, notRun]));
  const running = lanesOf(chosen).map(async (lane, index) => {
    for (const suite of lane) {
      // Ctrl+C ends all of it, not one suite after the other.
      if (endedBy === undefined) {
        const more = suite.name === 'service' ? [...filters, ...changed] : filters;
        outcomes.set(suite.name, await outcomeOf(suite, more, index === 0));
      }
    }
  });
  await Promise.all(running);
  if (endedBy !== undefined) return false;
  console.log(`\n${table(outcomes)}\n\n${[totals(outcomes), ...failuresOf(outcomes)].join('\n')}`);
  const good = [...outcomes].filter(
    ([name, outcome]) =>
      isGood(outcome) ||
      (isOptional(name) && isWhollyLeftOut(outcome)) ||
      ((isFast || filters.length > 0) && outcome.note === noneRan),
  );
  return good.length === outcomes.size && [...outcomes.values()].some(({ passed }) => passed > 0);
}

const switches: readonly string[] = ['--watch', '--long', '--fast'];
const fast: readonly string[] = ['unit', 'service'];

/** The commit at which this branch left the one that is published, or the last one. */
async function branchPoint(): Promise<string> {
  for (const trunk of ['origin/HEAD', 'main']) {
    const { code, output } = await run(`git merge-base HEAD ${trunk}`);
    if (code === 0) return output.trim();
  }
  return 'HEAD';
}

/** Each in the order of the table. */
const lanesOf = (chosen: readonly Suite[]): readonly (readonly Suite[])[] =>
  [...new Set(chosen.map(({ lane }) => lane))].map((lane) =>
    chosen.filter((suite) => suite.lane === lane),
  );

function choose(args: readonly string[]): Choice {
  const split = args.includes('--') ? args.indexOf('--') : args.length;
  const named = args.slice(0, split);
  const names = named.filter((name) => !switches.includes(name));
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    const known = suites.map((suite) => suite.name).join(', ');
    throw new Error(`no suite named ${unknown.join(', ')}; there are ${known}`);
  }
  const isFast = named.includes('--fast');
  const wanted = names.length === 0 && isFast ? fast : names;
  const chosen = suites.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  return {
    isFast,
    isWatching: named.includes('--watch'),
    isLong: named.includes('--long'),
    chosen,
    filters: args.slice(split + 1),
  };
}

/** Runs until it is ended, or until nothing that was chosen can run here. */
async function watch(chosen: readonly Suite[], filters: readonly string[]): Promise<boolean> {
  for (const { name, reason } of chosen) {
    if (reason !== undefined) console.log(`${name} is left out: ${reason}`);
  }
  const suites = chosen.filter(({ reason }) => reason === undefined);
  if (suites.length === 0) return false;
  const projects = suites.flatMap(({ name }) => ['--project', name]);
  const { code } = await vitest(['watch', ...projects, ...filters], true);
  return code === 0 || endedBy !== undefined;
}

/** @param isShown  whether its output is shown as it comes, or when it has ended */
async function outcomeOf(
  suite: Suite,
  filters: readonly string[],
  isShown: boolean,
): Promise<Outcome> {
  if (suite.reason !== undefined) {
    return { ...nothing, note: `left out: ${suite.reason}` };
  }
  const folder = mkdtempSync(join(tmpdir(), 'hearth-report-'));
  const startedAt = performance.now();
  try {
    if (isShown) console.log(`\n${suite.name}`);
    const file = join(folder, 'report.json');
    const reports = ['--reporter', 'default', '--reporter', 'json', `--outputFile.json=${file}`];
    const args = ['run', '--project', suite.name, ...reports, ...filters];
    const { code, output } = await vitest(args, isShown, suite.isPatient === true);
    if (!isShown) console.log(`\n${suite.name}\n${output}`);
    const result = resultFrom(existsSync(file) ? readReport(file) : undefined, code);
    const partly = partlyLeftOut(suite);
    const seconds = (performance.now() - startedAt) / 1000;
    return { ...result, seconds, note: result.note === '' ? partly : result.note };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function partlyLeftOut({ leftOut, without }: Suite): string {
  if (leftOut !== undefined) return `left out: ${leftOut}`;
  return without === undefined ? '' : `without ${without}`;
}

function readReport(file: string): Report {
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

function resultFrom(report: Report | undefined, code: number | null): Result {
  if (report === undefined) return { ...nothing, failed: 1, note: 'the run itself failed' };
  const failures = report.testResults.flatMap(failuresIn);
  const passed = report.numPassedTests;
  const failed = report.numFailedTests;
  const skipped = report.numPendingTests + report.numTodoTests;
  if (report.numTotalTestSuites === 0) return { passed, failed, skipped, failures, note: noneRan };
  // A file that does not load, or an error outside any test, fails the run without failing a test.
  if (code !== 0 && failed === 0) {
    return { passed, failed: 1, skipped, failures, note: 'the run itself failed' };
  }
  const note = isCi && skipped > 0 ? 'nothing may be skipped with CI=true' : '';
  return { passed, failed, skipped, failures, note };
}

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

let endedBy: NodeJS.Signals | undefined;

interface Ended {
  readonly code: number | null;
  /** What it printed, where that was not shown as it came. */
  readonly output: string;
}

function vitest(args: readonly string[], isShown: boolean, isPatient = false): Promise<Ended> {
  const cli = join(projectDir, 'node_modules', 'vitest', 'vitest.mjs');
  const [command = '', ...rest] = args;
  const printed = isShown ? 'inherit' : 'pipe';
  const child = spawn(
    process.execPath,
    [cli, command, '--config', 'test/vitest.config.ts', ...rest],
    // Watching listens to keys.
    { cwd: projectDir, stdio: [command === 'watch' ? 'inherit' : 'ignore', printed, printed] },
  );
  if (isPatient && child.pid !== undefined) {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  }
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: unknown) => (output += String(text)));
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      endedBy = signal;
      child.kill(signal);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, output });
    });
  });
}

function isGood(outcome: Outcome): boolean {
  if (outcome.failed > 0) return false;
  const isLeftOut = outcome.note.startsWith('left out');
  if (isCi && (isLeftOut || outcome.skipped > 0)) return false;
  return isLeftOut || outcome.passed > 0;
}

const isWhollyLeftOut = ({ passed, failed, note }: Outcome): boolean =>
  passed + failed === 0 && note.startsWith('left out');

function table(outcomes: ReadonlyMap<string, Outcome>): string {
  const row = (...cells: readonly [string, ...(string | number)[]]): string =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(10) : String(cell).padStart(9))).join('');
  const rows = [...outcomes].map(([name, { passed, failed, skipped, seconds, note }]) =>
    `${row(name, passed, failed, skipped, seconds.toFixed(1))}  ${note}`.trimEnd(),
  );
  return [row('suite', 'passed', 'failed', 'skipped', 'seconds'), ...rows].join('\n');
}

/** Said once more at the end: what failed early stands thousands of lines above. */
function failuresOf(outcomes: ReadonlyMap<string, Outcome>): readonly string[] {
  return [...outcomes].flatMap(([suite, { failures }]) =>
    failures.map((failure) => `  ${suite}: ${failure}`),
  );
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
