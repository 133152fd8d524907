/** Whether every rule of test/layers.cjs refuses what breaks it: each is broken in a tree of its own. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import manifest from '#package.json' with { type: 'json' };
import { imports } from '../checks.ts';
import { projectDir } from '../project-dir.ts';
import { run } from '../run.ts';
import { codeFiles, report } from './files.ts';

type Pattern = string | readonly string[] | undefined;

interface Rule {
  readonly name: string;
  readonly from: { readonly path?: Pattern; readonly pathNot?: Pattern; readonly orphan?: true };
  readonly to: {
    readonly path?: Pattern;
    readonly pathNot?: Pattern;
    readonly circular?: true;
    readonly couldNotResolve?: true;
    readonly reachable?: true;
    readonly dependencyTypes?: readonly string[];
    readonly dependencyTypesNot?: readonly string[];
  };
}

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

interface Target {
  readonly kind: 'local' | 'npm' | 'core';
  /** What depends on it writes this. */
  readonly specifier: string;
  /** Where it is found. */
  readonly path: string;
  /** Of these each has one that is tried: `#service`, `npm`. */
  readonly group: string;
}

type Way = 'value' | 'type-only' | 'dynamic-import';

const { forbidden } = createRequire(import.meta.url)('#test/layers.cjs') as {
  readonly forbidden: readonly Rule[];
};

const matches = (path: string, pattern: Pattern): boolean =>
  [pattern ?? []].flat().some((one) => new RegExp(one).test(path));
const fits = (path: string, { path: wanted, pathNot }: Rule['from']): boolean =>
  (wanted === undefined || matches(path, wanted)) && !matches(path, pathNot);

const aliases = Object.entries(manifest.imports)
  .filter(([name]) => name.endsWith('/*'))
  .map(([name, folder]) => ({ name: name.slice(0, -1), folder: folder.slice(2, -1) }));

const localTargets = aliases.flatMap(({ name, folder }) =>
  codeFiles
    .filter((path) => path.startsWith(folder) && extname(path) !== '.cjs')
    .map((path): Target => ({
      kind: 'local',
      specifier: `${name}${path.slice(folder.length)}`,
      path,
      group: name,
    })),
);
const packages = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
const npmTargets = packages.map((name): Target => ({
  kind: 'npm',
  specifier: name,
  path: `node_modules/${name}/index.js`,
  group: 'npm',
}));
const coreTargets = ['fs', 'http'].map((name): Target => ({
  kind: 'core',
  specifier: `node:${name}`,
  path: name,
  group: 'core',
}));
const targets = [...localTargets, ...npmTargets, ...coreTargets];

const problems: string[] = [];
/** Code by path. */
const tree = new Map<string, string[]>();
const expected: { readonly rule: string; readonly from: string; readonly to: string }[] = [];

function write(path: string, line = ''): void {
  tree.set(path, [...(tree.get(path) ?? []), line]);
}

let names = 0;

function writeImport(from: string, specifier: string, way: Way = 'value'): void {
  names += 1;
  const name = `name${names}`;
  if (way === 'dynamic-import') {
    write(from, `console.log(await import('${specifier}'));`);
    return;
  }
  const type = way === 'type-only' ? 'type ' : '';
  const use =
    way === 'type-only' ? `export type T${name} = typeof ${name};` : `console.log(${name});`;
  write(from, `import ${type}* as ${name} from '${specifier}';\n${use}`);
}

/** One of those that the rule is for in each folder, of every kind of file. */
function filesOf({ from }: Rule): readonly string[] {
  const chosen = new Map<string, string>();
  for (const path of codeFiles.filter((name) => !name.endsWith('.cjs') && fits(name, from))) {
    const group = `${path.split('/').slice(0, 2).join('/')} ${extname(path)}`;
    if (!chosen.has(group)) chosen.set(group, path);
  }
  return [...chosen.values()];
}

function targetsOf({ name, to }: Rule): ReadonlyMap<string, readonly Target[]> {
  const { dependencyTypes, dependencyTypesNot = [] } = to;
  // Whatever of ours the row does not name, wherever the rule looks for it.
  const wanted = name.endsWith('-imports') ? { pathNot: to.pathNot } : to;
  const refused = targets.filter(
    ({ kind, path }) =>
      (dependencyTypes?.includes(kind) ?? true) &&
      !dependencyTypesNot.includes(kind) &&
      (kind === 'local' || !name.endsWith('-imports')) &&
      fits(path, wanted),
  );
  return Map.groupBy(refused, ({ group }) => group);
}

