import { changesIn, shortName } from './changes.ts';
import { allSteps, type Step, stepsFor } from './checks.ts';
import { projectDir, run } from './run.ts';

/*
 * npm run check               everything that can be known without running the code
 * npm run check -- --changed  the same of what this branch changes, committed or not
 */

const PARALLEL = 2;

// Components keep one program of types with it; without it each makes another, which takes a third more of the time.
process.env['SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK'] = '1';

function end(message: string): never {
  console.error(message);
  process.exit(1);
}

function stepsOf(args: readonly string[]): readonly Step[] {
  if (args.length === 0) return allSteps;
  if (args.join(' ') !== '--changed') {
    return end(`npm run check takes --changed or nothing, not ${args.join(' ')}`);
  }
  const changes = changesIn(projectDir);
  if (changes === undefined) {
    return end('what changed is not known without git: npm run check looks at everything');
  }
  const { since, files, deleted } = changes;
  const chosen = stepsFor(changes);
  const count = files.length + deleted.length;
  const what = count === 0 ? 'nothing' : `${String(count)} file${count === 1 ? '' : 's'}`;
  const all = chosen === allSteps ? ', which may concern any file: everything is looked at' : '';
  console.log(`${what} changed since ${shortName(since)}${all}`);
  return chosen;
}

const steps = stepsOf(process.argv.slice(2));
const waiting = [...steps];
let failures = 0;

async function work(): Promise<void> {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
    const startedAt = performance.now();
    const problem = await problemOf(step);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
    console.log(`${problem === undefined ? 'ok    ' : 'FAILED'} ${seconds} s  ${step.name}`);
    if (problem === undefined) continue;
    failures += 1;
    console.log(problem);
  }
}

async function problemOf(step: Step): Promise<string | undefined> {
  const { code, output } = await run(step.command);
  if (step.complaints === undefined) return code === 0 ? undefined : output;
  const missing = step.complaints.filter((complaint) => !output.includes(complaint));
  if (code !== 0 && missing.length === 0) return undefined;
  return `it should have complained about ${missing.join(', ')}, but said:\n${output}`;
}

await Promise.all(Array.from({ length: PARALLEL }, work));
if (failures > 0) {
  console.log(`\n${String(failures)} of ${String(steps.length)} steps failed`);
  process.exitCode = 1;
}
