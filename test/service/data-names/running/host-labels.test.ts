import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { withHostKeys } from '#backup/next-identity-key.ts';
import { makeServerIdentity } from '#node/tls/server-identity.ts';
import { makeAuthority, makeLeaf } from '#service/security/certificates.ts';
import { listed } from '#test/support/data-names/listed.ts';

const DIGEST = 'keys of a recovery kit: ';

/** The kit itself where its digest is that of the keys: nothing is sealed anew then. */
async function kitDigest(): Promise<string> {
  const line = listed('host-labels').find((each) => each.startsWith(DIGEST)) ?? '';
  const none = new Uint8Array();
  const notice = { pin: '', office_key: '', signature: '' };
  const successor = { notice, keysDigest: line.slice(DIGEST.length) };
  const kit = { recipient: 'age1', code: none, keys: none, isCodeConfirmed: false, successor };
  const held = await withHostKeys(kit, { secret: '00', officeKey: null }).catch(() => undefined);
  return held === kit ? line : `${DIGEST}another one`;
}

test('names in certificates and the digest of a recovery kit stay', async () => {
  const key = makeServerIdentity();
  const subjectOf = (pem: string): string =>
    new X509Certificate(pem).subject.replace(key.fingerprint.slice(0, 20), 'PIN');
  const { chain } = makeLeaf(key, { names: [], addresses: [] }, Date.now());
  expect([
    `authority: ${subjectOf(makeAuthority(key, []))}`,
    `leaf: ${subjectOf(chain)}`,
    await kitDigest(),
  ]).toEqual(listed('host-labels'));
});
