import { z } from 'zod';

/** An uploaded file as it is listed to whoever may delete it (API decisions 15.18). */
export const OrganizationFile = z.object({
  id: z.int(),
  /** As it was uploaded; null of a file that the caller may not see. */
  name: z.string().nullable(),
  /** What follows `/user_uploads/` in its address; null where the name is. */
  path_id: z.string().nullable(),
  /** Bytes. */
  size: z.int(),
  /** UNIX seconds. */
  created_at: z.int(),
  owner_id: z.int(),
  /** How many messages link to it. */
  message_count: z.int(),
  /** The newest of them that the caller may see, at most three. */
  messages: z.array(
    z.object({
      id: z.int(),
      /** UNIX seconds. */
      sent_at: z.int(),
      stream_id: z.int().nullable(),
      topic: z.string().nullable(),
      /** Everybody in a private conversation; empty of a message to a stream. */
      user_ids: z.array(z.int()),
    }),
  ),
});

export type OrganizationFile = z.infer<typeof OrganizationFile>;
