import { randomBytes } from 'node:crypto';
import { link, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { flushDirectory } from '#node/files/durable-files.ts';
import { codeOf } from '#node/error-code.ts';

/**
 * Makes a file that only its owner can read, whole or not at all. Where another process makes it at once, its content
 * is left: what is there afterwards is what both have to read.
 */
export async function makePrivateFile(file: string, content: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writeDurably(temporary, content);
    // Unlike a rename, a link never replaces a file that another process has made in the meantime.
    await link(temporary, file).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
  await flushDirectory(join(file, '..'));
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
