/** Whether something was changed since the last build. In plain JavaScript (`headless.js` says why). */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const projectDir = join(import.meta.dirname, '..');

/** Its time of change is the moment the last complete build began. */
export const stamp = join(projectDir, 'out', '.built');

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
 * @param {string} path
 * @returns {number}
 */
function newestMs(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  return stat.isDirectory() ? Math.max(stat.mtimeMs, newestIn(path)) : stat.mtimeMs;
}

/**
 * Every start asks this of more than a thousand files.
 * @param {string} folder
 */
function newestIn(folder) {
  let newest = 0;
  for (const name of readdirSync(folder)) {
    const ms = newestMs(`${folder}/${name}`);
    if (ms > newest) newest = ms;
  }
  return newest;
}

/**
 * Also true after a file was deleted: that changes the time of its folder. Where all suites run, a build was made before, and
 * another one in their midst would take away what others use.
 */
export function isBuildStale() {
  if (process.env['HEARTH_IS_BUILT'] === '1') return false;
  const builtAtMs = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return sources.some((source) => newestMs(join(projectDir, source)) > builtAtMs);
}
