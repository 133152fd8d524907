/**
 * The part of the tar format (POSIX ustar) that archives are made of: plain files, and nothing else. Whatever else a tar
 * may hold, links, devices, paths that lead out of it, is refused by not being known.
 */
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { archiveWords } from '#shared/i18n/archive-words.ts';
import { type ByteReader, byteReader, type Bytes } from './byte-reader.ts';

const BLOCK = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
/** What eleven octal digits can say; above it GNU's binary form is written, which every tar of today reads. */
const MAX_OCTAL = 8 ** 11 - 1;

export interface TarFile {
  /** Below the folder that it is unpacked in, with `/` between folders. */
  readonly name: string;
  readonly sizeBytes: number;
}

export interface TarEntry extends TarFile {
  /** Can be read once, before the next entry is asked for. */
  readonly content: Bytes;
}

/** It is no tar, or holds what no archive of Hearth has. */
export class TarError extends ExplainedError {
  override readonly name = 'TarError';
}

const paddingOf = (sizeBytes: number): number => (BLOCK - (sizeBytes % BLOCK)) % BLOCK;

/** What a file takes in a tar: its header, itself, and what fills the last block. */
const spanOf = (sizeBytes: number): number => BLOCK + sizeBytes + paddingOf(sizeBytes);

/** The length of a tar of these files. */
export const tarSize = (files: readonly TarFile[]): number =>
  files.reduce((sum, { sizeBytes }) => sum + spanOf(sizeBytes), 2 * BLOCK);

/** Relative, with no step upwards, and with no character that means something to one of the systems. */
export const isSafeName = (name: string): boolean =>
  // eslint-disable-next-line no-control-regex -- they are what is refused
  !/[\u0000-\u001f\u007f\\:]/.test(name) &&
  name.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

function splitName(name: string): readonly [string, string] {
  if (Buffer.byteLength(name) <= NAME_BYTES) return [name, ''];
  for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
    const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)];
    const fits = Buffer.byteLength(prefix) <= PREFIX_BYTES && Buffer.byteLength(rest) <= NAME_BYTES;
    if (fits) return [rest, prefix];
  }
  throw new TarError(archiveWords('archived_file_name_too_long', { file: name }));
}

function writeSize(header: Buffer, sizeBytes: number): void {
  if (sizeBytes <= MAX_OCTAL) {
    header.write(sizeBytes.toString(8).padStart(11, '0'), 124, 'ascii');
    return;
  }
  header.writeUInt8(0x80, 124);
  header.writeBigUInt64BE(BigInt(sizeBytes), 128);
}

const sumOf = (header: Uint8Array): number =>
  // The checksum counts itself as eight spaces.
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);

/** What stands before a file's bytes. */
export function tarHeader({ name, sizeBytes }: TarFile, modifiedAtSeconds: number): Uint8Array {
  const header = Buffer.alloc(BLOCK);
  const [base, prefix] = splitName(name);
  header.write(base, 0, NAME_BYTES, 'utf8');
  header.write('0000600\u00000000000\u00000000000\u0000', 100, 'ascii');
  writeSize(header, sizeBytes);
  header.write(modifiedAtSeconds.toString(8).padStart(11, '0'), 136, 'ascii');
  header.write('0', 156, 'ascii');
  header.write('ustar\u000000', 257, 'ascii');
  header.write(prefix, 345, PREFIX_BYTES, 'utf8');
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\u0000 `, 148, 'ascii');
  return header;
}

/** What stands behind them. */
export const tarPadding = (sizeBytes: number): Uint8Array => new Uint8Array(paddingOf(sizeBytes));

export const tarEnd = (): Uint8Array => new Uint8Array(2 * BLOCK);

export interface TarSource extends TarFile {
  readonly open: () => Bytes;
}

/**
 * A tar of files, as it can be written.
 * @throws TarError where a file has another length than was said
 */
export async function* packTar(files: readonly TarSource[], modifiedAtSeconds: number): Bytes {
  for (const file of files) {
    yield tarHeader(file, modifiedAtSeconds);
    let sizeBytes = 0;
    for await (const chunk of file.open()) {
      sizeBytes += chunk.length;
      yield chunk;
    }
    if (sizeBytes !== file.sizeBytes) {
      throw new TarError(archiveWords('archived_file_changed', { file: file.name }));
    }
    yield tarPadding(sizeBytes);
  }
  yield tarEnd();
}

const textAt = (header: Buffer, from: number, length: number): string => {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? length : end).toString('utf8');
};

function sizeIn(header: Buffer): number {
  const size =
    header.readUInt8(124) === 0x80
      ? Number(header.readBigUInt64BE(128))
      : Number.parseInt(textAt(header, 124, 12).trim(), 8);
  if (!Number.isSafeInteger(size) || size < 0)
    throw new TarError(archiveWords('archived_file_length_damaged'));
  return size;
}

function readHeader(bytes: Uint8Array): TarFile {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (Number.parseInt(textAt(header, 148, 8).trim(), 8) !== sumOf(header)) {
    throw new TarError(archiveWords('archive_tar_damaged'));
  }
  const prefix = textAt(header, 345, PREFIX_BYTES);
  const name = `${prefix === '' ? '' : `${prefix}/`}${textAt(header, 0, NAME_BYTES)}`;
  if (!['0', ''].includes(textAt(header, 156, 1))) {
    throw new TarError(archiveWords('archive_entry_not_plain', { file: name }));
  }
  if (!isSafeName(name)) {
    throw new TarError(archiveWords('archive_entry_unsafe', { file: name }));
  }
  return { name, sizeBytes: sizeIn(header) };
}

/** Its files in order. @throws TarError for what is not understood; what it is read from may throw as well */
export async function* unpackTar(bytes: Bytes): AsyncGenerator<TarEntry> {
  try {
    yield* entriesOf(byteReader(bytes));
  } finally {
    // Whoever has enough of it in the middle lets go of the file.
    await bytes.return(undefined);
  }
}

async function* entriesOf(reader: ByteReader): AsyncGenerator<TarEntry> {
  for (;;) {
    const header = await reader.take(BLOCK);
    if (header.length < BLOCK) throw new TarError(archiveWords('archive_ends_early'));
    if (header.every((byte) => byte === 0)) return;
    const file = readHeader(header);
    let left = file.sizeBytes;
    const content = async function* (): Bytes {
      for await (const chunk of reader.pass(file.sizeBytes)) {
        left -= chunk.length;
        yield chunk;
      }
      if (left > 0) throw new TarError(archiveWords('archive_ends_early'));
    };
    yield { ...file, content: content() };
    // What was not asked for.
    for await (const chunk of reader.pass(left)) left -= chunk.length;
    const padding = await reader.take(paddingOf(file.sizeBytes));
    if (left > 0 || padding.length < paddingOf(file.sizeBytes)) {
      throw new TarError(archiveWords('archive_ends_early'));
    }
  }
}
