import { z } from 'zod';

export const presenceStatuses = ['active', 'idle'] as const;
export type PresenceStatus = (typeof presenceStatuses)[number];

const seen = {
  client: z.string(),
  status: z.enum(presenceStatuses),
  /** UNIX seconds. */
  timestamp: z.int(),
};

/** One client of a person. */
export const ClientPresence = z.object({ ...seen, pushable: z.literal(false) });

/** What one person's clients reported; the newest report stands beside them (API decisions 9.4). */
const PersonPresence = z.object({ aggregated: z.object(seen) }).catchall(ClientPresence);

/** People seen in the last 14 days, by e-mail address. */
export const Presences = z.record(z.string(), PersonPresence);

export type ClientPresence = z.infer<typeof ClientPresence>;
export type Presences = z.infer<typeof Presences>;

/** A person's own words; what is not set is absent (API decisions 9, `user_status`). */
export const UserStatus = z.object({
  away: z.boolean().optional(),
  status_text: z.string().optional(),
});

export type UserStatus = z.infer<typeof UserStatus>;
