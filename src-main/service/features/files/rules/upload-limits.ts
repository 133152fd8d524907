/** How large an uploaded file may be: as the organization decided, else as the installation allows. */
import { refusal } from '#shared/api/refusal.ts';
import { organizationSettings } from '#shared/api/models/organization-settings.ts';
import type { Limits } from '#shared/limits.ts';
import type { RealmRow } from '#service/db/port.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';

const MIB = 1024 ** 2;
const { least, most } = organizationSettings.settings.max_file_upload_size;

/** @throws BAD_REQUEST */
export function checkUploadMib(mib: number): void {
  if (mib >= least && mib <= most) return;
  throw refusal('upload_limit_invalid', { highest: most, value: mib });
}

/** @throws BAD_REQUEST */
export function checkUploadBytes(sizeBytes: number, maxBytes: number): void {
  if (sizeBytes <= maxBytes) return;
  throw refusal('upload_too_large', { limit: Math.floor(maxBytes / MIB) });
}

export function mostUploadBytes(
  realm: Pick<RealmRow, 'settings'> | undefined,
  { uploadBytes }: Pick<Limits, 'uploadBytes'>,
): number {
  const { max_file_upload_size: mib } = realmSettings(realm);
  return mib === null ? uploadBytes : mib * MIB;
}

/** As clients are told: whole MiB, at least one. */
export const mostUploadMib = (
  realm: Pick<RealmRow, 'settings'> | undefined,
  limits: Pick<Limits, 'uploadBytes'>,
): number => Math.max(1, Math.floor(mostUploadBytes(realm, limits) / MIB));
