/** gzip (RFC 1952), which every system opens. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip, createGzip, gzip } from 'node:zlib';
import { ArchiveError } from './archive-error.ts';
import { archiveWords } from '#shared/i18n/archive-words.ts';
import { byteReader, type Bytes } from './byte-reader.ts';
import { fileBytes } from './checked-file.ts';

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

/** Packs what is read. */
export async function* gzipBytes(bytes: Bytes): Bytes {
  const packed = createGzip({ level: LEVEL });
  // Whoever reads hears of an error by `packed`.
  pipeline(bytes, packed).catch(() => undefined);
  yield* packed as AsyncIterable<Buffer>;
}

/** How much of a file shows what packing does to the rest of it. */
const SAMPLE_BYTES = 64 * 1024;

/** Of its length: what stays longer than this is not worth unpacking. */
const WORTH_PACKING = 0.9;

/** Pictures, films, archives and documents are mostly packed already: those stay as they are. */
export async function isWorthPacking(bytes: Bytes): Promise<boolean> {
  const sample = await byteReader(bytes).take(SAMPLE_BYTES);
  await bytes.return(undefined);
  const packed = await promisify(gzip)(sample, { level: LEVEL });
  return packed.length <= WORTH_PACKING * sample.length;
}

const damaged = (cause?: unknown): ArchiveError =>
  new ArchiveError('damaged', archiveWords('archive_packed_part_damaged'), cause);

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
