/** What was uploaded as it lies in an archive: packed with gzip where that makes it smaller. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Bytes } from './archive/byte-reader.ts';
import { fileBytes } from './archive/checked-file.ts';
import { gunzip, gzipFile, isWorthPacking } from './archive/gzip.ts';
import { ArchiveError } from './archive/archive-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import type { StoredFile } from './archive/stored-files.ts';
import type { TarEntry, TarSource } from './archive/tar.ts';
import { isSizedFile, readList } from './restore-stored-files.ts';

/** In the sealed office, before the first packed file: how long each of them is. */
export const PACKED_LIST = 'packed-files.json';

const FOLDER = 'packed/';
const ENDING = '.gz';

const packedName = (path: string): string => `${FOLDER}${path}${ENDING}`;

type SizedFile = Pick<StoredFile, 'path' | 'sizeBytes'>;

async function* textChunks(text: string): Bytes {
  yield Buffer.from(text);
}

export const textSource = (name: string, text: string): TarSource => ({
  name,
  sizeBytes: Buffer.byteLength(text),
  open: () => textChunks(text),
});

const pathIn = (folder: string, name: string): string => join(folder, ...name.split('/'));

async function fileSource(folder: string, name: string): Promise<TarSource> {
  const file = pathIn(folder, name);
  const { size: sizeBytes } = await stat(file);
  return { name, sizeBytes, open: () => fileBytes(file) };
}

export async function fileSources(
  folder: string,
  names: readonly string[],
): Promise<readonly TarSource[]> {
  const sources: TarSource[] = [];
  for (const name of names) sources.push(await fileSource(folder, name));
  return sources;
}

/** @param folder  where they are, and where the packed ones come */
export async function packFiles(
  folder: string,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly TarSource[]> {
  const sources: TarSource[] = [];
  const packed: SizedFile[] = [];
  for (const source of await fileSources(folder, names)) {
    signal.throwIfAborted();
    if (!(await isWorthPacking(source.open()))) {
      sources.push(source);
      continue;
    }
    const name = packedName(source.name);
    const into = pathIn(folder, name);
    await mkdir(dirname(into), { recursive: true, mode: 0o700 });
    await gzipFile(pathIn(folder, source.name), into, signal);
    sources.push(await fileSource(folder, name));
    packed.push({ path: source.name, sizeBytes: source.sizeBytes });
  }
  return [textSource(PACKED_LIST, JSON.stringify(packed)), ...sources];
}

/** @throws ArchiveError */
export async function readPackedList(entry: TarEntry): Promise<ReadonlyMap<string, number>> {
  const listed = await readList(entry, isSizedFile);
  return new Map(listed.map(({ path, sizeBytes }) => [packedName(path), sizeBytes]));
}

/** The file that it was. @param sizes  as `readPackedList` answers them @throws ArchiveError where they do not say how long it is */
export function unpackFile(entry: TarEntry, sizes: ReadonlyMap<string, number>): TarEntry {
  const { name, content } = entry;
  if (!name.startsWith(FOLDER)) return entry;
  const sizeBytes = sizes.get(name);
  if (sizeBytes === undefined) {
    throw new ArchiveError('damaged', backupWords('archive_file_length_missing', { file: name }));
  }
  const path = name.slice(FOLDER.length, -ENDING.length);
  return { name: path, sizeBytes, content: gunzip(content, sizeBytes) };
}
