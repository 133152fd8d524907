/** What the audit log keeps of a deed (API decisions 15.9). */
import type { AuditDetails, AuditType } from '#shared/api/models/audit.ts';
import { organizationSettings } from '#shared/api/models/organization-settings.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { ActionSource } from '#service/core/ports/handlers.ts';
import type { NewEntry } from '#service/db/port.ts';

/** To what it was done. */
interface AuditSubject {
  readonly userId?: number | null;
  readonly streamId?: number | null;
  readonly details?: AuditDetails;
  /** Where the deed itself makes somebody known. */
  readonly actorId?: number;
}

export type AuditEntryMaker = (type: AuditType, done?: AuditSubject) => NewEntry;

/** Makes the entries of one deed. */
export const auditEntryMaker =
  (
    { nowSeconds }: { readonly nowSeconds: () => number },
    { caller, address, client }: ActionSource,
  ): AuditEntryMaker =>
  (entry, { userId = null, streamId = null, details = {}, actorId } = {}) => ({
    entry,
    at: nowSeconds(),
    actorId: actorId ?? caller?.userId ?? null,
    address,
    client,
    userId,
    streamId,
    details,
  });

const MAX_IDS_PER_ENTRY = 500;

/** As many in each as one entry may name. */
export const inBatches = (ids: readonly number[]): readonly number[][] =>
  Array.from({ length: Math.ceil(ids.length / MAX_IDS_PER_ENTRY) }, (_, index) => {
    const from = index * MAX_IDS_PER_ENTRY;
    return ids.slice(from, from + MAX_IDS_PER_ENTRY);
  });

/** Names accounts that were put somewhere or taken out: one alone is found by its id. */
export const entriesOfUsers = (
  note: AuditEntryMaker,
  type: AuditType,
  userIds: readonly number[],
  { streamId, name }: { readonly streamId?: number; readonly name: string },
): readonly NewEntry[] =>
  inBatches(userIds).map((part) => {
    const userId = userIds.length === 1 ? (userIds[0] ?? null) : null;
    return note(type, { userId, streamId: streamId ?? null, details: { name, user_ids: part } });
  });

const { least, most } = organizationSettings.settings.audit_log_retention_days;

/** How long entries are kept. @throws BAD_REQUEST */
export function checkRetention(days: number): void {
  if (days >= least && days <= most) return;
  throw refusal('audit_days_invalid', { least, most, days });
}
