import { z } from 'zod';

/** Everything that the audit log tells of (API decisions 15.9). */
export const auditTypes = [
  'sign_in',
  'sign_in_failed',
  'device_ended',
  'key_renewed',
  'keys_renewed',
  'password_changed',
  'password_link_created',
  'email_changed',
  'name_changed',
  'role_changed',
  'user_created',
  'user_deactivated',
  'user_reactivated',
  'bot_created',
  'bot_owner_changed',
  'invitation_created',
  'invitation_revoked',
  'invitation_accepted',
  'join_request_accepted',
  'join_request_declined',
  'stream_created',
  'stream_archived',
  'stream_restored',
  'stream_privacy_changed',
  'stream_renamed',
  'stream_posting_changed',
  'stream_history_changed',
  'stream_default_changed',
  'stream_members_added',
  'stream_members_removed',
  'group_created',
  'group_renamed',
  'group_members_added',
  'group_members_removed',
  'group_removed',
  'setting_changed',
  'webhook_target_allowed',
  'webhook_target_removed',
  'linkifier_added',
  'linkifier_removed',
  'emoji_added',
  'emoji_removed',
  'profile_field_added',
  'profile_field_changed',
  'profile_field_removed',
  'messages_deleted',
  'messages_recovered',
  'file_deleted',
  'organization_created',
  'organization_deactivated',
  'organization_reactivated',
  'organization_succeeded',
  'organization_stolen',
  'log_exported',
] as const;
export type AuditType = (typeof auditTypes)[number];

const value = z.union([z.string(), z.number(), z.boolean()]).nullable().optional();

/** What an entry says beside who, whom and where; which keys there are depends on its type. */
export const AuditDetails = z.object({
  /** What it was done to, as it was called then. */
  name: z.string().optional(),
  email: z.string().optional(),
  role: z.enum(['admin', 'member', 'guest']).optional(),
  old: value,
  new: value,
  invitation_id: z.int().optional(),
  /** Present where an invitation is for many. */
  max_uses: z.int().optional(),
  /** How large the file was. */
  bytes: z.int().optional(),
  /** How many came back, and how many were offered that this organization has not said. */
  messages: z.int().optional(),
  forged: z.int().optional(),
  device_id: z.int().optional(),
  device: z.string().optional(),
  /** Why signing in failed. */
  reason: z.string().optional(),
  /** At most 500; more are told by more entries, as are accounts. */
  message_ids: z.array(z.int()).optional(),
  user_ids: z.array(z.int()).optional(),
});
export type AuditDetails = z.input<typeof AuditDetails>;

/** What somebody did, as the audit log keeps it. */
export const AuditEntry = z.object({
  id: z.int(),
  type: z.enum(auditTypes),
  /** UNIX seconds. */
  time: z.int(),
  /** Who did it; null where nobody was signed in. */
  actor_id: z.int().nullable(),
  /** Of IPv6 the network; empty in an entry that counts what came from many. */
  address: z.string(),
  /** The program, by the name that it gives itself. */
  client: z.string(),
  /** The account that it was done to. */
  user_id: z.int().nullable(),
  stream_id: z.int().nullable(),
  /** How often within the minute; above 1 only where signing in failed. */
  count: z.int(),
  details: AuditDetails,
});
export type AuditEntry = z.input<typeof AuditEntry>;
