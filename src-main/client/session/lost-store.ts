/** What a session keeps of messages that its office no longer has. */
import { z } from 'zod';
import { OfferedMessage } from '#shared/api/endpoints/messages/reupload.ts';

export const StoredLostMessages = z.object({
  /** Id of the last restore generation whose office was asked what it has; null before the first. */
  comparedEpoch: z.string().nullable(),
  /** Somebody wants them to be given back. */
  isAgreed: z.boolean(),
  messages: z.array(OfferedMessage),
});
export type StoredLostMessages = z.infer<typeof StoredLostMessages>;

/** It is on disk when `write` settles. */
export interface LostMessageStore {
  readonly read: () => Promise<StoredLostMessages | undefined>;
  readonly write: (kept: StoredLostMessages) => Promise<void>;
}
