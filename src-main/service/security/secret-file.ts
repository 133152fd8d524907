import { randomBytes } from 'node:crypto';
import { readIfThere } from '#node/files/read-if-exists.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { serviceWords } from '#shared/i18n/service-words.ts';
import { makePrivateFile } from './private-file.ts';

const SECRET_BYTES = 32;

/** The file is there but cannot be the secret. */
export class DamagedSecretError extends ExplainedError {
  override readonly name = 'DamagedSecretError';
}

/**
 * The secret from which every API key is derived, out of a file that only its owner can read. It is made on
 * first use, whole or not at all, and when two processes make it at once both get the same one.
 */
export async function loadSecret(file: string): Promise<Uint8Array> {
  return (await readSecret(file)) ?? (await createSecret(file));
}

/** Undefined where there is no file. @throws DamagedSecretError */
export async function readSecret(file: string): Promise<Uint8Array | undefined> {
  const secret = await readIfThere(file);
  if (secret === undefined || secret.length === SECRET_BYTES) return secret;
  throw new DamagedSecretError(serviceWords('secret_damaged', { file }));
}

async function createSecret(file: string): Promise<Uint8Array> {
  await makePrivateFile(file, randomBytes(SECRET_BYTES));
  const secret = await readSecret(file);
  if (secret === undefined) throw new Error(`${file} vanished after it was written`);
  return secret;
}
