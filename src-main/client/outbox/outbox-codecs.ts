/** What is kept of the outbox, as codecs: another version of this application, or a damaged disk, may have written it. */
import { z } from 'zod';
import { CauseSchema } from '#shared/api/cause-schema.ts';
import { Conversation, StoredDraft } from '#shared/bridge/models/client-codecs.ts';
import type { PendingFlag as Flag, StoredItem as Item } from './outbox-store.ts';

const Refusal = z.object({ code: z.string(), cause: CauseSchema });

export const StoredItem: z.ZodType<Item> = z.object({
  conversation: Conversation,
  content: z.string(),
  localId: z.string().min(1),
  writtenAtSeconds: z.number(),
  state: z.enum(['waiting', 'sending', 'failed']),
  failure: z.string(),
  // Nobody loses sight of a message because of it.
  refusal: Refusal.optional().catch(undefined),
  mayBeSent: z.boolean(),
});

export const PendingFlag: z.ZodType<Flag> = z.object({
  messageId: z.int(),
  flag: z.enum(['read', 'starred']),
  isSet: z.boolean(),
});

export { StoredDraft };
