import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NotificationLogRecord } from '#shared/bridge/models/notifications.ts';
import { createNotificationLogStore } from '#desktop/storage/notification-log-store.ts';
import { createTestLog } from '#test/support/desktop/desktop-log.ts';

const record: NotificationLogRecord = {
  lastDecided: { '8@http://a': 12 },
  entries: [
    {
      atSeconds: 1_700_000_000,
      accountId: '8@http://a',
      messageId: 12,
      conversation: { kind: 'stream', streamId: 4, topic: 'Änderung' },
      streamName: 'ops',
      senderName: 'Ben',
      rang: false,
      sounded: true,
      desktopReason: 'stream-off',
      soundReason: 'stream-on',
    },
    {
      atSeconds: 1_700_000_001,
      accountId: '8@http://a',
      messageId: 13,
      conversation: { kind: 'private', userIds: [2, 3] },
      streamName: null,
      senderName: 'Cleo',
      rang: true,
      sounded: false,
      desktopReason: 'private-on',
      soundReason: 'just-sounded',
    },
  ],
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-decisions-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('decisions are as they were in the next start', async () => {
  await createNotificationLogStore(folder, createTestLog()).save(record);
  expect(await createNotificationLogStore(folder, createTestLog()).load()).toMatchObject(record);
});

test('a new profile has none', async () => {
  expect(await createNotificationLogStore(folder, createTestLog()).load()).toBeNull();
});

test('a damaged file is moved aside and said so in the log', async () => {
  await writeFile(join(folder, 'decisions.json'), '{"version":1,"lastDecided":');
  const log = createTestLog();
  expect(await createNotificationLogStore(folder, log).load()).toBeNull();
  expect(log.lines).toMatchObject([{ level: 'error' }]);
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^decisions\.damaged-/)]);
});
