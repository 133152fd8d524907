/** What `npm run check` runs. */
import type { Changes } from './changes.ts';

export interface Step {
  readonly name: string;
  readonly command: string;
  /** What the command must complain about, each in its output; a step without it must succeed. */
  readonly complaints?: readonly string[];
}

type Changed = Pick<Changes, 'files' | 'deleted'>;

/** Programs of types, by the folder of their `tsconfig.json`, with the files whose change they notice. */
const typed: readonly (readonly [project: string, files: RegExp])[] = [
  ['.', /^(?:scripts\/|[^/]+\.ts$)/],
  ['src-main', /^src-main\//],
  ['src-main/shared', /^src-main\/shared\//],
  ['src-main/client', /^src-main\/(?:client|shared)\//],
  ['src-preload', /^(?:src-preload|src-main\/shared)\//],
  ['test', /^(?:test|src-main|scripts)\//],
];

/** Components and the modules beside them. */
const components: readonly (readonly [project: string, files: RegExp])[] = [
  ['src-renderer', /^src-renderer\//],
  ['test/ui', /^test\/(?:ui|unit\/renderer)\//],
];

/** The folders of all of them. */
export const programs: readonly string[] = [...typed, ...components].map(([project]) => project);

const linted = ['src-renderer', 'test', 'src-main', 'src-preload scripts *.ts *.js'];

const lint = (files: string): Step => ({
  name: `lint ${files}`,
  command: `eslint ${files} --max-warnings 0`,
});
const types = (project: string): Step => ({
  name: `types ${project}`,
  command: `tsc -p ${project}`,
});
const svelte = (project: string): Step => ({
  name: `svelte ${project}`,
  command: `svelte-check --tsconfig ${project}/tsconfig.json --fail-on-warnings --output human`,
});
export const imports: Step = {
  name: 'imports',
  command: 'depcruise src-main src-preload src-renderer test scripts --config test/layers.cjs',
};

const formatOf = (files: string): Step => ({
  name: 'format',
  command: `prettier --check --ignore-unknown --log-level warn ${files}`,
});

/** The slow ones come first, so that they do not run alone at the end. */
export const allSteps: readonly Step[] = [
  // In parts that take about as long as each other: one process would use one core only.
  ...linted.map(lint),
  ...typed.map(([project]) => types(project)),
  ...components.map(([project]) => svelte(project)),
  formatOf('.'),
  imports,
  { name: 'unused', command: 'knip' },
  { name: 'old names', command: 'node scripts/old-names.ts' },
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
  { name: 'canary imports', command: 'node scripts/canaries/imports.ts' },
  { name: 'canary lint rules', command: 'node scripts/canaries/lint.ts' },
  { name: 'canary unused', command: 'node scripts/canaries/unused.ts' },
  { name: 'canary globs', command: 'node scripts/canaries/globs.ts' },
];

/** What the tools go by: a change of it may concern any file. */
const CONFIGURATION =
  /(?:^|\/)(?:tsconfig[^/]*\.json|package-lock\.json|eslint\.config\.js|layers\.cjs|\.prettierignore)$/;
/** More would be a command that Windows does not take, and about as much work as all of them. */
const MOST_FILES = 100;

const CODE = /\.(?:[cm]?ts|[cm]?js|svelte)$/;
/** Wrong on purpose. */
const isCanary = (name: string): boolean => name.startsWith('test/canary/');

/**
 * What has to be looked at after a change of some files: the files themselves, and the programs of types that have them.
 * What nothing uses any more, and the canary, are for all the steps.
 */
export function stepsFor({ files, deleted }: Changed): readonly Step[] {
  const touched = [...files, ...deleted].filter((name) => !isCanary(name));
  if (touched.some((name) => CONFIGURATION.test(name)) || touched.length > MOST_FILES) {
    return allSteps;
  }
  const there = files.filter((name) => !isCanary(name));
  const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(' ');
  const code = there.filter((name) => CODE.test(name));
  const isTouched = ([, pattern]: readonly [string, RegExp]): boolean =>
    touched.some((name) => CODE.test(name) && pattern.test(name));
  return [
    ...(code.length > 0 ? [{ ...lint(`${quoted(code)} --no-warn-ignored`), name: 'lint' }] : []),
    ...typed.filter(isTouched).map(([project]) => types(project)),
    ...components.filter(isTouched).map(([project]) => svelte(project)),
    ...(there.length > 0 ? [formatOf(quoted(there))] : []),
    ...(touched.some((name) => CODE.test(name)) ? [imports] : []),
  ];
}
