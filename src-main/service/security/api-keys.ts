import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { randomText } from './random-text.ts';

export interface ApiKeys {
  /** The key of an account: 32 characters of A-Za-z0-9, the same for as long as the generation is. */
  readonly derive: (userId: number, generation: number) => string;
  /** The key of one device that signed in. */
  readonly deriveDevice: (deviceId: number, generation: number) => string;
  /** What the link of an invitation carries; whoever knows it is the one who was invited. */
  readonly invitationToken: (invitationId: number, emailKey: string) => string;
  /** 32 characters of A-Za-z0-9 that nobody can find out. */
  readonly random: () => string;
  /** What shows that this office has said so; the same for as long as its secret is. */
  readonly messageMac: (about: string) => string;
  /** What may be stored of a key: finds the account where only the key is given, and leads back to nothing. */
  readonly hash: (key: string) => string;
  /** Takes the same time wherever two secrets of one length differ; a key's length is no secret. */
  readonly isEqual: (a: string, b: string) => boolean;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_LENGTH = 32;
const MAX_RECENT = 20_000;
/** The largest multiple of 62 in a byte: bytes from here on are skipped, or the first letters would be likelier. */
const UNBIASED = 256 - (256 % ALPHABET.length);

/** @param secret  32 random bytes; whoever has them has every key */
export function createApiKeys(secret: Uint8Array): ApiKeys {
  // Bytes are made a key with each call, which takes six times as long as all the rest.
  const secretKey = createSecretKey(secret);
  // A label for each purpose: no output of one can ever be an output of another.
  const mac = (label: string, text: string): Buffer =>
    createHmac('sha256', secretKey).update(`${label}\0${text}`).digest();

  const compute = (label: string, about: string): string => {
    let key = '';
    for (let block = 0; key.length < KEY_LENGTH; block++) {
      for (const byte of mac(label, `${about}:${block}`)) {
        if (byte < UNBIASED && key.length < KEY_LENGTH)
          key += ALPHABET.charAt(byte % ALPHABET.length);
      }
    }
    return key;
  };

  // Every request derives the key of its account, which would cost more than all the rest of its handling.
  const recent = new Map<string, string>();
  const derive = (label: string, id: number, generation: number): string => {
    const name = `${label}:${id}:${generation}`;
    const known = recent.get(name);
    if (known !== undefined) return known;
    if (recent.size >= MAX_RECENT) recent.clear();
    const key = compute(label, `${id}:${generation}`);
    recent.set(name, key);
    return key;
  };

  return {
    derive: (userId, generation) => derive('api-key', userId, generation),
    deriveDevice: (deviceId, generation) => derive('device-key', deviceId, generation),
    invitationToken: (id, emailKey) => `${id}-${compute('invitation', `${id}:${emailKey}`)}`,
    random: () => randomText(ALPHABET, KEY_LENGTH),
    messageMac: (about) => mac('message-proof', about).toString('base64url'),
    hash: (key) => mac('key-hash', key).toString('hex'),
    isEqual,
  };
}

/** Every request compares its key: buffers of its own would outlive it until all of the heap is collected. */
const SCRATCH_BYTES = 256;
const scratch = [Buffer.alloc(SCRATCH_BYTES), Buffer.alloc(SCRATCH_BYTES)] as const;

const written = (text: string, into: Buffer): Buffer => {
  into.fill(0).write(text);
  return into;
};

function isEqual(a: string, b: string): boolean {
  const bytes = Buffer.byteLength(a);
  if (bytes !== Buffer.byteLength(b)) return false;
  if (bytes > SCRATCH_BYTES) return timingSafeEqual(Buffer.from(a), Buffer.from(b));
  return timingSafeEqual(written(a, scratch[0]), written(b, scratch[1]));
}
