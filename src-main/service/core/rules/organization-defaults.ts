/** What an organization starts with (API decisions 9.5). */
import { PICTURE_MIB } from '#shared/api/bounds.ts';
import { organizationDefaults } from '#shared/api/models/organization-settings.ts';

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

/** Those that no endpoint of settings changes: an icon has one of its own, and for all others there is one value only. */
export const fixedSettings = {
  icon_url: '/icon.png',
  icon_source: 'G',
  message_retention_days: null,
  email_address_visibility: 1,
  waiting_period_threshold: 0,
  invite_required: true,
  inline_url_embed_preview: false,
  send_welcome_emails: true,
  digest_emails_enabled: false,
  digest_weekday: 1,
  message_content_allowed_in_email_notifications: true,
  emails_restricted_to_domains: false,
  disallow_disposable_email_addresses: true,
  video_chat_provider: 1,
  available_video_chat_providers: {},
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
} as const;

/** Those of `organizationSettings` that are columns of their own. */
export type SettingColumn = 'name' | 'description' | 'notifications_stream_id';

const {
  name: _name,
  description: _description,
  notifications_stream_id: _streamId,
  ...kept
} = organizationDefaults;

/** `realm_` is put before each key. */
export const realmDefaults = { ...kept, ...fixedSettings };

export const uploadLimits = {
  max_icon_file_size: PICTURE_MIB,
  max_logo_file_size: PICTURE_MIB,
  max_avatar_file_size: PICTURE_MIB,
  settings_send_digest_emails: false,
  plan_includes_wide_organization_logo: true,
} as const;
