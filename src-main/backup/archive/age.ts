/** Sealing in the format of age (age-encryption.org/v1), which programs other than this one open as well. */
import { ReadableStream as WebStream } from 'node:stream/web';
import type * as Age from 'age-encryption';
import type { Bytes } from './byte-reader.ts';

/**
 * How much work guessing a passphrase is, as a power of two: 32 MiB and a tenth of a second for each. The code has 132
 * random bits, of which nobody guesses one.
 */
const WORK_FACTOR = 15;

/** Loaded for whatever is first sealed or opened: sixty modules, none of which a start needs. */
const age = (): Promise<typeof Age> => import('age-encryption');

export interface SealingKey {
  /** `AGE-SECRET-KEY-1…`, with which everything is opened. */
  readonly identity: string;
  /** `age1…`, with which everything is sealed. */
  readonly recipient: string;
}

export async function createSealingKey(): Promise<SealingKey> {
  const { generateX25519Identity, identityToRecipient } = await age();
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

export const publicKeyOf = async (identity: string): Promise<string> =>
  (await age()).identityToRecipient(identity);

export async function sealWithPassphrase(text: string, passphrase: string): Promise<Uint8Array> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(WORK_FACTOR);
  encrypter.setPassphrase(passphrase);
  return encrypter.encrypt(text);
}

/** Undefined where the passphrase is another one or the bytes are damaged: these cannot be told from each other. */
export async function openWithPassphrase(
  sealed: Uint8Array,
  passphrase: string,
): Promise<string | undefined> {
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  return decrypter.decrypt(sealed, 'text').catch(() => undefined);
}

async function encrypterFor(recipient: string): Promise<Age.Encrypter> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter;
}

export const encryptText = async (text: string, recipient: string): Promise<Uint8Array> =>
  (await encrypterFor(recipient)).encrypt(text);

async function decrypterFor(identity: string): Promise<Age.Decrypter> {
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return decrypter;
}

/** @throws where the identity is another one or the bytes are damaged */
export const decryptText = async (sealed: Uint8Array, identity: string): Promise<string> =>
  (await decrypterFor(identity)).decrypt(sealed, 'text');

// Not by way of `Readable`: its adapter throws past everybody when a stream is let go of in the middle.
const streamOf = (bytes: Bytes): ReadableStream<Uint8Array> =>
  WebStream.from(bytes) as ReadableStream<Uint8Array>;

export interface SealedStream {
  readonly sizeBytes: number;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Lets go of what was to be sealed, of which some is read ahead, wherever `bytes` have ended or never begun. */
  readonly release: () => Promise<void>;
}

/** @param sizeBytes  how long what is sealed will be */
export async function sealStream(
  bytes: Bytes,
  sizeBytes: number,
  recipient: string,
): Promise<SealedStream> {
  const sealed = await (await encrypterFor(recipient)).encrypt(streamOf(bytes));
  const reader = sealed.getReader();
  const release = (): Promise<void> => reader.cancel().catch(() => undefined);
  return { sizeBytes: sealed.size(sizeBytes), bytes: chunksOf(reader), release };
}

/** Every 64 KiB is proven before it is handed over. @throws at the first that is damaged, and where the end is missing */
export async function openStream(bytes: Bytes, identity: string): Promise<Bytes> {
  const decrypter = await decrypterFor(identity);
  return chunksOf((await decrypter.decrypt(streamOf(bytes))).getReader());
}

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): Bytes {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
