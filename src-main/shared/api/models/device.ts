import { z } from 'zod';

/** When and from where a key was used last, to the day. */
const keyUse = {
  /** UNIX seconds of the beginning of the day, UTC; null before the first use. */
  last_used: z.int().nullable(),
  /** The address of the first use on that day. */
  address: z.string().nullable(),
  /** The key of this very call. */
  is_current: z.boolean(),
};

/** A device that signed in, with a key of its own. */
export const Device = z.object({
  id: z.int(),
  name: z.string(),
  /** The program. */
  client: z.string(),
  /** UNIX seconds of the beginning of the day, UTC. */
  signed_in: z.int(),
  ...keyUse,
});
export type Device = z.input<typeof Device>;

/** The one key that an account has beside those of its devices. */
export const AccountKey = z.object(keyUse);
export type AccountKey = z.input<typeof AccountKey>;
