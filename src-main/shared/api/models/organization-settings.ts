/** The settings of the organization by their names on the wire, with what it starts with (API decisions 7.6 and 9.5). */
import { MOST_UPLOAD_MIB } from '../bounds.ts';
import { defaultsOf, type SettingTable, type ValuesOf } from '../setting.ts';

export const organizationSettings = {
  access: 'admin',
  settings: {
    name: { type: 'text', initial: '' },
    description: { type: 'text', initial: '' },
    default_language: { type: 'text', initial: 'en' },
    default_code_block_language: { type: 'text or none', initial: null },
    default_twenty_four_hour_time: { type: 'flag', initial: false },
    allow_message_editing: { type: 'flag', initial: true, section: 'messages', group: 'default' },
    message_content_edit_limit_seconds: {
      type: 'number',
      initial: 600,
      section: 'messages',
      group: 'default',
      onlyWith: 'allow_message_editing',
    },
    allow_edit_history: { type: 'flag', initial: true, section: 'messages' },
    allow_community_topic_editing: {
      type: 'flag',
      initial: true,
      section: 'messages',
      group: 'default',
    },
    allow_message_deleting: { type: 'flag', initial: false, section: 'messages' },
    message_content_delete_limit_seconds: {
      type: 'number',
      initial: 600,
      section: 'messages',
      onlyWith: 'allow_message_deleting',
    },
    mandatory_topics: { type: 'flag', initial: false, section: 'messages' },
    /** 1 members, 2 administrators. */
    create_stream_policy: { type: 'choice', of: [1, 2], initial: 1, section: 'rights' },
    /** 1 members, 2 administrators. */
    invite_to_stream_policy: { type: 'choice', of: [1, 2], initial: 1, section: 'rights' },
    /** 1 everybody, 2 generic bots only by administrators, 3 all only by administrators. */
    bot_creation_policy: { type: 'choice', of: [1, 2, 3], initial: 1, section: 'rights' },
    /** 1 among everybody, 2 only with bots. */
    private_message_policy: { type: 'choice', of: [1, 2], initial: 1, section: 'rights' },
    /** 1 members, 2 administrators. */
    user_group_edit_policy: { type: 'choice', of: [1, 2], initial: 1, section: 'rights' },
    invite_by_admins_only: { type: 'flag', initial: false, section: 'rights' },
    /** 1 nobody, 2 people in the same network, 3 everybody who reaches the service. */
    ask_to_join_policy: { type: 'choice', of: [1, 2, 3], initial: 2 },
    add_emoji_by_admins_only: { type: 'flag', initial: false, section: 'rights' },
    name_changes_disabled: { type: 'flag', initial: false, section: 'people' },
    email_changes_disabled: { type: 'flag', initial: false, section: 'people' },
    avatar_changes_disabled: { type: 'flag', initial: false, section: 'people' },
    inline_image_preview: { type: 'flag', initial: true, section: 'messages' },
    presence_disabled: { type: 'flag', initial: false, section: 'people' },
    /** Bytes, for the files of everybody together. */
    upload_quota: { type: 'number or none', initial: null, section: 'files' },
    /** MiB. */
    max_file_upload_size: {
      type: 'number or default',
      initial: null,
      least: 1,
      most: MOST_UPLOAD_MIB,
      section: 'files',
    },
    /** Where new streams are announced. */
    notifications_stream_id: { type: 'id', initial: -1, section: 'messages' },
    audit_log_retention_days: { type: 'number', initial: 400, least: 30, most: 3650 },
  },
} as const satisfies SettingTable;

type Table = typeof organizationSettings.settings;
export type OrganizationSettings = ValuesOf<Table>;
export type OrganizationSetting = keyof Table;

export const organizationDefaults = defaultsOf(organizationSettings);
