import { randomBytes } from 'node:crypto';
import { readIfThere } from '#node/files/read-if-exists.ts';
import { makePrivateFile } from './private-file.ts';

const SECRET_BYTES = 32;

/** The file is there but cannot be the secret; the message says what to do. */
export class DamagedSecretError extends Error {
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
  throw new DamagedSecretError(
    `The file ${file} is damaged: restore it from a backup, or remove it so that everybody has to sign in anew.`,
  );
}

async function createSecret(file: string): Promise<Uint8Array> {
  await makePrivateFile(file, randomBytes(SECRET_BYTES));
  const secret = await readSecret(file);
  if (secret === undefined) throw new Error(`${file} vanished after it was written`);
  return secret;
}
