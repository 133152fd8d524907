/** A file that is written as it comes, and has its name at once when it is whole. */
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileTarget } from '#client/ports.ts';
import { flushDirectory } from '#node/files/durable-files.ts';

/** @param path  one that is there is replaced when the new one is whole */
export async function createFileTarget(path: string): Promise<FileTarget> {
  const partial = `${path}.partial`;
  const file = await open(partial, 'w', 0o600);
  return {
    // From where the last one ended.
    write: (bytes) => file.writeFile(bytes),
    finish: async () => {
      await file.sync();
      await file.close();
      await rename(partial, path);
      await flushDirectory(dirname(path));
    },
    remove: async () => {
      await file.close().catch(() => undefined);
      await rm(partial, { force: true });
    },
  };
}
