/** An account's own settings as they go on the wire. */
import { z } from 'zod';

/** PATCH /settings/notifications (specification 4). */
export const NotificationSettings = z.object({
  enable_stream_desktop_notifications: z.boolean(),
  enable_stream_email_notifications: z.boolean(),
  enable_stream_push_notifications: z.boolean(),
  enable_stream_audible_notifications: z.boolean(),
  notification_sound: z.string(),
  enable_desktop_notifications: z.boolean(),
  enable_sounds: z.boolean(),
  enable_offline_email_notifications: z.boolean(),
  enable_offline_push_notifications: z.boolean(),
  enable_online_push_notifications: z.boolean(),
  enable_digest_emails: z.boolean(),
  enable_login_emails: z.boolean(),
  message_content_in_email_notifications: z.boolean(),
  pm_content_in_desktop_notifications: z.boolean(),
  wildcard_mentions_notify: z.boolean(),
  /** 1 all unreads, 2 private messages and mentions, 3 none. */
  desktop_icon_count_display: z.int(),
  realm_name_in_notifications: z.boolean(),
});

/** PATCH /settings/display (API decisions 9.6). */
export const DisplaySettings = z.object({
  default_language: z.string(),
  dense_mode: z.boolean(),
  emojiset: z.string(),
  fluid_layout_width: z.boolean(),
  high_contrast_mode: z.boolean(),
  left_side_userlist: z.boolean(),
  night_mode: z.boolean(),
  starred_message_counts: z.boolean(),
  /** A name of the IANA database; empty where it is not known. */
  timezone: z.string(),
  translate_emoticons: z.boolean(),
  twenty_four_hour_time: z.boolean(),
  /** 1 automatically, 2 always, 3 never. */
  demote_inactive_streams: z.int(),
});

export type NotificationSettings = z.infer<typeof NotificationSettings>;
export type DisplaySettings = z.infer<typeof DisplaySettings>;
