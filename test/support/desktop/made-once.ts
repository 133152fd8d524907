import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from '../machine.ts';

/**
 * A folder of what takes long to make, as long as the files are the same that it is made of.
 *
 * @param make  is given an empty folder; of two at the same time, the work of one is dropped
 */
export async function madeOnce(
  { name, files }: { readonly name: string; readonly files: readonly string[] },
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const cache = join(projectDir, 'node_modules', '.cache', name);
  const id = await fingerprint(files);
  const folder = join(cache, id);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const earlier = (await readdir(cache)).filter((other) => !other.startsWith(id));
  for (const other of earlier) await rm(join(cache, other), { recursive: true, force: true });
  const made = await mkdtemp(join(cache, `${id}-`));
  await make(made);
  try {
    await rename(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    await rm(made, { recursive: true });
  }
  return folder;
}

async function fingerprint(files: readonly string[]): Promise<string> {
  const seen = files.toSorted().map(async (file) => {
    const { mtimeMs, size } = await stat(file);
    return `${file} ${mtimeMs} ${size}`;
  });
  const digest = createHash('sha256').update((await Promise.all(seen)).join('\n'));
  return digest.digest('hex').slice(0, 16);
}
