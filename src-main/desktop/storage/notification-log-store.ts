import { z } from 'zod';
import type { NotificationLogStore } from '#client/ports.ts';
import { decisionReasons, NOTIFICATION_LOG_LIMIT } from '#shared/bridge/models/notifications.ts';
import type { Log } from '#node/log.ts';
import { createProfileFile } from './profile-file.ts';

const Conversation = z.union([
  z.object({ kind: z.literal('stream'), streamId: z.int(), topic: z.string() }),
  z.object({ kind: z.literal('private'), userIds: z.array(z.int()).readonly() }),
]);

const Entry = z.object({
  atSeconds: z.int(),
  accountId: z.string(),
  messageId: z.int(),
  conversation: Conversation,
  streamName: z.string().nullable(),
  senderName: z.string(),
  rang: z.boolean(),
  sounded: z.boolean(),
  desktopReason: z.enum(decisionReasons),
  soundReason: z.enum(decisionReasons),
});

const Stored = z.object({
  version: z.literal(1),
  lastDecided: z.record(z.string(), z.int()),
  entries: z.array(Entry).max(NOTIFICATION_LOG_LIMIT).readonly(),
});

/** What was decided about messages, in a file of the profile. */
export function createNotificationLogStore(profileDir: string, log: Log): NotificationLogStore {
  const file = createProfileFile(profileDir, 'decisions.json', Stored, { log });
  return {
    load: async () => (await file.read()) ?? null,
    save: (record) => file.write({ version: 1, ...record, lastDecided: { ...record.lastDecided } }),
  };
}
