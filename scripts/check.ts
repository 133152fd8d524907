import { run } from './run.ts';

interface Step {
  readonly name: string;
  readonly command: string;
  /** What the command must complain about, each in its output; a step without it must succeed. */
  readonly complaints?: readonly string[];
}

const PARALLEL = 2;

// Components keep one program of types with it; without it each makes another, which takes a third more of the time.
process.env['SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK'] = '1';

const typed = [
  '.',
  'src-main',
  'src-main/contract',
  'src-main/bridge',
  'src-main/search',
  'src-main/client',
  'src-preload',
  'test',
];

const linted = ['src-renderer', 'test', 'src-main', 'src-preload scripts *.ts *.js'];

/** The slow ones come first, so that they do not run alone at the end. */
const steps: readonly Step[] = [
  // In parts that take about as long as each other: one process would use one core only.
  ...linted.map((files) => ({
    name: `lint ${files}`,
    command: `eslint ${files} --max-warnings 0`,
  })),
  ...typed.map((project) => ({ name: `types ${project}`, command: `tsc -p ${project}` })),
  ...['src-renderer', 'test/renderer'].map((project) => ({
    name: `svelte ${project}`,
    command: `svelte-check --tsconfig ${project}/tsconfig.json --fail-on-warnings --output human`,
  })),
  { name: 'format', command: 'prettier --check --log-level warn .' },
  {
    name: 'imports',
    command: 'depcruise src-main src-preload src-renderer test scripts --config test/layers.cjs',
  },
  { name: 'unused', command: 'knip' },
  {
    name: 'canary types',
    command: 'svelte-check --tsconfig test/canary/tsconfig.json --output machine',
    complaints: [
      'wrong-type.ts" 1:14',
      'wrong-type.ts" 2:14',
      'wrong-type.svelte" 4:9',
      'wrong-type.svelte" 13:10',
      'a11y_missing_attribute',
    ],
  },
  {
    name: 'canary globals',
    command: 'tsc -p test/canary/contract',
    complaints: ["'process'", "'Buffer'", "'document'"],
  },
  {
    name: 'canary lint',
    command: 'eslint --no-ignore test/canary/wrong-type.svelte',
    complaints: [
      'no-floating-promises',
      'regexp/no-super-linear-backtracking',
      'regexp/no-super-linear-move',
      'made of text from outside',
    ],
  },
];

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
