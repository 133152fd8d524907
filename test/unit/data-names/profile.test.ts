import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { z } from 'zod';
import { keyActions } from '#shared/bridge/keys/keys.ts';
import { decisionReasons } from '#shared/bridge/models/notifications.ts';
import { removeFulfilledRequest } from '#client/accounts/join-requests.ts';
import { PendingFlag, StoredDraft, StoredItem } from '#client/outbox/outbox-codecs.ts';
import { StoredLostMessages } from '#client/session/lost-store.ts';
import { StoredAccounts } from '#desktop/storage/account-codec.ts';
import { createAccountStore } from '#desktop/storage/account-store.ts';
import { createBackupStore } from '#desktop/storage/backup-store.ts';
import { createNotificationLogStore } from '#desktop/storage/notification-log-store.ts';
import { createHostingStore } from '#desktop/storage/hosting-store.ts';
import { createHeldFiles, StoredHeldFiles } from '#desktop/storage/held-files.ts';
import { createLostFile } from '#desktop/storage/lost-messages-file.ts';
import { StoredPreferences } from '#desktop/storage/preference-codec.ts';
import { openPreferences } from '#desktop/storage/preference-store.ts';
import { StoredUploads } from '#desktop/storage/uploads-codec.ts';
import { createUploadsFile } from '#desktop/storage/uploads-file.ts';
import {
  HOST_SECRET,
  keychainService,
  IDENTITY_KEY,
  RECOVERY_CODE,
} from '#desktop/system/keychain.ts';
import { StoredPlace } from '#desktop/windows/place-codec.ts';
import { openPlaces } from '#desktop/windows/place-store.ts';
import { jsonSchemaOf } from '#service/http/documentation/describe.ts';
import { isPlace } from '#renderer/state/places/places.ts';
import { createTestLog } from '#test/support/desktop/desktop-log.ts';
import { listed } from '#test/support/data-names/listed.ts';
import { namesIn, namesOf } from '#test/support/data-names/wire-names.ts';

const conversation = { kind: 'stream', streamId: 4, topic: 't' } as const;

/** A profile with something in each of its files. */
async function profile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-names-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const log = createTestLog();
  await createAccountStore(folder, log).save([]);
  await (await openPreferences(folder, log)).change({ theme: 'dark' });
  const places = await openPlaces(folder, log);
  places.savePlace({ accountId: '1', place: '{}' });
  await places.flush();
  await createLostFile(folder).write({ comparedEpoch: null, isAgreed: false, messages: [] });
  const heldFiles = createHeldFiles(folder);
  await heldFiles.holdPath('u', import.meta.filename);
  await createUploadsFile(folder).write([
    {
      ...{ uploadId: 'u', name: 'n', sizeBytes: 1, view: conversation, at: 0, share: 0 },
      ...{ failure: '', type: '', begun: { id: 'i', version: 'v' }, uri: null },
    },
  ]);
  const made = { file: '/a', atSeconds: 1, sizeBytes: 1, messages: 1, lostFiles: 0 };
  const failure = { atSeconds: 1, reason: '' };
  await createBackupStore(folder, log).change({ last: made, failure });
  const hosting = createHostingStore(folder, log);
  await hosting.savePort(9981);
  await hosting.saveOthers({ isOpen: true, networks: { N: true } });
  await createNotificationLogStore(folder, log).save({
    lastDecided: { '1': 2 },
    entries: [
      {
        ...{ atSeconds: 1, accountId: '1', messageId: 2, conversation, streamName: 's' },
        ...{ senderName: 'n', rang: true, sounded: true },
        ...{ desktopReason: 'stream-on', soundReason: 'stream-on' },
      },
    ],
  });
  return folder;
}

test('files of a profile and what is in them stay', async () => {
  const folder = await profile();
  const files = (await readdir(folder)).sort();
  const lines = await Promise.all(
    files.map(async (file) => {
      const content: unknown = JSON.parse(await readFile(join(folder, file), 'utf8'));
      return [file, ...namesOf(content).map((line) => `  ${line}`)];
    }),
  );
  expect(lines.flat()).toEqual(listed('profile-files'));
});

test('what a profile and a browser keep as JSON stays', () => {
  const codecs: readonly (readonly [string, z.ZodType])[] = [
    ['accounts', StoredAccounts],
    ['preferences', StoredPreferences],
    ['window', StoredPlace],
    ['lost messages', StoredLostMessages],
    ['uploads', StoredUploads],
    ['held files', StoredHeldFiles],
    ['outbox item', StoredItem],
    ['draft', StoredDraft],
    ['pending flag', PendingFlag],
  ];
  const lines = codecs.flatMap(([name, codec]) => [
    name,
    ...[...namesIn('', jsonSchemaOf(codec))].sort().map((line) => `  ${line}`),
  ]);
  const actions = keyActions(false).map(({ id }) => `  ${id}`);
  const reasons = decisionReasons.map((reason) => `  ${reason}`);
  expect([
    ...lines,
    ...['keys of preferences', ...actions.sort()],
    ...['reasons in decisions', ...reasons.sort()],
  ]).toEqual(listed('kept-json'));
});

test.each(listed('places'))('a window that was left at %s opens there', (line) => {
  expect(isPlace(JSON.parse(line))).toBe(true);
});

/** As an earlier build wrote it. */
const JOIN_REQUEST =
  '{"address":"https://chat.example.com","pin":null,"realmName":"Team","fullName":"Ada","email":"ada@example.com","number":"1","expires":1,"secret":"s"}';

test('names in the keychain stay', async () => {
  const removed: string[] = [];
  const keys = {
    find: async (name: string) => (name === 'join-request' ? JOIN_REQUEST : undefined),
    save: async () => undefined,
    remove: async (name: string) => void removed.push(name),
  };
  await removeFulfilledRequest(keys, 'ada@example.com');
  expect([
    `service: ${keychainService('/p', '/p')}`,
    `service of another profile: ${keychainService('/q', '/p')}`,
    ...[HOST_SECRET, IDENTITY_KEY, RECOVERY_CODE, ...removed].map((name) => `account: ${name}`),
  ]).toEqual(listed('keychain'));
});
