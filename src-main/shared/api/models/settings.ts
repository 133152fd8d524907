/** An account's own settings, by their names on the wire, with what an account starts with (API decisions 9.6). */
import { choice, flag, settingTable, text, type ValuesOf } from '../setting.ts';

/** PATCH /settings/notifications (specification 4). */
export const notificationSettings = settingTable('person', {
  enable_stream_desktop_notifications: flag(false, { section: 'streams' }),
  enable_stream_email_notifications: flag(false),
  enable_stream_push_notifications: flag(false),
  enable_stream_audible_notifications: flag(false, { section: 'streams' }),
  notification_sound: text('zulip'),
  enable_desktop_notifications: flag(true, { section: 'reader' }),
  enable_sounds: flag(true, { section: 'reader' }),
  enable_offline_email_notifications: flag(true),
  enable_offline_push_notifications: flag(true),
  enable_online_push_notifications: flag(false),
  enable_digest_emails: flag(false),
  enable_login_emails: flag(true),
  message_content_in_email_notifications: flag(true),
  pm_content_in_desktop_notifications: flag(true, { section: 'look' }),
  wildcard_mentions_notify: flag(true, { section: 'reader' }),
  /** 1 all unreads, 2 private messages and mentions, 3 none. */
  desktop_icon_count_display: choice([1, 2, 3])(1),
  realm_name_in_notifications: flag(false, { section: 'look' }),
});

/** PATCH /settings/display (API decisions 9.6). */
export const displaySettings = settingTable('person', {
  default_language: text('en'),
  dense_mode: flag(true),
  emojiset: text('google-blob'),
  fluid_layout_width: flag(false),
  high_contrast_mode: flag(false),
  left_side_userlist: flag(false),
  night_mode: flag(false),
  starred_message_counts: flag(false),
  /** A name of the IANA database; empty where it is not known. */
  timezone: text(''),
  translate_emoticons: flag(false),
  twenty_four_hour_time: flag(false),
  /** 1 automatically, 2 always, 3 never. */
  demote_inactive_streams: choice([1, 2, 3])(1),
});

export type NotificationSettings = ValuesOf<typeof notificationSettings.settings>;
export type DisplaySettings = ValuesOf<typeof displaySettings.settings>;
