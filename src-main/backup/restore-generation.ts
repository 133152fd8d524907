/** By which clients tell an organization of after a restore from the one of before. */
import { randomBytes } from 'node:crypto';
import { epochBytes, type OfficeKey } from '#node/tls/server-identity.ts';
import type { EpochRow } from '#service/db/port.ts';

/** The epoch after another one. @param officeKey  undefined for an office that has none */
export function nextEpoch(
  before: Pick<EpochRow, 'n' | 'id'> | undefined,
  nowSeconds: number,
  officeKey: Pick<OfficeKey, 'sign'> | undefined,
): EpochRow {
  const epoch = {
    // The later one of two restores of one copy wins, whichever computer it was made on.
    n: Math.max((before?.n ?? 0) + 1, nowSeconds),
    id: randomBytes(16).toString('hex'),
    parent: before?.id ?? '',
  };
  const signature = officeKey?.sign('epoch', epochBytes(epoch));
  return { ...epoch, signature: signature ? Buffer.from(signature).toString('base64') : null };
}
