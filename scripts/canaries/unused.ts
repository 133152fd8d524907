/** Whether knip finds what nothing uses in every folder, by the project's own configuration, in a tree of its own. */
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, matchesGlob, relative } from 'node:path';
import manifest from '#package.json' with { type: 'json' };
import { projectDir } from '../project-dir.ts';
import { run } from '../run.ts';
import { codeFiles, oneOfEachFolder, report } from './files.ts';

interface Found {
  readonly issues: readonly {
    readonly file: string;
    readonly files?: readonly unknown[];
    readonly exports?: readonly { readonly name: string }[];
    readonly dependencies?: readonly { readonly name: string }[];
    readonly devDependencies?: readonly { readonly name: string }[];
  }[];
}

const { entry } = manifest.knip;
const NAME = 'unused-canary';
const problems: string[] = [];

for (const glob of entry) {
  if (globSync(glob, { cwd: projectDir }).length === 0) {
    problems.push(`knip starts at ${glob}, which no file is`);
  }
}

/** In every folder whose files are there for others: a file that nothing imports, and one of which not all is used. */
const unused: string[] = [];
const halfUsed: string[] = [];
for (const path of oneOfEachFolder(codeFiles.filter((name) => name.includes('/')))) {
  const at = `${dirname(path)}/${NAME}`;
  if (entry.some((glob) => matchesGlob(`${at}.ts`, glob))) continue;
  unused.push(`${at}${extname(path)}`);
  if (extname(path) === '.ts') halfUsed.push(`${at}-export.ts`);
}

/** As others write it: by its `#` name where its folder has one. */
function specifierOf(path: string, from: string): string {
  for (const [name, folder] of Object.entries(manifest.imports)) {
    const start = folder.slice('./'.length, -'*'.length);
    if (name.endsWith('*') && path.startsWith(start)) {
      return `${name.slice(0, -'*'.length)}${path.slice(start.length)}`;
    }
  }
  return `./${relative(dirname(from), path)}`;
}

function fill(dir: string): void {
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  cpSync(join(projectDir, 'tsconfig.base.json'), join(dir, 'tsconfig.base.json'));
  const withOne = { ...manifest.dependencies, [NAME]: '1' };
  const withOneMore = { ...manifest.devDependencies, [`${NAME}-tool`]: '1' };
  put(
    'package.json',
    JSON.stringify({ ...manifest, dependencies: withOne, devDependencies: withOneMore }),
  );
  for (const path of unused) put(path, '');
  for (const path of halfUsed) put(path, 'export const used = 1;\nexport const left = 2;\n');
  const [start = ''] = entry;
  const uses = halfUsed.map(
    (path, index) =>
      `import { used as used${index} } from '${specifierOf(path, start)}';\nconsole.log(used${index});`,
  );
  put(start, uses.join('\n'));
}

async function issues(): Promise<Found['issues']> {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-canaries-'));
  try {
    fill(dir);
    const { output } = await run('knip --reporter json --no-progress', dir);
    const json = output.split('\n').find((line) => line.startsWith('{'));
    if (json === undefined) throw new Error(output);
    return (JSON.parse(json) as Found).issues;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const found = await issues();
const isFound = (path: string, kind: 'files' | 'exports'): boolean =>
  found.some((issue) => issue.file === path && (issue[kind]?.length ?? 0) > 0);
for (const path of unused) {
  if (!isFound(path, 'files')) problems.push(`knip does not find that nothing imports ${path}`);
}
for (const path of halfUsed) {
  if (!isFound(path, 'exports')) problems.push(`knip does not find an unused export of ${path}`);
}
for (const name of [NAME, `${NAME}-tool`]) {
  const isNamed = found.some(({ dependencies = [], devDependencies = [] }) =>
    [...dependencies, ...devDependencies].some((one) => one.name === name),
  );
  if (!isNamed) problems.push(`knip does not find that nothing uses the package ${name}`);
}
report(problems);
