/** gzip (RFC 1952), which every system opens. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Bytes } from './byte-reader.ts';
import { fileBytes } from './checked-file.ts';
import { ArchiveError } from './read-archive.ts';

/** Takes less than half of the default's time, for a tenth more bytes. */
const LEVEL = 1;

/** Packs a file into a new one for its owner alone. */
export const gzipFile = (from: string, into: string, signal: AbortSignal): Promise<void> =>
  pipeline(
    fileBytes(from),
    createGzip({ level: LEVEL }),
    createWriteStream(into, { flags: 'wx', mode: 0o600 }),
    { signal },
  );

const damaged = (cause?: unknown): ArchiveError =>
  new ArchiveError('damaged', 'The archive is damaged (a packed part of it).', cause);

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

/**
 * @param sizeBytes  how long what was packed is
 * @throws ArchiveError where it is no gzip, or is longer or shorter than that; what `bytes` throw
 */
export async function* gunzip(bytes: Bytes, sizeBytes: number): Bytes {
  const unpacked = createGunzip();
  // Whoever reads hears of an error by `unpacked`.
  pipeline(bytes, unpacked).catch(() => undefined);
  let left = sizeBytes;
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      left -= chunk.length;
      if (left < 0) break;
      yield chunk;
    }
  } catch (error) {
    throw isZlibError(error) ? damaged(error) : error;
  }
  if (left !== 0) throw damaged();
}
