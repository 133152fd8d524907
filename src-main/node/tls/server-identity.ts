/**
 * What both ends know an office by: its key, and the fingerprint, which is the digest of that key. The service signs, clients
 * check; certificates, addresses and computers come and go.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** In the data folder of an office: its fingerprint, which is no secret, and by which it knows that it has a key. */
export const FINGERPRINT_FILE = 'office-pin';
/** The same: its key, where no keychain has it, as a file that only its owner can read. */
export const IDENTITY_KEY_FILE = 'office-key';
/** The same: the 32 bytes that all keys are derived from, where no keychain has them. */
export const SECRET_FILE = 'secret';
/** The certificate of the office's own authority, PEM. */
export const AUTHORITY_FILE = 'office-ca.pem';

/** What a signature is for: one that was made for one purpose is worth nothing for another. */
export type SignaturePurpose = 'proof' | 'epoch' | 'move' | 'successor';

export interface ServerIdentity {
  /** See `fingerprintOf`. */
  readonly fingerprint: string;
  /** DER, as a SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  /** For certificates; everything else is signed by `sign`. */
  readonly privateKey: KeyObject;
  /** As `readServerIdentity` takes it: it has to be sealed wherever it is kept. */
  readonly exported: () => string;
  /** ECDSA on P-256 with SHA-256: 64 bytes, r and s. */
  readonly sign: (purpose: SignaturePurpose, bytes: Uint8Array) => Uint8Array;
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648 in lower case, without padding: neither addresses nor names of folders tell cases apart everywhere. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(held >> bits) & 31] ?? '';
    }
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + (BASE32[(held << (5 - bits)) & 31] ?? '');
}

/** SHA-256 of a public key (DER, SubjectPublicKeyInfo): 52 characters of a-z and 2-7. */
export const fingerprintOf = (publicKey: Uint8Array): string =>
  base32(createHash('sha256').update(publicKey).digest());

export const isFingerprint = (text: string): boolean => /^[a-z2-7]{51}[aq]$/.test(text);

const spkiOf = (key: KeyObject): Uint8Array => key.export({ type: 'spki', format: 'der' });

/** The purpose is part of what is signed, so that no signature can be carried from one place to another. */
const signedBytes = (purpose: SignaturePurpose, bytes: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`hearth ${purpose} 1\0`), bytes]);

function identityOf(privateKey: KeyObject): ServerIdentity {
  const publicKey = spkiOf(createPublicKey(privateKey));
  return {
    fingerprint: fingerprintOf(publicKey),
    publicKey,
    privateKey,
    exported: () => privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    sign: (purpose, bytes) =>
      sign('sha256', signedBytes(purpose, bytes), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  };
}

const isP256 = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean =>
  asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1';

/** A new identity: nobody who knew the office by an older one will take it for the same. */
export const makeServerIdentity = (): ServerIdentity =>
  identityOf(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey);

/** @param text  base64 of PKCS #8. Undefined for what is no private key on P-256. */
export function readServerIdentity(text: string): ServerIdentity | undefined {
  try {
    const key = createPrivateKey({
      key: Buffer.from(text, 'base64'),
      format: 'der',
      type: 'pkcs8',
    });
    return isP256(key) ? identityOf(key) : undefined;
  } catch {
    return undefined;
  }
}

/** What an office signs to prove who it is to somebody who has just connected. */
export interface ServerProof {
  /** 32 random bytes of whoever asks, as base64url. */
  readonly nonce: string;
  /** The name or address by which it was asked, in lower case, without a port. */
  readonly host: string;
  readonly epoch: number;
  /** The fingerprint of the key in the certificate of this connection; empty behind a proxy. */
  readonly leaf: string;
}

export const proofBytes = ({ nonce, host, epoch, leaf }: ServerProof): Uint8Array =>
  Buffer.from(JSON.stringify([nonce, host, epoch, leaf]));

/** Whether the holder of the key signed these bytes for this purpose. Never throws, whatever it is given. */
export function isSignedBy(
  publicKey: Uint8Array,
  purpose: SignaturePurpose,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });
    if (!isP256(key)) return false;
    const data = signedBytes(purpose, bytes);
    return verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false;
  }
}

/** What the office's key signs, for the purpose `epoch` (API decisions 15.11). */
export const restoreGenerationBytes = (epoch: {
  readonly n: number;
  readonly id: string;
  readonly parent: string;
}): Uint8Array => Buffer.from(`${String(epoch.n)}\n${epoch.id}\n${epoch.parent}`);

/**
 * What the office's key signs, for the purpose `move` (API decisions 15.14): under this restore generation it goes on with this.
 * @param digest  SHA-256 of what was handed over, in hexadecimal
 */
export const migrationBytes = (
  epoch: { readonly n: number; readonly id: string; readonly parent: string },
  digest: string,
): Uint8Array => Buffer.concat([restoreGenerationBytes(epoch), Buffer.from(`\n${digest}`)]);

/** What an office says of the key that takes the place of its own once that is stolen (API decisions 15.16). */
export interface NextKeyNotice {
  /** That key's. */
  readonly pin: string;
  /** The public key of the office, SubjectPublicKeyInfo as base64url. */
  readonly office_key: string;
  /** By that one, base64url. */
  readonly signature: string;
}

const nextKeyBytes = (pin: string): Uint8Array => Buffer.from(pin);

/** What is told of the next identity key, from whoever has the office's key. @param pin  of the next key */
export const signNextKeyNotice = (
  { publicKey, sign: signed }: Pick<ServerIdentity, 'publicKey' | 'sign'>,
  pin: string,
): NextKeyNotice => ({
  pin,
  office_key: Buffer.from(publicKey).toString('base64url'),
  signature: Buffer.from(signed('successor', nextKeyBytes(pin))).toString('base64url'),
});

/** Whether it is the office of a fingerprint that has said so. Never throws, whatever it is given. */
export function isValidNextKeyNotice(
  officePin: string,
  { pin, office_key, signature }: NextKeyNotice,
): boolean {
  const publicKey = Buffer.from(office_key, 'base64url');
  if (fingerprintOf(publicKey) !== officePin || !isFingerprint(pin) || pin === officePin)
    return false;
  return isSignedBy(publicKey, 'successor', nextKeyBytes(pin), Buffer.from(signature, 'base64url'));
}
