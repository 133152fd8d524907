/**
 * What a data folder keeps to seal archives with, and never to open them: whoever gets at the folder alone reads no
 * archive of before.
 */
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { codeOf } from '#node/error-code.ts';
import { flushDirectory } from '#node/files/durable-files.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { archiveWords } from '#shared/i18n/archive-words.ts';
import { createSealingKey, openWithPassphrase, encryptText, sealWithPassphrase } from './age.ts';
import { createRecoveryCode } from './recovery-code.ts';

/** What is known outside of the seal of the key that is to come after the office's own. */
export interface SealedNextKey {
  /** As clients are told it (API decisions 15.16). */
  readonly notice: {
    readonly pin: string;
    readonly office_key: string;
    readonly signature: string;
  };
  /** The digest of the keys beside which it is sealed: while these are the same, so is it. */
  readonly keysDigest: string;
}

export interface RecoveryKit {
  /** `age1…`: everything is sealed to it. */
  readonly recipient: string;
  /** The identity behind it, sealed by the recovery code: `code.age` of every archive. */
  readonly code: Uint8Array;
  /** The office's keys as they were sealed last: `keys.age`. A lost keychain is then no end. Null where there was none. */
  readonly keys: Uint8Array | null;
  /** The next identity key in `keys`; null where these have none. */
  readonly successor: SealedNextKey | null;
  /** Whether somebody has typed the code once again, and so has it. */
  readonly isCodeConfirmed: boolean;
}

export interface NewRecoveryKit {
  readonly kit: RecoveryKit;
  /** Thirteen words; they are kept nowhere. */
  readonly code: string;
}

const FORMAT = 1;

export const RECOVERY_KIT_FILE = 'recovery.json';

const fileOf = (dataDir: string): string => join(dataDir, RECOVERY_KIT_FILE);

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const textsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function parseSuccessor(value: unknown): SealedNextKey | null {
  const { notice, keysDigest } = textsOf(value);
  const { pin, office_key, signature } = textsOf(notice);
  if (typeof keysDigest !== 'string' || typeof pin !== 'string') return null;
  if (typeof office_key !== 'string' || typeof signature !== 'string') return null;
  return { notice: { pin, office_key, signature }, keysDigest };
}

function parseKit(text: string): RecoveryKit | undefined {
  const { format, recipient, code, keys, successor, isCodeConfirmed } = JSON.parse(
    text,
  ) as Readonly<Record<string, unknown>>;
  if (format !== FORMAT || typeof recipient !== 'string' || typeof code !== 'string') return;
  return {
    recipient,
    code: Buffer.from(code, 'base64'),
    keys: typeof keys === 'string' ? Buffer.from(keys, 'base64') : null,
    successor: parseSuccessor(successor),
    isCodeConfirmed: isCodeConfirmed === true,
  };
}

/** Undefined where the folder has none. @throws ExplainedError where what is there cannot be used */
export async function readRecoveryKit(dataDir: string): Promise<RecoveryKit | undefined> {
  const file = fileOf(dataDir);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    const kit = parseKit(text);
    if (kit !== undefined) return kit;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new ExplainedError(archiveWords('recovery_kit_damaged', { file }));
}

async function writeBeside(file: string, text: string): Promise<string> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return temporary;
}

const textOf = ({ recipient, code, keys, successor, isCodeConfirmed }: RecoveryKit): string =>
  JSON.stringify({
    format: FORMAT,
    recipient,
    code: base64(code),
    keys: keys && base64(keys),
    successor,
    isCodeConfirmed,
  });

/** In place of the one that is there. */
export async function replaceRecoveryKit(dataDir: string, kit: RecoveryKit): Promise<void> {
  const file = fileOf(dataDir);
  const temporary = await writeBeside(file, textOf(kit));
  try {
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await flushDirectory(dirname(file));
}

/** A new identity and a new code, written nowhere yet. */
export async function createRecoveryKit(): Promise<NewRecoveryKit> {
  const code = createRecoveryCode();
  const { identity, recipient } = await createSealingKey();
  const sealed = await sealWithPassphrase(`${identity}\n`, code);
  const kit = { recipient, code: sealed, keys: null, successor: null, isCodeConfirmed: false };
  return { kit, code };
}

export interface KnownRecoveryKit {
  readonly kit: RecoveryKit;
  /** The code of a kit that was made just now; null where the folder had one. */
  readonly newCode: string | null;
}

/** The folder's kit, made where there is none. Two processes that make it at once both get the same one. */
export async function loadRecoveryKit(dataDir: string): Promise<KnownRecoveryKit> {
  const known = await readRecoveryKit(dataDir);
  if (known !== undefined) return { kit: known, newCode: null };
  const { kit, code } = await createRecoveryKit();
  const file = fileOf(dataDir);
  const temporary = await writeBeside(file, textOf(kit));
  try {
    // Unlike a rename, a link never replaces a file that another process has made in the meantime.
    await link(temporary, file);
    await flushDirectory(dirname(file));
    return { kit, newCode: code };
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return await loadRecoveryKit(dataDir);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** What a host needs to go on as the same office. */
export interface ServerKeys {
  /** 64 hexadecimal digits: every API key is derived from it. */
  readonly secret: string;
  /** The private key of the office, as PKCS #8 in base64; null for an office that has none. */
  readonly officeKey: string | null;
  /** The same of the key that takes its place once it is stolen; it is nowhere else. Null where none was made yet. */
  readonly successorKey: string | null;
}

export const sealKeys = (keys: ServerKeys, recipient: string): Promise<Uint8Array> =>
  encryptText(`${JSON.stringify({ format: FORMAT, ...keys }, null, 2)}\n`, recipient);

/** @throws where these are no keys */
export function parseKeys(text: string): ServerKeys {
  const { secret, officeKey, successorKey } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (typeof secret !== 'string' || !/^[0-9a-f]{64}$/.test(secret)) {
    throw new ExplainedError(archiveWords('archive_keys_invalid'));
  }
  return {
    secret,
    officeKey: typeof officeKey === 'string' ? officeKey : null,
    successorKey: typeof successorKey === 'string' ? successorKey : null,
  };
}

/** The identity that a recovery code opens; undefined where it is another code. */
export async function openIdentity(sealed: Uint8Array, code: string): Promise<string | undefined> {
  const text = await openWithPassphrase(sealed, code);
  return text?.split('\n').find((line) => line.startsWith('AGE-SECRET-KEY-1'));
}
