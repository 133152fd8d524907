import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

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

async function readSecret(file: string): Promise<Uint8Array | undefined> {
  const secret = await readFile(file).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (secret === undefined || secret.length === SECRET_BYTES) return secret;
  throw new DamagedSecretError(
    `The file ${file} is damaged: restore it from a backup, or remove it so that everybody has to sign in anew.`,
  );
}

async function createSecret(file: string): Promise<Uint8Array> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writeDurably(temporary, randomBytes(SECRET_BYTES));
    // Unlike a rename, a link never replaces a file that another process has made in the meantime.
    await link(temporary, file).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error;
    });
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
  await flushDirectory(join(file, '..'));
  const secret = await readSecret(file);
  if (secret === undefined) throw new Error(`${file} vanished after it was written`);
  return secret;
}

async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Windows has no way to flush a directory, and needs none. */
async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
