/** A folder in which a person exports what is theirs. */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExportFolder } from '#client/ports.ts';
import { flushDirectory } from '#node/files/durable-files.ts';
import { codeOf } from '#node/error-code.ts';
import { createFileTarget } from './file-target.ts';

const MAX_TRIES = 1000;

/** The first of `NAME`, `NAME 2`, `NAME 3` … that is free, in its partial form. */
async function makeFolder(path: string): Promise<{ partial: string; named: string }> {
  for (let count = 1; ; count += 1) {
    const named = count === 1 ? path : `${path} ${String(count)}`;
    const partial = `${named}.partial`;
    try {
      await mkdir(named, { mode: 0o700 });
      await mkdir(partial, { mode: 0o700 });
      return { partial, named };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' || count === MAX_TRIES) throw error;
    }
  }
}

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A new folder beside what is there, which has its content at once when it is whole. */
export async function createExportFolder(into: string, name: string): Promise<ExportFolder> {
  const { partial, named } = await makeFolder(join(into, name));
  return {
    write: (path, content) => write(join(partial, ...path.split('/')), content),
    create: async (path) => {
      const file = join(partial, ...path.split('/'));
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      return createFileTarget(file);
    },
    finish: async () => {
      // The empty one has only kept the name.
      await rm(named, { recursive: true });
      await rename(partial, named);
      await flushDirectory(into);
      return named;
    },
    remove: async () => {
      for (const folder of [partial, named]) await rm(folder, { recursive: true, force: true });
    },
  };
}
