/** Files that are read again once they are written. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { archiveWords } from '#shared/i18n/archive-words.ts';
import type { Bytes } from './byte-reader.ts';

export async function* fileBytes(file: string): Bytes {
  const handle = await open(file, 'r');
  for await (const chunk of handle.createReadStream()) yield chunk as Uint8Array;
}

/** SHA-256, in hexadecimal digits. */
export async function digestOf(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    hash.update(chunk);
  }
  return hash.digest('hex');
}

/**
 * A new file for its owner alone, flushed and read again.
 * @returns its SHA-256, in hexadecimal digits
 * @throws ExplainedError where it is not what was written
 */
export async function writeChecked(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const handle = await open(file, 'wx', 0o600);
  const writing = async function* (): Bytes {
    for await (const chunk of bytes) {
      await handle.writeFile(chunk);
      yield chunk;
    }
  };
  let written: string;
  try {
    written = await digestOf(writing(), signal);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if ((await digestOf(fileBytes(file), signal)) === written) return written;
  throw new ExplainedError(archiveWords('disk_gives_other_bytes', { file }));
}
