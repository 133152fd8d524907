import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isFingerprint,
  isValidNextKeyNotice,
  isSignedBy,
  makeServerIdentity,
  signNextKeyNotice,
  type SignaturePurpose,
  fingerprintOf,
  readServerIdentity,
  type NextKeyNotice,
} from '#node/tls/server-identity.ts';

const ours = makeServerIdentity();
const other = makeServerIdentity();
const bytes = fc.uint8Array({ maxLength: 200 });

test('a pin is the digest of the key, in letters and digits that survive every file system', () => {
  expect(ours.fingerprint).toMatch(/^[a-z2-7]{52}$/);
  expect(ours.fingerprint).not.toBe(other.fingerprint);
  // RFC 4648, worked out another way: five bits at a time out of the whole number.
  const digest = createHash('sha256').update(ours.publicKey).digest('hex');
  const bits = BigInt(`0x${digest}`) << 4n;
  const letters = Array.from({ length: 52 }, (_, index) =>
    Number((bits >> BigInt(5 * (51 - index))) & 31n),
  );
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  expect(ours.fingerprint).toBe(letters.map((letter) => alphabet[letter]).join(''));
});

test('every key has a pin that is taken for one, and nothing else is', () => {
  fc.assert(fc.property(bytes, (key) => isFingerprint(fingerprintOf(key))));
  for (const text of [
    '',
    ours.fingerprint.slice(1),
    ours.fingerprint.toUpperCase(),
    `${ours.fingerprint}a`,
    '1'.repeat(52),
  ])
    expect(isFingerprint(text), text).toBe(false);
});

test('a key is the same after it was kept', () => {
  const kept = readServerIdentity(ours.exported());
  expect(kept?.fingerprint).toBe(ours.fingerprint);
  const signature = kept!.sign('proof', Buffer.from('x'));
  expect(isSignedBy(ours.publicKey, 'proof', Buffer.from('x'), signature)).toBe(true);
});

describe('no key of an office', () => {
  const pkcs8 = (curve: string): string =>
    generateKeyPairSync('ec', { namedCurve: curve })
      .privateKey.export({ type: 'pkcs8', format: 'der' })
      .toString('base64');

  test.each([
    ['nothing', ''],
    ['noise', randomBytes(138).toString('base64')],
    ['a cut one', ours.exported().slice(0, -12)],
    ['a public one', Buffer.from(ours.publicKey).toString('base64')],
    ['one on another curve', pkcs8('secp384r1')],
  ])('the key of an office is not read from %s', (_, text) =>
    expect(readServerIdentity(text)).toBeUndefined(),
  );
});

test('only the key that signed these bytes for this purpose is believed', () => {
  const purposes: readonly SignaturePurpose[] = ['proof', 'epoch'];
  fc.assert(
    fc.property(bytes, fc.nat(), fc.constantFrom(...purposes), (data, at, purpose) => {
      const signature = ours.sign(purpose, data);
      expect(signature).toHaveLength(64);
      expect(isSignedBy(ours.publicKey, purpose, data, signature)).toBe(true);
      for (const wrong of purposes.filter((each) => each !== purpose))
        expect(isSignedBy(ours.publicKey, wrong, data, signature)).toBe(false);
      expect(isSignedBy(other.publicKey, purpose, data, signature)).toBe(false);
      expect(
        isSignedBy(ours.publicKey, purpose, Buffer.concat([data, Buffer.of(0)]), signature),
      ).toBe(false);
      const bent = Uint8Array.from(signature, (byte, index) =>
        index === at % 64 ? byte ^ 1 : byte,
      );
      expect(isSignedBy(ours.publicKey, purpose, data, bent)).toBe(false);
    }),
    { numRuns: 50 },
  );
});

test('what is no key and no signature is not believed, and does no harm', () => {
  fc.assert(
    fc.property(bytes, bytes, (key, signature) => {
      expect(isSignedBy(key, 'proof', Buffer.from('x'), signature)).toBe(false);
      expect(isSignedBy(ours.publicKey, 'proof', Buffer.from('x'), signature)).toBe(false);
    }),
  );
});

test('a successor is believed of the office that signed it, and of no other', () => {
  const notice = signNextKeyNotice(ours, other.fingerprint);
  expect(isValidNextKeyNotice(ours.fingerprint, notice)).toBe(true);
  const third = makeServerIdentity();
  const wrong: readonly (readonly [string, NextKeyNotice])[] = [
    [third.fingerprint, notice],
    [ours.fingerprint, { ...notice, pin: third.fingerprint }],
    [
      ours.fingerprint,
      { ...notice, office_key: Buffer.from(third.publicKey).toString('base64url') },
    ],
    [
      ours.fingerprint,
      { ...notice, signature: signNextKeyNotice(third, other.fingerprint).signature },
    ],
    [ours.fingerprint, { ...notice, signature: '' }],
    [ours.fingerprint, signNextKeyNotice(ours, 'no pin')],
    [ours.fingerprint, signNextKeyNotice(ours, ours.fingerprint)],
  ];
  for (const [pin, each] of wrong) expect(isValidNextKeyNotice(pin, each)).toBe(false);
});
