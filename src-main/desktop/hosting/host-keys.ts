/** The keys of the organization that lives on this computer: what its service is started with. */
import { randomBytes } from 'node:crypto';
import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import type { KeyStore } from '#client/ports.ts';
import { replacePrivately } from '#node/files/durable-files.ts';
import { codeOf } from '#node/error-code.ts';
import { readIfThere } from '#node/files/read-if-exists.ts';
import {
  makeServerIdentity,
  IDENTITY_KEY_FILE,
  FINGERPRINT_FILE,
  readServerIdentity,
  SECRET_FILE,
} from '#node/tls/server-identity.ts';
import { HOST_SECRET, IDENTITY_KEY } from '../system/keychain.ts';
import { catchingKeychain } from '#client/accounts/keychain.ts';
import { desktopWords } from '#shared/i18n/desktop-words.ts';

interface KeyLocation {
  readonly keys: KeyStore;
  readonly dataDir: string;
}

export interface Credentials {
  readonly secret: string;
  readonly officeKey: string;
}

const SECRET_BYTES = 32;
const wellFormed = /^[0-9a-f]{64}$/;

/** Fails with HOST_SECRET_MISSING where they belong in the keychain and are not there, and with NO_KEYCHAIN. */
export const credentialsOf = (place: KeyLocation): Promise<Outcome<Credentials>> =>
  catchingKeychain(async () => {
    const secret = await findOrMakeSecret(place);
    if (!secret.ok) return secret;
    const officeKey = await findOrMakeOfficeKey(place);
    return officeKey.ok ? success({ secret: secret.value, officeKey: officeKey.value }) : officeKey;
  });

/** Keys that were kept elsewhere, in place of what the keychain may have. @throws KeychainError */
export async function saveKeys(
  { keys }: Pick<KeyLocation, 'keys'>,
  { secret, officeKey }: { readonly secret: string; readonly officeKey: string | null },
): Promise<void> {
  if (officeKey === null) await keys.remove(IDENTITY_KEY);
  else await keys.save(IDENTITY_KEY, officeKey);
  await keys.save(HOST_SECRET, secret);
}

/** Forgets an organization that does not live here any more: what comes in its place brings its own. */
export async function forgetKeys({ keys }: Pick<KeyLocation, 'keys'>): Promise<void> {
  await keys.remove(HOST_SECRET);
  await keys.remove(IDENTITY_KEY);
}

/**
 * From the keychain into files of the folder, for who changes both together; the next start takes them back. At no moment
 * are they in neither place. Without effect where the keychain has none. @throws KeychainError
 */
export async function moveKeysToFiles({ keys, dataDir }: KeyLocation): Promise<void> {
  const secret = await keys.find(HOST_SECRET);
  if (secret === undefined) return;
  const officeKey = await keys.find(IDENTITY_KEY);
  if (officeKey !== undefined) {
    await replacePrivately(join(dataDir, IDENTITY_KEY_FILE), `${officeKey}\n`);
  }
  await replacePrivately(join(dataDir, SECRET_FILE), Buffer.from(secret, 'hex'));
  await forgetKeys({ keys });
}

/** Keys that nobody has seen yet: the organization goes on as another one, with what was written in it. */
export async function makeNewKeys({ keys, dataDir }: KeyLocation): Promise<void> {
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  await saveKeys({ keys }, { secret, officeKey: makeServerIdentity().exported() });
  await rm(join(dataDir, FINGERPRINT_FILE), { force: true });
}

/**
 * A folder that comes from a restore, or from a service without a window, has its keys in files. Where the keychain has
 * none they go there, and the files only when they are in it.
 */
async function adoptKeyFiles({ keys, dataDir }: KeyLocation): Promise<string | undefined> {
  const files = { secret: join(dataDir, SECRET_FILE), officeKey: join(dataDir, IDENTITY_KEY_FILE) };
  const secret = (await readIfThere(files.secret))?.toString('hex');
  if (secret === undefined || !wellFormed.test(secret)) return undefined;
  const exported = (await readIfThere(files.officeKey))?.toString('latin1').trim();
  if (exported !== undefined && readServerIdentity(exported) !== undefined) {
    await keys.save(IDENTITY_KEY, exported);
  }
  await keys.save(HOST_SECRET, secret);
  await rm(files.officeKey, { force: true });
  await rm(files.secret, { force: true });
  return secret;
}

/** The service's secret, made on first use: only where there are no keys yet, because all derive from it. */
async function findOrMakeSecret(place: KeyLocation): Promise<Outcome<string>> {
  const { keys, dataDir } = place;
  const kept = await keys.find(HOST_SECRET);
  if (kept !== undefined && wellFormed.test(kept)) return success(kept);
  const adopted = await adoptKeyFiles(place);
  if (adopted !== undefined) return success(adopted);
  if (await hasFiles(dataDir)) {
    return failure('HOST_SECRET_MISSING', desktopWords('hosting_secret_missing'));
  }
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  await keys.save(HOST_SECRET, secret);
  return success(secret);
}

/** Made with the organization, or at the next start for one that is older than that. */
async function findOrMakeOfficeKey({ keys, dataDir }: KeyLocation): Promise<Outcome<string>> {
  const kept = await keys.find(IDENTITY_KEY);
  if (kept !== undefined && readServerIdentity(kept) !== undefined) return success(kept);
  if (await isMarked(dataDir)) {
    return failure('HOST_SECRET_MISSING', desktopWords('identity_key_missing'));
  }
  const made = makeServerIdentity().exported();
  await keys.save(IDENTITY_KEY, made);
  return success(made);
}

/** Whether the service has run with a key already: it leaves its fingerprint. */
async function isMarked(dataDir: string): Promise<boolean> {
  try {
    await access(join(dataDir, FINGERPRINT_FILE));
    return true;
  } catch {
    return false;
  }
}

export async function hasFiles(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}
