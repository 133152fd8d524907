import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  statfs,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { flushDirectory } from './durable-files.ts';
import { writeAt } from './write-at.ts';
import { codeOf } from '../error-code.ts';

const isMissing = (reason: unknown): boolean => codeOf(reason) === 'ENOENT';

interface Writer {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Files {
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>;
  readonly writeFrom: (path: string, offset: number) => Promise<Writer | undefined>;
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  readonly stream: (
    path: string,
    from: number,
    to: number,
  ) => Promise<AsyncIterable<Uint8Array> | undefined>;
  readonly remove: (path: string) => Promise<void>;
  readonly list: (folder: string) => Promise<readonly string[]>;
  readonly room: () => Promise<{
    readonly freeBytes: number;
    readonly totalBytes: number;
    readonly folder: string;
  }>;
}

async function createAt(place: string): Promise<FileHandle> {
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  const file = await open(place, 'w', 0o600);
  await flushDirectory(dirname(place));
  return file;
}

/** Undefined where there is none of at least that length. */
async function openFrom(place: string, offset: number): Promise<FileHandle | undefined> {
  const file = await open(place, 'r+').catch((reason: unknown) => {
    if (isMissing(reason)) return undefined;
    throw reason;
  });
  if (file === undefined || (await file.stat()).size >= offset) return file;
  await file.close();
  return undefined;
}

const writerTo = (file: FileHandle, offset: number): Writer => {
  let at = offset;
  return {
    async write(bytes) {
      await writeAt(file, bytes, at);
      at += bytes.length;
    },
    async close() {
      try {
        await file.datasync();
      } finally {
        await file.close();
      }
    },
  };
};

/** Files below a directory. Paths are made by the service, never taken from a request. */
export function createFileStore(directory: string): Files {
  const placeOf = (path: string): string => join(directory, ...path.split('/'));
  return {
    async write(path, bytes) {
      const place = placeOf(path);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      const file = await open(`${place}.part`, 'w', 0o600);
      try {
        await file.writeFile(bytes);
        // A message may link to it as soon as the upload was answered.
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${place}.part`, place);
      await flushDirectory(dirname(place));
    },
    async writeFrom(path, offset) {
      const place = placeOf(path);
      const file = offset === 0 ? await createAt(place) : await openFrom(place, offset);
      return file === undefined ? undefined : writerTo(file, offset);
    },
    async read(path) {
      try {
        return await readFile(placeOf(path));
      } catch (reason) {
        if (isMissing(reason)) return undefined;
        throw reason;
      }
    },
    async stream(path, from, to) {
      try {
        const file = await open(placeOf(path), 'r');
        if (from <= to) return file.createReadStream({ start: from, end: to });
        await file.close();
        return Readable.from([]);
      } catch (reason) {
        if (isMissing(reason)) return undefined;
        throw reason;
      }
    },
    async remove(path) {
      await rm(placeOf(path), { force: true });
    },
    async list(folder) {
      try {
        const entries = await readdir(placeOf(folder), { withFileTypes: true });
        return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      } catch (reason) {
        if (isMissing(reason)) return [];
        throw reason;
      }
    },
    async room() {
      const roomAt = async (folder: string) => {
        const { bavail, blocks, bsize } = await statfs(folder);
        return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, folder };
      };
      // The folder is made with its first file: on a full disk it could not be.
      return await roomAt(directory).catch((reason: unknown) => {
        if (isMissing(reason)) return roomAt(dirname(directory));
        throw reason;
      });
    },
  };
}
