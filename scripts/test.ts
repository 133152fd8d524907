import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { changesIn, shortName } from './changes.ts';
import {
  failuresOf,
  isGood,
  isWhollyLeftOut,
  minutesOf,
  noneRan,
  nothing,
  notRun,
  type Outcome,
  readResult,
  table,
  totals,
} from './outcomes.ts';
import { projectDir } from './project-dir.ts';
import { buildIfStale } from './stale-build.ts';
import { type Chosen, choose, isOptional, type Suite } from './suites.ts';

/*
 * npm test                       every suite that this machine can run
 * npm test -- service web        only these
 * npm test -- streams torture    only the files whose path contains one of the words, of whichever suite
 * npm test -- service -- streams only the files of a suite whose path contains the word
 * npm run test:fast              what needs nothing but Node, and of the service what this branch changed
 * npm test -- --watch service    again, what a change concerns, until it is ended
 * npm run test:long              the same as npm test, with soaks, fuzzes and walks in their long form, and the minutes of each
 */

async function main(args: readonly string[]): Promise<boolean> {
  const { isWatching, isLong, isFast, chosen } = choose(args);
  if (isLong) process.env['HEARTH_TEST_LONG'] = '1'; // test/support/long.ts
  if (chosen.some(({ suite }) => suite.needsBuild === true)) {
    await buildIfStale();
    if (!isWatching) process.env['HEARTH_IS_BUILT'] = '1'; // scripts/staleness.js
  }
  if (isWatching) return watch(chosen);
  // In this order, whichever ends first.
  const outcomes = new Map<string, Outcome>(chosen.map(({ suite }) => [suite.name, notRun]));
  const running = lanesOf(chosen).map(async (lane, index) => {
    for (const one of lane) {
      // Ctrl+C ends all of it, not one suite after the other.
      if (endedBy !== undefined) return;
      const { name } = one.suite;
      const isOfChanged = isFast && name === 'service';
      const outcome = isOfChanged ? outcomeOfChanged : outcomeOf;
      outcomes.set(name, await outcome(one, index === 0));
    }
  });
  await Promise.all(running);
  if (endedBy !== undefined) return false;
  console.log(`\n${table(outcomes)}\n`);
  if (isLong) console.log(`${minutesOf(outcomes)}\n`);
  console.log([totals(outcomes), ...failuresOf(outcomes)].join('\n'));
  const mayBeEmpty = isFast || chosen.some(({ filters }) => filters.length > 0);
  const good = [...outcomes].filter(
    ([name, outcome]) =>
      isGood(outcome) ||
      (isOptional(name) && isWhollyLeftOut(outcome)) ||
      (mayBeEmpty && outcome.note.startsWith(noneRan)),
  );
  return good.length === outcomes.size && [...outcomes.values()].some(({ passed }) => passed > 0);
}

/** Each in the order of the table. */
const lanesOf = (chosen: readonly Chosen[]): readonly (readonly Chosen[])[] =>
  [...new Set(chosen.map(({ suite }) => suite.lane))].map((lane) =>
    chosen.filter(({ suite }) => suite.lane === lane),
  );

/** Runs until it is ended, or until nothing that was chosen can run here. */
async function watch(chosen: readonly Chosen[]): Promise<boolean> {
  for (const { suite } of chosen) {
    if (suite.reason !== undefined) console.log(`${suite.name} is left out: ${suite.reason}`);
  }
  const able = chosen.filter(({ suite }) => suite.reason === undefined);
  if (able.length === 0) return false;
  const projects = able.flatMap(({ suite }) => ['--project', suite.name]);
  const filters = new Set(able.flatMap((one) => one.filters));
  const { code } = await vitest(['watch', ...projects, ...filters], true);
  return code === 0 || endedBy !== undefined;
}

/** Of the suite, the tests of what this branch changes. */
async function outcomeOfChanged(one: Chosen, isShown: boolean): Promise<Outcome> {
  const changes = changesIn(projectDir);
  if (changes === undefined) {
    return { ...nothing, note: `${noneRan}: what changed is not known without git` };
  }
  const since = `since ${shortName(changes.since)}`;
  const count = changes.files.length + changes.deleted.length;
  if (count === 0) return { ...nothing, note: `${noneRan}: nothing changed ${since}` };
  const filters = [...one.filters, '--changed', changes.since, '--passWithNoTests'];
  const outcome = await outcomeOf({ ...one, filters }, isShown);
  const said = `of what changed ${since}`;
  return { ...outcome, note: outcome.note === '' ? said : `${outcome.note}, ${said}` };
}

/** @param isShown  whether its output is shown as it comes, or when it has ended */
async function outcomeOf({ suite, filters }: Chosen, isShown: boolean): Promise<Outcome> {
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
    const result = readResult(file, code);
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

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
