/** The account's settings and those of the organization: keys of the wire, and values where they are missing. */
import { z } from 'zod';
import type { Organization } from '#shared/bridge/models/client-state.ts';

type Settings = Readonly<Record<string, unknown>>;

const count = z.number().min(0);

/** What each setting of the organization is called here; without the prefix `realm_` of the snapshot. */
const realmFields: Readonly<Record<string, (value: unknown) => Partial<Organization> | undefined>> =
  {
    name: text((name) => ({ name })),
    description: text((description) => ({ description })),
    icon_url: (value) =>
      read(z.string().nullable(), value, (url) => ({ iconUrl: url === '' ? null : url })),
    // "G": nobody has chosen one, and the address is that of a picture for all.
    icon_source: (source) => (source === 'G' ? { iconUrl: null } : undefined),
    allow_message_editing: flag((allowsEditing) => ({ allowsEditing })),
    message_content_edit_limit_seconds: limit((editLimitSeconds) => ({ editLimitSeconds })),
    allow_community_topic_editing: flag((allowsTopicEditing) => ({ allowsTopicEditing })),
    allow_message_deleting: flag((allowsDeleting) => ({ allowsDeleting })),
    message_content_delete_limit_seconds: limit((deleteLimitSeconds) => ({ deleteLimitSeconds })),
    allow_edit_history: flag((showsEditHistory) => ({ showsEditHistory })),
    name_changes_disabled: flag((isDisabled) => ({ allowsNameChanges: !isDisabled })),
    email_changes_disabled: flag((isDisabled) => ({ allowsEmailChanges: !isDisabled })),
    avatar_changes_disabled: flag((isDisabled) => ({ allowsAvatarChanges: !isDisabled })),
    create_stream_policy: limit((createStreamPolicy) => ({ createStreamPolicy })),
    invite_to_stream_policy: limit((subscribeOthersPolicy) => ({ subscribeOthersPolicy })),
    user_group_edit_policy: limit((userGroupPolicy) => ({ userGroupPolicy })),
    bot_creation_policy: limit((botPolicy) => ({ botPolicy })),
    private_message_policy: limit((privateMessagePolicy) => ({ privateMessagePolicy })),
    invite_by_admins_only: flag((invitesByAdminsOnly) => ({ invitesByAdminsOnly })),
    ask_to_join_policy: limit((askToJoinPolicy) => ({ askToJoinPolicy })),
    add_emoji_by_admins_only: flag((emojiByAdminsOnly) => ({ emojiByAdminsOnly })),
    upload_quota: (value) =>
      read(count.nullable(), value, (uploadQuotaBytes) => ({ uploadQuotaBytes })),
    max_file_upload_size: (value) => read(count, value, (maxUploadMiB) => ({ maxUploadMiB })),
    mandatory_topics: flag((needsTopics) => ({ needsTopics })),
    // Below 0 for none.
    notifications_stream_id: (value) =>
      read(z.int(), value, (id) => ({ announcementStreamId: id < 0 ? null : id })),
    inline_image_preview: flag((showsLinkedImages) => ({ showsLinkedImages })),
    presence_disabled: flag((isDisabled) => ({ showsPresence: !isDisabled })),
    audit_log_retention_days: limit((auditLogDays) => ({ auditLogDays })),
  };

function read<T>(
  codec: z.ZodType<T>,
  value: unknown,
  field: (value: T) => Partial<Organization>,
): Partial<Organization> | undefined {
  const result = codec.safeParse(value);
  return result.success ? field(result.data) : undefined;
}

function text(field: (value: string) => Partial<Organization>) {
  return (value: unknown): Partial<Organization> | undefined => read(z.string(), value, field);
}

function flag(field: (value: boolean) => Partial<Organization>) {
  return (value: unknown): Partial<Organization> | undefined => read(z.boolean(), value, field);
}

/** Newer services have null for what has no limit. */
function limit(field: (value: number) => Partial<Organization>) {
  return (value: unknown): Partial<Organization> | undefined =>
    read(count.nullable(), value, (seconds) => field(seconds ?? 0));
}

export const realmKeys: readonly string[] = Object.keys(realmFields);

/** The organization with what these settings say; the same object where they say nothing new. */
export function withRealmSettings(organization: Organization, settings: Settings): Organization {
  let changed = organization;
  // In the order of the fields: one may say more of what another one said.
  for (const [key, fieldOf] of Object.entries(realmFields)) {
    const field = Object.hasOwn(settings, key) ? fieldOf(settings[key]) : undefined;
    for (const [name, shown] of Object.entries(field ?? {})) {
      if (changed[name as keyof Organization] !== shown) changed = { ...changed, [name]: shown };
    }
  }
  return changed;
}

export const defaultOrganization: Organization = {
  name: '',
  description: '',
  iconUrl: null,
  allowsEditing: true,
  editLimitSeconds: 600,
  allowsTopicEditing: true,
  allowsDeleting: false,
  deleteLimitSeconds: 600,
  showsEditHistory: true,
  maxUploadMiB: 25,
  uploadQuotaBytes: null,
  canCreateStreams: true,
  canSubscribeOthers: true,
  allowsNameChanges: true,
  allowsEmailChanges: true,
  allowsAvatarChanges: true,
  createStreamPolicy: 1,
  subscribeOthersPolicy: 1,
  userGroupPolicy: 1,
  botPolicy: 1,
  privateMessagePolicy: 1,
  invitesByAdminsOnly: false,
  // A service of before takes none.
  askToJoinPolicy: 0,
  joinRequests: 0,
  emojiByAdminsOnly: false,
  needsTopics: false,
  announcementStreamId: null,
  showsLinkedImages: true,
  showsPresence: true,
  auditLogDays: 400,
  notificationSounds: [],
};
