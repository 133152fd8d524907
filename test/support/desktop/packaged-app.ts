/** A packaged application, and what driving it takes. */
import { cp } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { madeOnce } from './made-once.ts';

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
  const archive = join(dirname(executable), 'resources', 'app.asar');
  const files = [executable, archive];
  const folder = await madeOnce({ name: 'drivable-package', files }, async (made) => {
    await cp(dirname(executable), made, { recursive: true, preserveTimestamps: true });
    await flipFuses(`${join(made, basename(executable))}.bin`, {
      version: FuseVersion.V1,
      [FuseV1Options.EnableNodeCliInspectArguments]: true,
    });
  });
  return join(folder, basename(executable));
}
