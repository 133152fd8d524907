/** What an account starts with (API decisions 9.6). */
import type { DisplaySettings, NotificationSettings } from './settings.ts';

export const notificationDefaults: NotificationSettings = {
  enable_stream_desktop_notifications: false,
  enable_stream_email_notifications: false,
  enable_stream_push_notifications: false,
  enable_stream_audible_notifications: false,
  notification_sound: 'zulip',
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_offline_email_notifications: true,
  enable_offline_push_notifications: true,
  enable_online_push_notifications: false,
  enable_digest_emails: false,
  enable_login_emails: true,
  message_content_in_email_notifications: true,
  pm_content_in_desktop_notifications: true,
  wildcard_mentions_notify: true,
  desktop_icon_count_display: 1,
  realm_name_in_notifications: false,
};

export const displayDefaults: DisplaySettings = {
  default_language: 'en',
  dense_mode: true,
  emojiset: 'google-blob',
  fluid_layout_width: false,
  high_contrast_mode: false,
  left_side_userlist: false,
  night_mode: false,
  starred_message_counts: false,
  timezone: '',
  translate_emoticons: false,
  twenty_four_hour_time: false,
  demote_inactive_streams: 1,
};
