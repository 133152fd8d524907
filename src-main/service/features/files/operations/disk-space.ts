/** A floor of free disk under uploads: a full disk would stop messages too (API decisions 13). */
import { ServiceError } from '#shared/api/errors.ts';
import { refusalOf } from '#shared/api/refusal.ts';
import type { Log } from '#node/log.ts';
import type { DiskRoom, FileStore } from '#service/core/ports/environment.ts';

const FLOOR_BYTES = 1024 ** 3;
/** A share of the whole disk: on a small one, the other floor would be most of it. */
const FLOOR_SHARE = 0.05;

const floorOf = ({ totalBytes }: Pick<DiskRoom, 'totalBytes'>): number =>
  Math.min(FLOOR_BYTES, totalBytes * FLOOR_SHARE);

/** Whether so much may be written, by what is free now. */
export const hasRoomFor = (sizeBytes: number, room: Omit<DiskRoom, 'folder'>): boolean =>
  room.freeBytes - sizeBytes >= floorOf(room);

/** Before people meet it: administrators read warnings in their window (API decisions 15.17). */
export async function warnOfFullDisk(
  { files }: { readonly files: Pick<FileStore, 'room'> },
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const room = await files.room();
  if (hasRoomFor(0, room)) return;
  log.warn(
    `the disk of ${room.folder} is almost full: files are refused, and messages as well once it is full. Delete something there, or move it to another disk`,
    { free: room.freeBytes },
  );
}

export class DiskFullError extends ServiceError {
  constructor() {
    super(...refusalOf('disk_almost_full'));
  }
}

/** How much is written before the disk is asked again: others write meanwhile, and not everybody knows how much will come. */
const LOOK_BYTES = 1024 ** 2;

/**
 * The same files, but none is written that would leave less than the floor: whatever writes then rejects with
 * REALM_UPLOAD_QUOTA.
 */
export const withFreeSpaceFloor = (files: FileStore): FileStore => {
  async function check(sizeBytes: number): Promise<void> {
    if (!hasRoomFor(sizeBytes, await files.room())) throw new DiskFullError();
  }
  return {
    ...files,
    async write(path, bytes) {
      await check(bytes.length);
      await files.write(path, bytes);
    },
    async writeFrom(path, offset, sizeBytes) {
      await check(sizeBytes);
      const writer = await files.writeFrom(path, offset, sizeBytes);
      let unseen = 0;
      return (
        writer && {
          ...writer,
          async write(bytes) {
            unseen += bytes.length;
            if (unseen > LOOK_BYTES) {
              await check(LOOK_BYTES);
              unseen = 0;
            }
            await writer.write(bytes);
          },
        }
      );
    },
  };
};
