/**
 * Files that a window handed over to be uploaded: by where they are on the disk, or piece by piece into a file of the profile
 * where they are nowhere else.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilePiece } from '#shared/bridge/models/client.ts';
import { failure, type Outcome, success } from '#shared/bridge/outcome.ts';
import type { FileSource, HeldFiles } from '#client/ports.ts';
import { uploadGone } from '#client/uploads/background-uploads.ts';
import { codeOf, isDiskFull } from '#node/error-code.ts';

export interface DesktopHeldFiles extends HeldFiles {
  /** Fails where there is no file that can be read. */
  readonly holdPath: (uploadId: string, path: string) => Promise<Outcome<null>>;
  /** The next piece of one that is nowhere on the disk; the first one is at 0. */
  readonly holdPiece: (uploadId: string, piece: FilePiece) => Promise<Outcome<null>>;
}

interface HeldFile {
  readonly path: string;
  /** It lies in the profile, and goes with the upload. */
  readonly isOwn: boolean;
  /** Null where all of it is there. */
  readonly nextOffset: number | null;
}

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

const versionOf = ({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }) =>
  `${String(size)} ${String(mtimeMs)}`;

/** Whatever else is there could keep whoever reads it waiting for ever. */
async function openFile(path: string): Promise<Outcome<FileHandle>> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await file.stat();
    if (found.isFile()) return success(file);
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
  const file = opened.value;
  const { size: sizeBytes, mtimeMs } = await file.stat();
  const version = versionOf({ size: sizeBytes, mtimeMs });
  // One for all pieces: new ones would pile up until they are collected.
  let buffer = new Uint8Array(0);
  return success({
    sizeBytes,
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
  for (let got = 0; got < part.length; ) {
    const { bytesRead } = await file.read(part, got, part.length - got, from + got);
    if (bytesRead === 0) return false;
    got += bytesRead;
  }
  return true;
}

async function append(path: string, { offset, bytes }: FilePiece): Promise<void> {
  const file = await open(path, offset === 0 ? 'wx' : 'r+', 0o600);
  try {
    for (let written = 0; written < bytes.length; ) {
      const length = bytes.length - written;
      written += (await file.write(bytes, written, length, offset + written)).bytesWritten;
    }
  } finally {
    await file.close();
  }
}

/** @param folder  what a start finds in it belongs to nobody any more */
export function createHeldFiles(folder: string): DesktopHeldFiles {
  const held = new Map<string, HeldFile>();
  // What cannot be removed is in nobody's way.
  const emptied = rm(folder, { recursive: true, force: true }).catch(() => undefined);

  function release(uploadId: string): void {
    const file = held.get(uploadId);
    held.delete(uploadId);
    // What cannot be removed now goes with the next start.
    if (file?.isOwn === true) rm(file.path, { force: true }).catch(() => undefined);
  }

  return {
    holdPath: async (uploadId, path) => {
      const opened = await openFile(path);
      if (!opened.ok) return opened;
      await opened.value.close();
      held.set(uploadId, { path, isOwn: false, nextOffset: null });
      return success(null);
    },
    holdPiece: async (uploadId, piece) => {
      const { offset, bytes, isLast } = piece;
      if (offset === 0) release(uploadId);
      const path = held.get(uploadId)?.path ?? join(folder, randomUUID());
      // It was given up meanwhile.
      if (offset !== (held.get(uploadId)?.nextOffset ?? 0)) return uploadGone;
      held.set(uploadId, { path, isOwn: true, nextOffset: isLast ? null : offset + bytes.length });
      try {
        await emptied;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await append(path, piece);
        return success(null);
      } catch (error) {
        release(uploadId);
        return isDiskFull(error) ? noRoom : problemOf(error);
      }
    },
    open: async (uploadId) => {
      const file = held.get(uploadId);
      return file?.nextOffset === null ? openSource(file.path) : uploadGone;
    },
    release,
  };
}
