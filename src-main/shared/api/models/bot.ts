/** Bots as their owners and administrators see them. */
import { z } from 'zod';

const BotService = z.object({
  base_url: z.string(),
  /** 1 generic, 2 Slack. */
  interface: z.int(),
  /** Sent along with every delivery, so that its receiver can tell that it is genuine. */
  token: z.string(),
});

const botDefaults = {
  /** Names of streams; null where none is set. */
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
};

/** An element of `realm_bots` (API decisions 9.7). */
export const RealmBot = z.object({
  user_id: z.int(),
  email: z.string(),
  full_name: z.string(),
  bot_type: z.int(),
  is_active: z.boolean(),
  api_key: z.string(),
  avatar_url: z.string().nullable(),
  /** The owner's e-mail address; null for a bot that nobody owns. */
  owner: z.string().nullable(),
  owner_id: z.int().nullable(),
  ...botDefaults,
  /** One for an outgoing webhook bot, else none. */
  services: z.array(BotService),
});

/** An element of GET /bots. */
export const OwnBot = z.object({
  username: z.string(),
  full_name: z.string(),
  api_key: z.string(),
  avatar_url: z.string().nullable(),
  ...botDefaults,
});

/** What POST /bots answers. */
export const NewBot = z.object({
  user_id: z.int(),
  api_key: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  ...botDefaults,
});

export type RealmBot = z.infer<typeof RealmBot>;
export type OwnBot = z.infer<typeof OwnBot>;
export type NewBot = z.infer<typeof NewBot>;
