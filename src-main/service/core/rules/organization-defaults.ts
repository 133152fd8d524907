/** What an organization starts with (API decisions 9.5). */

export const COMPATIBLE_VERSION = '2.1.0';

const authenticationMethods = [
  'azuread',
  'dev',
  'email',
  'github',
  'google',
  'ldap',
  'password',
  'remoteuser',
  'saml',
] as const;

/** Passwords are the one method; a development server also hands out keys without one. */
export const authenticationMethodsOf = (isDevelopment: boolean): Record<string, boolean> =>
  Object.fromEntries(
    authenticationMethods.map((method) => [
      method,
      method === 'email' || method === 'password' || (method === 'dev' && isDevelopment),
    ]),
  );

/** `realm_` is put before each key. */
export const realmDefaults = {
  icon_url: '/icon.png',
  icon_source: 'G',
  default_language: 'en',
  default_twenty_four_hour_time: false,
  allow_message_editing: true,
  message_content_edit_limit_seconds: 600,
  allow_edit_history: true,
  allow_community_topic_editing: true,
  allow_message_deleting: false,
  message_content_delete_limit_seconds: 600,
  message_retention_days: null,
  mandatory_topics: false,
  create_stream_policy: 1,
  invite_to_stream_policy: 1,
  bot_creation_policy: 1,
  user_group_edit_policy: 1,
  private_message_policy: 1,
  email_address_visibility: 1,
  waiting_period_threshold: 0,
  invite_required: true,
  invite_by_admins_only: false,
  ask_to_join_policy: 2,
  add_emoji_by_admins_only: false,
  name_changes_disabled: false,
  email_changes_disabled: false,
  avatar_changes_disabled: false,
  inline_image_preview: true,
  inline_url_embed_preview: false,
  send_welcome_emails: true,
  digest_emails_enabled: false,
  digest_weekday: 1,
  message_content_allowed_in_email_notifications: true,
  emails_restricted_to_domains: false,
  disallow_disposable_email_addresses: true,
  video_chat_provider: 1,
  available_video_chat_providers: {},
  default_code_block_language: null,
  presence_disabled: false,
  upload_quota: null,
  /** MiB; null for what the installation allows. */
  max_file_upload_size: null,
  plan_type: 1,
  password_auth_enabled: true,
  email_auth_enabled: true,
  push_notifications_enabled: false,
  authentication_methods: { Email: true },
  signup_notifications_stream_id: -1,
  is_zephyr_mirror_realm: false,
  logo_url: '/icon.png',
  logo_source: 'D',
  night_logo_url: '/icon.png',
  night_logo_source: 'D',
  default_external_accounts: {},
  audit_log_retention_days: 400,
} as const;

export const uploadLimits = {
  max_icon_file_size: 5,
  max_logo_file_size: 5,
  max_avatar_file_size: 5,
  settings_send_digest_emails: false,
  plan_includes_wide_organization_logo: true,
} as const;
