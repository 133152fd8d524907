/**
 * Files that a window handed over to be uploaded: by where they are on the disk, or piece by piece into a file of the profile
 * where they are nowhere else.
 */
import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { FilePiece } from '#shared/bridge/models/client.ts';
import { failure, type Outcome, success } from '#shared/bridge/outcome.ts';
import type { FileSource, HeldFiles } from '#client/ports.ts';
import { uploadGone } from '#client/uploads/background-uploads.ts';
import { codeOf, isDiskFull } from '#node/error-code.ts';
import { writeAt } from '#node/files/write-at.ts';
import { stderrLog } from '#node/log.ts';
import { createProfileFile, type ProfileFile } from './profile-file.ts';

export interface DesktopHeldFiles extends HeldFiles {
  /** Fails where there is no file that can be read. */
  readonly holdPath: (uploadId: string, path: string) => Promise<Outcome<null>>;
  /** The next piece of one that is nowhere on the disk; the first one is at 0. */
  readonly holdPiece: (uploadId: string, piece: FilePiece) => Promise<Outcome<null>>;
}

/** Whoever has not come back to an upload by then attaches its file again. */
const FORGOTTEN_AFTER_SECONDS = 7 * 24 * 60 * 60;

const HeldFile = z.object({
  /** One in the profile's own folder goes with the upload. */
  path: z.string(),
  /** Null where all of it is there. */
  nextOffset: z.int().nullable(),
  atSeconds: z.int(),
});
type HeldFile = z.infer<typeof HeldFile>;

export const StoredHeldFiles = z.object({ files: z.record(z.string(), HeldFile) });

const notRead = (message: string): Outcome<never> => failure('FILE_NOT_READ', message);
const changed = failure(
  'FILE_CHANGED',
  'The file was changed while it was being sent. Try again to send it as it is now.',
);
const noRoom = failure(
  'DISK_FULL',
  'The disk of this computer has no room for it. Free some space and attach it again.',
);

function problemOf(error: unknown): Outcome<never> {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return notRead('The file is no longer where it was. Attach it again.');
    case 'EACCES':
    case 'EPERM':
      return notRead('You may not read this file.');
    default:
      return notRead('The file could not be read. Try again, or attach a copy of it.');
  }
}

const versionOf = ({ size, mtimeMs }: Stats): string => `${String(size)} ${String(mtimeMs)}`;

interface OpenedFile {
  readonly file: FileHandle;
  readonly found: Stats;
}

/** Whatever else is there could keep whoever reads it waiting for ever. */
async function openFile(path: string): Promise<Outcome<OpenedFile>> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await file.stat();
    if (found.isFile()) return success({ file, found });
    await file.close();
    return notRead(
      found.isDirectory()
        ? 'This is a folder. Pack it into one file first.'
        : 'This is no file that can be sent.',
    );
  } catch (error) {
    return problemOf(error);
  }
}

async function openSource(path: string): Promise<Outcome<FileSource>> {
  const opened = await openFile(path);
  if (!opened.ok) return opened;
  const { file, found } = opened.value;
  const version = versionOf(found);
  // One for all pieces: new ones would pile up until they are collected.
  let buffer = new Uint8Array(0);
  return success({
    sizeBytes: found.size,
    version,
    read: async (from, to) => {
      if (buffer.length < to - from) buffer = new Uint8Array(to - from);
      const part = buffer.subarray(0, to - from);
      try {
        const isWhole = await fill(file, part, from);
        return isWhole && versionOf(await file.stat()) === version ? success(part) : changed;
      } catch (error) {
        return problemOf(error);
      }
    },
    close: () => file.close(),
  });
}

/** @returns false where the file has ended before */
async function fill(file: FileHandle, part: Uint8Array, from: number): Promise<boolean> {
  for (let got = 0; got < part.length;) {
    const { bytesRead } = await file.read(part, got, part.length - got, from + got);
    if (bytesRead === 0) return false;
    got += bytesRead;
  }
  return true;
}

async function append(path: string, { offset, bytes }: FilePiece): Promise<void> {
  const file = await open(path, offset === 0 ? 'wx' : 'r+', 0o600);
  try {
    await writeAt(file, bytes, offset);
  } finally {
    await file.close();
  }
}

const isOld = ({ atSeconds }: HeldFile): boolean =>
  atSeconds < Date.now() / 1000 - FORGOTTEN_AFTER_SECONDS;

/** What is known of held files, here and on the disk. */
class HeldFileList {
  readonly #folder: string;
  readonly #file: ProfileFile<z.infer<typeof StoredHeldFiles>>;
  readonly #held = new Map<string, HeldFile>();
  readonly ready: Promise<void>;

  constructor(profileDir: string, folder: string) {
    this.#folder = folder;
    this.#file = createProfileFile(profileDir, 'held-files.json', StoredHeldFiles, {
      log: stderrLog,
    });
    // A list that cannot be read is one without entries.
    this.ready = this.#load().catch(() => undefined);
  }

  find(uploadId: string): HeldFile | undefined {
    return this.#held.get(uploadId);
  }

  /** Settles when the next start would know of it. */
  async put(uploadId: string, file: Omit<HeldFile, 'atSeconds'>): Promise<void> {
    this.#held.set(uploadId, { ...file, atSeconds: Math.floor(Date.now() / 1000) });
    if (file.nextOffset === null) await this.#save();
  }

  remove(uploadId: string): void {
    const file = this.#held.get(uploadId);
    if (file === undefined) return;
    this.#held.delete(uploadId);
    void this.#save();
    // What cannot be removed now goes with the next start.
    if (dirname(file.path) === this.#folder) rm(file.path, { force: true }).catch(() => undefined);
  }

  async #load(): Promise<void> {
    const stored = Object.entries((await this.#file.read())?.files ?? {});
    for (const [uploadId, file] of stored) {
      if (!isOld(file)) this.#held.set(uploadId, file);
    }
    const known = new Set([...this.#held.values()].map(({ path }) => path));
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      if (!known.has(path)) await rm(path, { force: true });
    }
  }

  async #save(): Promise<void> {
    const whole = [...this.#held].filter(([, { nextOffset }]) => nextOffset === null);
    // The upload goes on all the same; only the next start would not know of it.
    await this.#file.write({ files: Object.fromEntries(whole) }).catch(() => undefined);
  }
}

export function createHeldFiles(profileDir: string): DesktopHeldFiles {
  const folder = join(profileDir, 'uploads');
  const list = new HeldFileList(profileDir, folder);
  return {
    holdPath: async (uploadId, path) => {
      const opened = await openFile(path);
      if (!opened.ok) return opened;
      await opened.value.file.close();
      await list.ready;
      await list.put(uploadId, { path, nextOffset: null });
      return success(null);
    },
    holdPiece: async (uploadId, piece) => {
      const { offset, bytes, isLast } = piece;
      await list.ready;
      if (offset === 0) list.remove(uploadId);
      const before = list.find(uploadId);
      // It was given up meanwhile.
      if (offset !== (before?.nextOffset ?? 0)) return uploadGone;
      const path = before?.path ?? join(folder, randomUUID());
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await append(path, piece);
      } catch (error) {
        list.remove(uploadId);
        return isDiskFull(error) ? noRoom : problemOf(error);
      }
      await list.put(uploadId, { path, nextOffset: isLast ? null : offset + bytes.length });
      return success(null);
    },
    open: async (uploadId) => {
      await list.ready;
      const file = list.find(uploadId);
      return file?.nextOffset === null ? openSource(file.path) : uploadGone;
    },
    release: (uploadId) => {
      list.remove(uploadId);
    },
  };
}
