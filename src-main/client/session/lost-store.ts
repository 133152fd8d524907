/** What a session keeps of messages that its office no longer has. */
import { z } from 'zod';
import { OfferedMessage } from '#shared/api/endpoints/messages/reupload.ts';

export const KeptLost = z.object({
  /** Id of the last epoch whose office was asked what it has; null before the first. */
  comparedEpoch: z.string().nullable(),
  /** Somebody wants them to be given back. */
  isAgreed: z.boolean(),
  messages: z.array(OfferedMessage),
});
export type KeptLost = z.infer<typeof KeptLost>;

/** It is on disk when `write` settles. */
export interface LostStore {
  readonly read: () => Promise<KeptLost | undefined>;
  readonly write: (kept: KeptLost) => Promise<void>;
}
