import { z } from 'zod';

/** An uploaded file as its owner sees it (API decisions 7.6). */
export const Attachment = z.object({
  id: z.int(),
  name: z.string(),
  /** What follows `/user_uploads/` in its address. */
  path_id: z.string(),
  /** Bytes. */
  size: z.int(),
  /** Milliseconds since 1970. */
  create_time: z.int(),
  /** The messages that link to it; both times are the message's, in milliseconds since 1970. */
  messages: z.array(z.object({ id: z.int(), name: z.int(), date_sent: z.int() })),
});

export type Attachment = z.infer<typeof Attachment>;
