/** What lies in the data directory, and why it cannot be used there: in words for the person who starts the service. */
import { join } from 'node:path';
import type { Limits } from '#shared/limits.ts';
import { databaseIn } from '#node/files/data-folder.ts';
import { codeOf } from '#node/error-code.ts';
import { stderrLog } from '#node/log.ts';
import { StartError, type StartErrorCode } from '#node/start-error.ts';
import { SECRET_FILE, type ServerIdentity } from '#node/tls/server-identity.ts';
import { DamagedSecretError, loadSecret } from '#service/security/secret-file.ts';
import { loadServerIdentity, ServerIdentityError } from '#service/security/identity-key-file.ts';
import { type Store, StoreOpenError } from '#service/db/port.ts';
import { openStore } from '#service/db/sqlite/open.ts';
import { hostingWords } from '#shared/i18n/hosting-words.ts';
import { toldOf } from '#shared/i18n/explained-error.ts';

export async function readSecret(dataDir: string): Promise<Uint8Array> {
  const file = join(dataDir, SECRET_FILE);
  try {
    return await loadSecret(file);
  } catch (error) {
    if (error instanceof DamagedSecretError) throw new StartError('HOST_FAILED', toldOf(error));
    throw new StartError(
      'DATA_DIR_UNWRITABLE',
      hostingWords('secret_unusable', { file, code: codeOf(error) }),
      { cause: error },
    );
  }
}

/** @param given  what the desktop keeps in the keychain; null where the file has it */
export async function readIdentity(
  dataDir: string,
  given: ServerIdentity | null,
): Promise<ServerIdentity> {
  try {
    return await loadServerIdentity(dataDir, given);
  } catch (error) {
    if (error instanceof ServerIdentityError) throw new StartError('HOST_FAILED', toldOf(error));
    throw new StartError(
      'DATA_DIR_UNWRITABLE',
      hostingWords('identity_key_unusable', { folder: dataDir, code: codeOf(error) }),
      { cause: error },
    );
  }
}

/** A copy is made by processes that do not come at the keychain. */
export async function sealKeychainKeys(
  dataDir: string,
  secret: Uint8Array,
  identity: ServerIdentity,
): Promise<void> {
  const { sealHostKeys } = await import('#backup/sealed-copy.ts');
  const keys = { secret: Buffer.from(secret).toString('hex'), officeKey: identity.exported() };
  try {
    await sealHostKeys(dataDir, keys);
  } catch (error) {
    // No reason for keeping an office closed.
    stderrLog.warn('the keys for backups could not be saved', { reason: codeOf(error) });
  }
}

const storeCodes = {
  UNWRITABLE: 'DATA_DIR_UNWRITABLE',
  NEWER: 'DATABASE_NEWER',
  DAMAGED: 'DATABASE_DAMAGED',
  IN_USE: 'DATABASE_IN_USE',
} as const satisfies Record<StoreOpenError['code'], StartErrorCode>;

export async function openDatabase({
  dataDir,
  limits: { memoryBytes } = {},
  foreignWritesMs,
}: {
  readonly dataDir: string;
  readonly limits?: Partial<Limits>;
  readonly foreignWritesMs?: number;
}): Promise<Store> {
  try {
    return await openStore({
      file: databaseIn(dataDir),
      ...(memoryBytes === undefined ? {} : { messageBytes: memoryBytes }),
      ...(foreignWritesMs === undefined ? {} : { foreignWritesMs }),
    });
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error;
    throw new StartError(storeCodes[error.code], toldOf(error), { cause: error });
  }
}
