/** An organization whose computer of before is in other hands goes on with the key that was sealed for that. */
import { join } from 'node:path';
import { type ServerKeys, readRecoveryKit, replaceRecoveryKit } from './archive/recovery-kit.ts';
import { databaseIn } from '#node/files/data-folder.ts';
import { pathExists } from '#node/files/exists.ts';
import { replacePrivately } from '#node/files/durable-files.ts';
import {
  IDENTITY_KEY_FILE,
  FINGERPRINT_FILE,
  readServerIdentity,
  SECRET_FILE,
} from '#node/tls/server-identity.ts';
import { endStolen } from '#service/db/sqlite/restored.ts';
import type { RestoreGenerationRow } from '#service/db/port.ts';
import { nextRestoreGeneration } from './restore-generation.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import { checkOrganization, explainError } from './collect.ts';
import { openSealedKeys } from './recovery-keys.ts';
import { keysAfterTheft, withSealedKeys } from './next-identity-key.ts';

export interface RekeyedOrganization {
  /** By which the organization is known from now on. */
  readonly fingerprint: string;
  readonly restoreGeneration: RestoreGenerationRow;
}

/** The sealed ones last: interrupted before, the same code does the rest. */
async function replaceKeys(
  dataDir: string,
  keys: ServerKeys & { readonly officeKey: string },
  pin: string,
): Promise<void> {
  await replacePrivately(join(dataDir, SECRET_FILE), Buffer.from(keys.secret, 'hex'));
  await replacePrivately(join(dataDir, IDENTITY_KEY_FILE), `${keys.officeKey}\n`);
  await replacePrivately(join(dataDir, FINGERPRINT_FILE), `${pin}\n`);
  const kit = await readRecoveryKit(dataDir);
  if (kit !== undefined) await replaceRecoveryKit(dataDir, await withSealedKeys(kit, keys));
}

async function checkFolder(dataDir: string): Promise<void> {
  await checkOrganization(dataDir);
  if (!(await pathExists(join(dataDir, SECRET_FILE)))) {
    throw new ExplainedError(backupWords('keys_in_keychain', { folder: dataDir }));
  }
}

/**
 * Nobody may serve the folder meanwhile. Everybody signs in anew afterwards, and only to who has the new key.
 * @param code  as `readRecoveryCode` answers it
 * @throws errors of one sentence
 */
export async function declareStolen(
  { dataDir, code }: { readonly dataDir: string; readonly code: string },
  now: Date,
): Promise<RekeyedOrganization> {
  await checkFolder(dataDir);
  const keys = keysAfterTheft(await openSealedKeys(dataDir, code));
  const officeKey = readServerIdentity(keys.officeKey);
  if (officeKey === undefined) throw new Error('the key that was sealed is none');
  const nowSeconds = Math.floor(now.getTime() / 1000);
  try {
    const restoreGeneration = await endStolen(
      databaseIn(dataDir),
      {
        nextRestoreGeneration: (before) => nextRestoreGeneration(before, nowSeconds, officeKey),
        now: nowSeconds,
      },
      () => replaceKeys(dataDir, keys, officeKey.fingerprint),
    );
    return { fingerprint: officeKey.fingerprint, restoreGeneration };
  } catch (error) {
    throw explainError(error, dataDir);
  }
}
