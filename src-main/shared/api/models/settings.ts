/** An account's own settings, by their names on the wire, with what an account starts with (API decisions 9.6). */
import { defaultsOf, type SettingTable, type ValuesOf } from '../setting.ts';

/** PATCH /settings/notifications (specification 4). */
export const notificationSettings = {
  access: 'person',
  settings: {
    enable_stream_desktop_notifications: { type: 'flag', initial: false, section: 'streams' },
    enable_stream_email_notifications: { type: 'flag', initial: false },
    enable_stream_push_notifications: { type: 'flag', initial: false },
    enable_stream_audible_notifications: { type: 'flag', initial: false, section: 'streams' },
    notification_sound: { type: 'text', initial: 'zulip' },
    enable_desktop_notifications: { type: 'flag', initial: true, section: 'reader' },
    enable_sounds: { type: 'flag', initial: true, section: 'reader' },
    enable_offline_email_notifications: { type: 'flag', initial: true },
    enable_offline_push_notifications: { type: 'flag', initial: true },
    enable_online_push_notifications: { type: 'flag', initial: false },
    enable_digest_emails: { type: 'flag', initial: false },
    enable_login_emails: { type: 'flag', initial: true },
    message_content_in_email_notifications: { type: 'flag', initial: true },
    pm_content_in_desktop_notifications: { type: 'flag', initial: true, section: 'look' },
    wildcard_mentions_notify: { type: 'flag', initial: true, section: 'reader' },
    /** 1 all unreads, 2 private messages and mentions, 3 none. */
    desktop_icon_count_display: { type: 'choice', of: [1, 2, 3], initial: 1 },
    realm_name_in_notifications: { type: 'flag', initial: false, section: 'look' },
  },
} as const satisfies SettingTable;

/** PATCH /settings/display (API decisions 9.6). */
export const displaySettings = {
  access: 'person',
  settings: {
    default_language: { type: 'text', initial: 'en' },
    dense_mode: { type: 'flag', initial: true },
    emojiset: { type: 'text', initial: 'google-blob' },
    fluid_layout_width: { type: 'flag', initial: false },
    high_contrast_mode: { type: 'flag', initial: false },
    left_side_userlist: { type: 'flag', initial: false },
    night_mode: { type: 'flag', initial: false },
    starred_message_counts: { type: 'flag', initial: false, section: 'reading' },
    /** A name of the IANA database; empty where it is not known. */
    timezone: { type: 'text', initial: '' },
    translate_emoticons: { type: 'flag', initial: false },
    twenty_four_hour_time: { type: 'flag', initial: false },
    /** 1 automatically, 2 always, 3 never. */
    demote_inactive_streams: { type: 'choice', of: [1, 2, 3], initial: 1 },
  },
} as const satisfies SettingTable;

export type NotificationSettings = ValuesOf<typeof notificationSettings.settings>;
export type DisplaySettings = ValuesOf<typeof displaySettings.settings>;

export const notificationDefaults = defaultsOf(notificationSettings);
export const displayDefaults = defaultsOf(displaySettings);
