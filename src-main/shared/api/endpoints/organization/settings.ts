import { z } from 'zod';
import { bool, int, jsonOrRawText, oneOfInts, positiveInt } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { optional, wire } from '#shared/api/wire.ts';

/** The settings that an administrator may change; for the others there is one value only. */
const settable = wire({
  name: optional(jsonOrRawText, 'text'),
  description: optional(jsonOrRawText, 'text'),
  defaultLanguage: optional(jsonOrRawText, 'text'),
  /** Empty for none. */
  defaultCodeBlockLanguage: optional(jsonOrRawText, 'text'),
  defaultTwentyFourHourTime: optional(bool),
  allowMessageEditing: optional(bool),
  /** 0 for no limit. */
  messageContentEditLimitSeconds: optional(positiveInt),
  allowEditHistory: optional(bool),
  allowCommunityTopicEditing: optional(bool),
  allowMessageDeleting: optional(bool),
  /** 0 for no limit. */
  messageContentDeleteLimitSeconds: optional(positiveInt),
  mandatoryTopics: optional(bool),
  /** 1 members, 2 administrators. */
  createStreamPolicy: optional(oneOfInts([1, 2])),
  /** 1 members, 2 administrators. */
  inviteToStreamPolicy: optional(oneOfInts([1, 2])),
  /** 1 everybody, 2 generic bots only by administrators, 3 all only by administrators. */
  botCreationPolicy: optional(oneOfInts([1, 2, 3])),
  /** 1 among everybody, 2 only with bots. */
  privateMessagePolicy: optional(oneOfInts([1, 2])),
  /** 1 members, 2 administrators. */
  userGroupEditPolicy: optional(oneOfInts([1, 2])),
  inviteByAdminsOnly: optional(bool),
  /** 1 nobody, 2 people in the same network, 3 everybody who reaches the service. */
  askToJoinPolicy: optional(oneOfInts([1, 2, 3])),
  addEmojiByAdminsOnly: optional(bool),
  nameChangesDisabled: optional(bool),
  emailChangesDisabled: optional(bool),
  avatarChangesDisabled: optional(bool),
  inlineImagePreview: optional(bool),
  presenceDisabled: optional(bool),
  /** Bytes, or -1 for no limit. */
  uploadQuota: optional(int),
  /** MiB, from 1 to 250. */
  maxFileUploadSize: optional(positiveInt),
  /** A stream id, or -1 for none. */
  notificationsStreamId: optional(int),
  /** From 30 to 3650. */
  auditLogRetentionDays: optional(positiveInt),
});

const text = z.string().optional();
const flag = z.boolean().optional();
const number = z.int().optional();

export const realm = {
  update: endpoint({
    method: 'PATCH',
    path: '/realm',
    auth: 'user',
    access: 'admin',
    params: settable,
    result: z.object({
      name: text,
      description: text,
      default_language: text,
      default_code_block_language: z.string().nullable().optional(),
      default_twenty_four_hour_time: flag,
      allow_message_editing: flag,
      message_content_edit_limit_seconds: number,
      allow_edit_history: flag,
      allow_community_topic_editing: flag,
      allow_message_deleting: flag,
      message_content_delete_limit_seconds: number,
      mandatory_topics: flag,
      create_stream_policy: number,
      invite_to_stream_policy: number,
      bot_creation_policy: number,
      private_message_policy: number,
      user_group_edit_policy: number,
      invite_by_admins_only: flag,
      ask_to_join_policy: number,
      add_emoji_by_admins_only: flag,
      name_changes_disabled: flag,
      email_changes_disabled: flag,
      avatar_changes_disabled: flag,
      inline_image_preview: flag,
      presence_disabled: flag,
      upload_quota: z.int().nullable().optional(),
      max_file_upload_size: number,
      notifications_stream_id: number,
      audit_log_retention_days: number,
    }),
    errors: ['BAD_REQUEST'],
    summary: 'Change settings of the organization; answers those that really changed.',
    spec: 'API decisions 7.6, PATCH /realm, and 9.5',
  }),
};
