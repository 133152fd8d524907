/** How much may be stored, by everybody and by one person with their bots (API decisions 13). */
import { refusal } from '#shared/api/refusal.ts';
import type { Limits } from '#shared/limits.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import type { Operation, Reading } from '#service/db/port.ts';
import { DiskFullError } from './disk-space.ts';

export type UploadLimits = Pick<Limits, 'uploadBytes' | 'personUploadBytes' | 'personUploads'>;

/** What was announced counts as if it had come. @throws REALM_UPLOAD_QUOTA */
export function* checkQuotas(
  tx: Reading,
  caller: Caller,
  sizeBytes: number,
  { personUploadBytes }: Pick<UploadLimits, 'personUploadBytes'>,
): Operation<void> {
  const { upload_quota: realmBytes } = realmSettings(yield* tx.findRealm());
  const announced = yield* tx.countUnfinishedUploads(null);
  if (
    realmBytes !== null &&
    (yield* tx.countUploadedBytes()) + announced.bytes + sizeBytes > realmBytes
  ) {
    throw refusal('organization_upload_quota_exceeded');
  }
  const personId = caller.ownerId ?? caller.userId;
  const own = yield* tx.countUnfinishedUploads(personId);
  const used = (yield* tx.countUploadedBytesOf(personId)) + own.bytes;
  if (used + sizeBytes > personUploadBytes) throw refusal('personal_upload_quota_exceeded');
}

/** @throws BAD_REQUEST */
export function* checkUnfinished(
  tx: Reading,
  caller: Caller,
  { personUploads }: Pick<UploadLimits, 'personUploads'>,
): Operation<void> {
  const { uploads } = yield* tx.countUnfinishedUploads(caller.ownerId ?? caller.userId);
  if (uploads < personUploads) return;
  throw refusal('too_many_unfinished_uploads', { count: uploads });
}

/** Does some work that writes; who finds no room on the disk is noted. */
export type StoringFiles = <T>(caller: Caller, work: () => Promise<T>) => Promise<T>;

export const tellingFullDisk =
  (noteFullDisk: (caller: Caller) => Promise<void>): StoringFiles =>
  async (caller, work) => {
    try {
      return await work();
    } catch (reason) {
      if (reason instanceof DiskFullError) await noteFullDisk(caller);
      throw reason;
    }
  };
