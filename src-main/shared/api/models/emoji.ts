import { z } from 'zod';

/** How reactions and messages name an emoji (API decisions 5, `reactions`). */
export const emojiTypes = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'] as const;
export type EmojiType = (typeof emojiTypes)[number];

/** Custom emoji by id, deactivated ones included (API decisions 9.3). */
export const RealmEmoji = z.record(
  z.string(),
  z.object({
    id: z.string(),
    name: z.string(),
    /** A path of this service. */
    source_url: z.string(),
    deactivated: z.boolean(),
    author: z.object({ id: z.int(), email: z.string(), full_name: z.string() }),
  }),
);

export type RealmEmoji = z.infer<typeof RealmEmoji>;
