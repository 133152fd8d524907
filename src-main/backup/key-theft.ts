/** An organization whose computer of before is in other hands goes on with the key that was sealed for that. */
import { join } from 'node:path';
import { type OfficeKeys, readRecoveryKit, replaceRecoveryKit } from './archive/recovery-kit.ts';
import { databaseIn } from '#node/files/data-folder.ts';
import { isThere } from '#node/files/exists.ts';
import { replacePrivately } from '#node/files/durable-files.ts';
import {
  OFFICE_KEY_FILE,
  OFFICE_PIN_FILE,
  readOfficeKey,
  SECRET_FILE,
} from '#node/tls/server-identity.ts';
import { endStolen } from '#service/db/sqlite/restored.ts';
import type { EpochRow } from '#service/db/port.ts';
import { nextEpoch } from './restore-generation.ts';
import { checkOrganization, explained, KeepingError } from './collect.ts';
import { openOwnKeys } from './recovery-keys.ts';
import { keysAfterTheft, withKeys } from './next-identity-key.ts';

export interface Rekeyed {
  /** By which the organization is known from now on. */
  readonly pin: string;
  readonly epoch: EpochRow;
}

/** The sealed ones last: interrupted before, the same code does the rest. */
async function replaceKeys(
  dataDir: string,
  keys: OfficeKeys & { readonly officeKey: string },
  pin: string,
): Promise<void> {
  await replacePrivately(join(dataDir, SECRET_FILE), Buffer.from(keys.secret, 'hex'));
  await replacePrivately(join(dataDir, OFFICE_KEY_FILE), `${keys.officeKey}\n`);
  await replacePrivately(join(dataDir, OFFICE_PIN_FILE), `${pin}\n`);
  const kit = await readRecoveryKit(dataDir);
  if (kit !== undefined) await replaceRecoveryKit(dataDir, await withKeys(kit, keys));
}

async function checkFolder(dataDir: string): Promise<void> {
  await checkOrganization(dataDir);
  if (!(await isThere(join(dataDir, SECRET_FILE)))) {
    throw new KeepingError(
      `The keys of the organization in ${dataDir} are in the keychain of a desktop: say it there, in Settings → Backups, or restore its newest archive with --stolen into a folder of its own.`,
    );
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
): Promise<Rekeyed> {
  await checkFolder(dataDir);
  const keys = keysAfterTheft(await openOwnKeys(dataDir, code));
  const officeKey = readOfficeKey(keys.officeKey);
  if (officeKey === undefined) throw new Error('the key that was sealed is none');
  const nowSeconds = Math.floor(now.getTime() / 1000);
  try {
    const epoch = await endStolen(
      databaseIn(dataDir),
      { epochAfter: (before) => nextEpoch(before, nowSeconds, officeKey), now: nowSeconds },
      () => replaceKeys(dataDir, keys, officeKey.pin),
    );
    return { pin: officeKey.pin, epoch };
  } catch (error) {
    throw explained(error, dataDir);
  }
}
