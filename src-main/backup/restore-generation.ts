/** By which clients tell an organization of after a restore from the one of before. */
import { randomBytes } from 'node:crypto';
import { restoreGenerationBytes, type ServerIdentity } from '#node/tls/server-identity.ts';
import type { RestoreGenerationRow } from '#service/db/port.ts';

/** The restore generation after another one. @param officeKey  undefined for an office that has none */
export function nextRestoreGeneration(
  before: Pick<RestoreGenerationRow, 'n' | 'id'> | undefined,
  nowSeconds: number,
  officeKey: Pick<ServerIdentity, 'sign'> | undefined,
): RestoreGenerationRow {
  const epoch = {
    // The later one of two restores of one copy wins, whichever computer it was made on.
    n: Math.max((before?.n ?? 0) + 1, nowSeconds),
    id: randomBytes(16).toString('hex'),
    parent: before?.id ?? '',
  };
  const signature = officeKey?.sign('epoch', restoreGenerationBytes(epoch));
  return { ...epoch, signature: signature ? Buffer.from(signature).toString('base64') : null };
}
