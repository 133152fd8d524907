import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './project-dir.ts';

/** Its time of change is the moment the last complete build began. */
const stamp = join(projectDir, 'out', '.built');

/** What the build is made of; folders count with all they hold. */
const sources = [
  'src-main',
  'src-preload',
  'src-renderer',
  'electron.vite.config.ts',
  'vite.start.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
];

/**
 * Builds main, preload and renderer into out/ if anything they are made of changed since the last build. Where all suites
 * run, that has been done, and a build in their midst would take away what others use.
 */
export async function buildIfStale(): Promise<void> {
  if (process.env['HEARTH_IS_BUILT'] !== '1' && isBuildStale()) await build();
}

/**
 * Builds main, preload and renderer into out/. Everything is told on stderr, because the standard output of
 * `npm run serve` belongs to the service.
 */
export async function build(): Promise<void> {
  const startedAt = new Date();
  rmSync(stamp, { force: true });
  process.stderr.write('building\n');
  await runBuild('electron-vite build --logLevel warn');
  await runBuild('vite build --config vite.start.config.ts --logLevel warn');
  mkdirSync(join(projectDir, 'out'), { recursive: true });
  writeFileSync(stamp, '');
  // An edit made during the build counts as newer than the build.
  utimesSync(stamp, startedAt, startedAt);
}

async function runBuild(command: string): Promise<void> {
  // Most starts build nothing, and need not wait for it.
  const { run } = await import('./run.ts');
  const { code, output } = await run(command);
  if (code !== 0) throw new Error(`the build failed:\n${output}`);
}

/** Whether something was changed since. Also true after a file was deleted: that changes the time of its folder. */
export function isBuildStale(): boolean {
  const builtAtMs = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return sources.some((source) => newestMs(join(projectDir, source)) > builtAtMs);
}

function newestMs(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  return stat.isDirectory() ? Math.max(stat.mtimeMs, newestIn(path)) : stat.mtimeMs;
}

/** Every start asks this of more than a thousand files. */
function newestIn(folder: string): number {
  let newest = 0;
  for (const name of readdirSync(folder)) {
    const ms = newestMs(`${folder}/${name}`);
    if (ms > newest) newest = ms;
  }
  return newest;
}
