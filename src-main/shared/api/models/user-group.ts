import { z } from 'zod';

/** A group of people that a message can mention at once (API decisions 8.2 and 9). */
export const UserGroup = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  /** User ids, ascending. */
  members: z.array(z.int()),
});

export type UserGroup = z.infer<typeof UserGroup>;
