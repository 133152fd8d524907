import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSealingKey, decryptText } from '#backup/archive/age.ts';
import { readRecoveryCode } from '#backup/archive/recovery-code.ts';
import { storeFiles } from '#backup/archive/stored-files.ts';
import { changedTextsFileName, sealSidecar, snapshotFileName } from '#backup/account-snapshot.ts';
import {
  restoreGenerationBytes,
  isValidNextKeyNotice,
  isSignedBy,
  migrationBytes,
  fingerprintOf,
  proofBytes,
} from '#node/tls/server-identity.ts';
import { confirmationNumberOf } from '#node/migration/transfer-files.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { createApiKeys } from '#service/security/api-keys.ts';
import { uniqueIdOf } from '#service/features/messages/operations/local-ids.ts';
import { macFunctionOf } from '#service/core/rules/message-macs.ts';
import type { MessageRow } from '#service/db/port.ts';
import { listed } from '#test/support/data-names/listed.ts';

const secret = new Uint8Array(32).fill(1);
const keys = createApiKeys(secret);
const publicKey = Buffer.from(
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEJZY1WJIoOEMeiizolAIfRqsogobL8XmVvwa9VFweLg8TRuTMYjxfaTi5tgGk7O2hWHTrRF4T5BG_mk627rg-Pg',
  'base64url',
);
const pin = fingerprintOf(publicKey);

const CODE = 'raw cherry need method wall pink coil wolf license talent dismiss toe cactus';

function proofs(): readonly string[] {
  const prove = macFunctionOf(keys.messageMac);
  const message = { id: 1, sender_id: 2, sent_at: 3, content: 'c', edit_number: 5 };
  const inStream = { ...message, stream_id: 4, topic: 't' } as MessageRow;
  const inPrivate = { ...message, stream_id: null, topic: null } as MessageRow;
  return [
    `proof in a stream: ${prove(inStream, [])}`,
    `private proof: ${prove(inPrivate, [9, 8])}`,
  ];
}

async function sendings(): Promise<readonly string[]> {
  const id = '01234567-89ab-4cde-8f01-23456789abcd';
  const toStream = {
    kind: 'stream',
    stream: { kind: 'id', id: 4, digits: '4' },
    topic: 't',
  } as const;
  const recipients = { emails: ['b', 'a'], userIds: [2] };
  const inStream = await uniqueIdOf({ localId: id, target: toStream }, 'c');
  const inPrivate = await uniqueIdOf({ localId: id, target: { kind: 'private', recipients } }, 'c');
  return [
    `sent to a stream: ${String(inStream?.digest)}`,
    `sent in private: ${String(inPrivate?.digest)}`,
  ];
}

/** By an identity that is thrown away: what the seal is for is not in the MAC. */
async function macs(): Promise<readonly string[]> {
  const { identity, recipient } = await createSealingKey();
  const macOf = async (sealed: Uint8Array): Promise<string> =>
    (JSON.parse(await decryptText(sealed, identity)) as { readonly mac: string }).mac;
  const content = { epoch: 3, part: 2, edits: [] };
  const standing = { epoch: 3 } as Parameters<typeof sealSidecar<'standing'>>[1];
  return [
    `MAC of standing: ${await macOf(await sealSidecar('standing', standing, { recipient, secret }))}`,
    `MAC of edits: ${await macOf(await sealSidecar('edits', content, { recipient, secret }))}`,
  ];
}

/** Of the name of a stored file the first half says what is in it; the rest is of the sealed bytes. */
async function storedFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-names-'));
  const recipient = 'age1p5dx7emudn9utc8ttxkysact47grgtfpkq9d7ajmplr0wg6ktpfsnpmth8';
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('content');
  }
  const source = { name: 'files/1', sizeBytes: 7, open: bytes };
  const { signal } = new AbortController();
  try {
    const [stored] = await storeFiles({ folder, key: secret, recipient, signal }, [source]);
    return `stored file: ${String(stored?.name.slice(0, 32))}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('labels under MACs, digests and derivations stay', async () => {
  expect([
    `api-key: ${keys.derive(7, 2)}`,
    `device-key: ${keys.deriveDevice(7, 2)}`,
    `invitation: ${keys.invitationToken(7, 'a@b.org')}`,
    `message-proof: ${keys.messageMac('about')}`,
    `key-hash: ${keys.hash('key')}`,
    ...proofs(),
    ...(await sendings()),
    `standing: ${snapshotFileName('age1', 3)}`,
    `edits: ${changedTextsFileName('age1', { epoch: 3, part: 2 })}`,
    ...(await macs()),
    await storedFile(),
    `pin: ${pin}`,
    `safety words: ${await safetyWords(pin)}`,
    `number of a move: ${confirmationNumberOf('mover')}`,
    `recovery code: ${readRecoveryCode(CODE)}`,
  ]).toEqual(listed('labels'));
});

const epoch = { n: 3, id: 'ab', parent: 'cd' };

test.each([
  [
    'proof',
    proofBytes({ nonce: 'n', host: 'h', epoch: 3, leaf: 'l' }),
    'v7FKDJp9At78dCY4o1Cp4o8hflTvmvoQmGsvgc5kvsVSQie-PYx2SeVpL0ZVFz67wMPLJ9yfnapZdWYTf1_lpg',
  ],
  [
    'epoch',
    restoreGenerationBytes(epoch),
    'YzK_B3990brl3BHbD1TD9cn9e89I-CgqFt9hZu0F0xMX2UuIfwS3YtPYRRY5hPbpsHZ2go06nKdJHr7w58j8aw',
  ],
  [
    'move',
    migrationBytes(epoch, 'ef'),
    'r4bSUf_KIIAAk7f1xpF3_1Nkpa_tGt7wDkkjN1HzTtBZpmoKTuW0zF3A8j-rx90z2tqsmBtWF-SPYMXm_Jpehg',
  ],
] as const)(
  'a signature of the purpose %s that was made before holds',
  (purpose, bytes, before) => {
    expect(isSignedBy(publicKey, purpose, bytes, Buffer.from(before, 'base64url'))).toBe(true);
  },
);

test('a notice of a successor that was made before holds', () => {
  const notice = {
    pin: 'a'.repeat(52),
    office_key: publicKey.toString('base64url'),
    signature:
      'EwqdUc_MV9gx6K2Lg5erkmVnGJ-8gf226hJjQ5-NkZxH1jkFEWXRGMStbaePMeXFb2jgb55OSipeEfibEuiI2g',
  };
  expect(isValidNextKeyNotice(pin, notice)).toBe(true);
});
