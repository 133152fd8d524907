/** Where an office keeps its key when no keychain does, and the mark by which it knows that it had one. */
import { join } from 'node:path';
import {
  makeServerIdentity,
  IDENTITY_KEY_FILE,
  FINGERPRINT_FILE,
  type ServerIdentity,
  readServerIdentity,
} from '#node/tls/server-identity.ts';
import { readIfThere } from '#node/files/read-if-exists.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { serviceWords } from '#shared/i18n/service-words.ts';
import { makePrivateFile } from './private-file.ts';

/** There is no key that fits the data folder. */
export class ServerIdentityError extends ExplainedError {
  override readonly name = 'OfficeKeyError';
}

/** Undefined where there is no file. @throws ServerIdentityError where it is damaged */
export async function readIdentityKeyFile(dataDir: string): Promise<ServerIdentity | undefined> {
  const file = join(dataDir, IDENTITY_KEY_FILE);
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  const key = readServerIdentity(text.toString('latin1').trim());
  if (key !== undefined) return key;
  throw new ServerIdentityError(serviceWords('identity_key_damaged', { file }));
}

/**
 * The identity key of the organization in this folder. One that has none yet, which may be an office of before there were keys, gets
 * one; an office whose key is lost does not: its people would find a stranger at its address.
 * @param given  from a keychain; null for the file of the folder
 * @throws ServerIdentityError where the key is lost, damaged or another office's
 */
export async function loadServerIdentity(
  dataDir: string,
  given: ServerIdentity | null,
): Promise<ServerIdentity> {
  const marked = await readIfThere(join(dataDir, FINGERPRINT_FILE));
  const key = given ?? (await readIdentityKeyFile(dataDir));
  const pin = marked?.toString('latin1').trim();
  if (key !== undefined && (pin === undefined || pin === key.fingerprint)) {
    if (pin === undefined) await writeFingerprint(dataDir, key);
    return key;
  }
  if (pin !== undefined) throw identityKeyMissing(dataDir, key !== undefined);
  const made = makeServerIdentity();
  await makePrivateFile(join(dataDir, IDENTITY_KEY_FILE), Buffer.from(`${made.exported()}\n`));
  const kept = await readIdentityKeyFile(dataDir);
  if (kept === undefined) throw new Error(`${IDENTITY_KEY_FILE} vanished after it was written`);
  await writeFingerprint(dataDir, kept);
  return kept;
}

const writeFingerprint = (dataDir: string, { fingerprint }: ServerIdentity): Promise<void> =>
  makePrivateFile(join(dataDir, FINGERPRINT_FILE), Buffer.from(`${fingerprint}\n`));

function identityKeyMissing(dataDir: string, isAnother: boolean): ServerIdentityError {
  const where = { folder: dataDir, mark: FINGERPRINT_FILE };
  return new ServerIdentityError(
    isAnother
      ? serviceWords('identity_key_other', where)
      : serviceWords('identity_key_lost', { ...where, file: IDENTITY_KEY_FILE }),
  );
}
