/**
 * Files beside the archives of a folder, each sealed by itself and there once, however many archives name it. The name
 * says by a keyed digest what is in it, which nobody can guess without the key, and by the digest of its own bytes
 * whether it is still whole. What packing makes smaller is packed before it is sealed: the sum of what was uploaded tells.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { flushDirectory } from '#node/files/durable-files.ts';
import { codeOf } from '#node/error-code.ts';
import { sealStream } from './age.ts';
import { digestOf, fileBytes, writeChecked } from './checked-file.ts';
import { gzipBytes, isWorthPacking } from './gzip.ts';
import type { TarSource } from './tar.ts';

/** Below the folder of the archives. */
export const STORED_FILES = 'hearth-files';

/** Both digests are cut to 128 bits. */
const NAME = /^([0-9a-f]{32})-([0-9a-f]{32})\.age$/;
const DIGEST_LENGTH = 32;

export interface StoredFile {
  /** In the data folder, with `/` between folders. */
  readonly path: string;
  readonly sizeBytes: number;
  /** The sum of what was uploaded, in hexadecimal digits. */
  readonly sha256: string;
  /** Below `STORED_FILES`, in the folder of its first two digits. */
  readonly name: string;
}

export const isStoredName = (name: string): boolean => NAME.test(name);

export const storedPath = (folder: string, name: string): string =>
  join(folder, STORED_FILES, name.slice(0, 2), name);

/** What says what is in it. */
const contentOf = (name: string): string => name.slice(0, DIGEST_LENGTH);

export interface StorageJob {
  /** Where the archives are. */
  readonly folder: string;
  /** Names are digests by it. */
  readonly key: Uint8Array;
  /** `age1…` */
  readonly recipient: string;
  readonly signal: AbortSignal;
}

const keyedDigest = ({ key, recipient }: StorageJob, sha256: string): string =>
  createHmac('sha256', key)
    .update(`hearth stored file\n${recipient}\n${sha256}`)
    .digest('hex')
    .slice(0, DIGEST_LENGTH);

const namesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });

/** The one that is there and whole; what is there and damaged is removed. */
async function findWhole(
  { signal }: StorageJob,
  folder: string,
  digest: string,
): Promise<string | undefined> {
  for (const name of await namesIn(folder)) {
    const [, of, own] = NAME.exec(name) ?? [];
    if (of !== digest) continue;
    const file = join(folder, name);
    if ((await digestOf(fileBytes(file), signal)).slice(0, DIGEST_LENGTH) === own) {
      // Young, so that no other process takes it for one that nobody needs.
      const now = new Date();
      await utimes(file, now, now);
      return name;
    }
    await rm(file);
  }
  return undefined;
}

async function write(storing: StorageJob, source: TarSource, digest: string): Promise<string> {
  const folder = join(storing.folder, STORED_FILES, digest.slice(0, 2));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const partial = join(folder, `${randomUUID()}.partial`);
  try {
    const isPacked = await isWorthPacking(source.open());
    const bytes = isPacked ? gzipBytes(source.open()) : source.open();
    const sealed = await sealStream(bytes, source.sizeBytes, storing.recipient);
    const written = await writeChecked(partial, sealed.bytes, storing.signal).finally(
      sealed.release,
    );
    const name = `${digest}-${written.slice(0, DIGEST_LENGTH)}.age`;
    await rename(partial, join(folder, name));
    await flushDirectory(folder);
    return name;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Seals what is not there yet; what is there is read again. @throws ExplainedError, and what the disk throws */
export async function storeFiles(
  storing: StorageJob,
  sources: readonly TarSource[],
): Promise<readonly StoredFile[]> {
  const stored: StoredFile[] = [];
  /** What two have in them is read and named once. */
  const names = new Map<string, string>();
  for (const source of sources) {
    const sha256 = await digestOf(source.open(), storing.signal);
    const digest = keyedDigest(storing, sha256);
    const folder = join(storing.folder, STORED_FILES, digest.slice(0, 2));
    const name =
      names.get(digest) ??
      (await findWhole(storing, folder, digest)) ??
      (await write(storing, source, digest));
    names.set(digest, name);
    stored.push({ path: source.name, sizeBytes: source.sizeBytes, sha256, name });
  }
  if (stored.length > 0) await flushDirectory(join(storing.folder, STORED_FILES));
  return stored;
}

/** All that have the same in them: one that was found damaged is there anew, under another name. */
export async function storedPaths(folder: string, name: string): Promise<readonly string[]> {
  const names = await namesIn(join(folder, STORED_FILES, name.slice(0, 2)));
  return names
    .filter((each) => isStoredName(each) && contentOf(each) === contentOf(name))
    .map((each) => storedPath(folder, each));
}

/** Another process may be about to name a file that no archive names yet. */
const YOUNG_MS = 24 * 60 * 60_000;

/** Removes what no archive names. @param named  names of all that an archive of the folder needs */
export async function removeUnreferenced(
  folder: string,
  named: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  const root = join(folder, STORED_FILES);
  const contents = new Set([...named].map(contentOf));
  for (const part of await namesIn(root)) {
    for (const name of await namesIn(join(root, part))) {
      if (isStoredName(name) && contents.has(contentOf(name))) continue;
      const file = join(root, part, name);
      const { mtimeMs } = await stat(file);
      if (now.getTime() - mtimeMs > YOUNG_MS) await rm(file);
    }
  }
}
