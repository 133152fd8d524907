/** A packaged application, and what driving it takes. */
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { projectDir } from '../machine.ts';

const copies = new Map<string, Promise<string>>();

/**
 * Executable of a copy that a test can drive. Playwright reaches the main process through Node's inspector, which a
 * fuse of the package switches off; in the copy that one fuse is on, and all else is as it is shipped.
 */
export function drivableCopy(executable: string): Promise<string> {
  const copy = copies.get(executable) ?? copyOf(executable);
  copies.set(executable, copy);
  return copy;
}

async function copyOf(executable: string): Promise<string> {
  const folder = join(projectDir, 'node_modules', '.cache', 'drivable-package');
  const copy = join(folder, basename(executable));
  const stamp = join(folder, '.copied-from');
  const original = await identityOf(executable);
  if ((await readFile(stamp, 'utf8').catch(() => '')) === original) return copy;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(dirname(executable), folder, { recursive: true, preserveTimestamps: true });
  await flipFuses(`${copy}.bin`, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  await writeFile(stamp, original);
  return copy;
}

/** Changes when the application is packaged anew. */
async function identityOf(executable: string): Promise<string> {
  const archive = join(dirname(executable), 'resources', 'app.asar');
  const stats = await Promise.all([executable, archive].map((file) => stat(file)));
  return [executable, ...stats.map(({ mtimeMs, size }) => `${mtimeMs} ${size}`)].join('\n');
}
