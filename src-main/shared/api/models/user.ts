import { z } from 'zod';
import { ProfileData } from './profile.ts';

/** A user of `realm_users` and of realm_user events (API decisions 9.1). */
export const RealmUser = z.object({
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_admin: z.boolean(),
  is_guest: z.boolean(),
  is_bot: z.boolean(),
  /** Null when the client computes gravatars itself. */
  avatar_url: z.string().nullable(),
  timezone: z.string(),
  /** ISO 8601. */
  date_joined: z.string(),
  /** Absent for bots. */
  profile_data: ProfileData.optional(),
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  bot_type: z.int().nullable().optional(),
  bot_owner_id: z.int().nullable().optional(),
  bot_owner: z.string().nullable().optional(),
});

/** A member of GET /users: deactivated accounts are listed, `bot_type` is null for people. */
export const Member = RealmUser.extend({
  is_active: z.boolean(),
  bot_type: z.int().nullable(),
});

/** The caller's own profile, GET /users/me (specification 2). */
export const Profile = Member.extend({
  short_name: z.string(),
  pointer: z.int(),
  /** The newest message that the account holds; -1 where there is none. */
  max_message_id: z.int(),
  client_id: z.string(),
});

export type RealmUser = z.infer<typeof RealmUser>;
export type Member = z.infer<typeof Member>;
export type Profile = z.infer<typeof Profile>;