/** Each import that the rule is there to refuse, in each way that it is. */
function breakDirectly(rule: Rule): void {
  const groups = targetsOf(rule);
  const files = filesOf(rule);
  if (groups.size === 0 || files.length === 0) {
    problems.push(`${rule.name}: there is nothing that it could refuse`);
  }
  const excluded = rule.to.dependencyTypesNot ?? [];
  for (const from of files) {
    const ways = (['value', 'dynamic-import', 'type-only'] as const).filter(
      (way) => !excluded.includes(way) && (way !== 'type-only' || from.endsWith('.ts')),
    );
    for (const group of groups.values()) {
      for (const [index, way] of ways.entries()) {
        // The last ones: the first of a layer break rules themselves, and would make cycles.
        const target = group.at(-1 - index);
        if (target === undefined) continue;
        writeImport(from, target.specifier, way);
        if (target.kind === 'local') write(target.path);
        expected.push({ rule: rule.name, from, to: target.path });
      }
    }
  }
}

const sources = [...new Set(codeFiles.map((path) => path.split('/')[0] ?? ''))].filter((folder) =>
  folder.startsWith('src-'),
);

/** Files that are nowhere, or that nothing imports. */
function breakByPlace({ name, from: { orphan } }: Rule): void {
  for (const folder of sources) {
    const from = `${folder}/${name}.ts`;
    if (orphan === undefined) writeImport(from, 'zod');
    else write(from);
    expected.push({
      rule: name,
      from,
      to: orphan === undefined ? 'node_modules/zod/index.js' : from,
    });
  }
}

function breakByWay(rule: Rule): void {
  const via = `src-main/node/${rule.name}.ts`;
  const [target] = targets.filter(({ path }) => fits(path, rule.to));
  if (target === undefined)
    return void problems.push(`${rule.name}: it refuses nothing that is there`);
  writeImport(via, target.specifier);
  for (const from of filesOf(rule)) {
    writeImport(from, `#node/${rule.name}.ts`);
    expected.push({ rule: rule.name, from, to: target.path });
  }
}

function breakByCycle({ name }: Rule): void {
  for (const { name: alias, folder } of aliases) {
    const [one, other] = [`${name}-one.ts`, `${name}-other.ts`];
    writeImport(`${folder}${one}`, `${alias}${other}`);
    writeImport(`${folder}${other}`, `${alias}${one}`);
    expected.push({ rule: name, from: `${folder}${one}`, to: `${folder}${other}` });
  }
}

function breakByGap({ name }: Rule): void {
  for (const { name: alias, folder } of aliases) {
    const [from, to] = [`${folder}${name}.ts`, `${alias}gone.ts`];
    writeImport(from, to);
    expected.push({ rule: name, from, to });
  }
}

function breakRule(rule: Rule): void {
  const { from, to } = rule;
  if (to.circular) breakByCycle(rule);
  else if (to.couldNotResolve) breakByGap(rule);
  else if (to.reachable) breakByWay(rule);
  else if (from.orphan === true || Object.keys(to).length === 0) breakByPlace(rule);
  else breakDirectly(rule);
}

function fill(dir: string): void {
  for (const name of ['package.json', 'tsconfig.base.json', 'test/layers.cjs']) {
    cpSync(join(projectDir, name), join(dir, name));
  }
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  for (const name of packages) {
    put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0' }));
    put(`node_modules/${name}/index.js`, '');
  }
  for (const [path, lines] of tree) {
    const code = ['export {};', ...lines].join('\n');
    put(path, path.endsWith('.svelte') ? `<script module lang="ts">\n${code}\n</script>\n` : code);
  }
}

async function violations(): Promise<readonly Violation[]> {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-canaries-'));
  try {
    fill(dir);
    const { output } = await run(`${imports.command} --output-type json`, dir);
    return (JSON.parse(output) as { summary: { violations: Violation[] } }).summary.violations;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

for (const rule of forbidden) breakRule(rule);
const keyOf = (...parts: readonly string[]): string => parts.join(' ');
const refused = new Set(
  (await violations()).map(({ rule, from, to }) => keyOf(rule.name, from, to)),
);
const silent = expected.filter(({ rule, from, to }) => !refused.has(keyOf(rule, from, to)));
for (const [what, all] of Map.groupBy(silent, ({ rule, from }) => `${rule} lets ${from} import`)) {
  problems.push(`${what} ${all.map(({ to }) => to).join(', ')}`);
}
report(problems);
