/** Events about changes of accounts, bots and personal settings (API decisions 8.2). */
import { z } from 'zod';
import { RealmBot } from '../models/bot.ts';

const id = z.int();
const settingValue = z.union([z.boolean(), z.int(), z.string()]);

const RealmUserRemoveEvent = z.strictObject({
  id,
  type: z.literal('realm_user'),
  op: z.literal('remove'),
  person: z.strictObject({ user_id: z.int(), email: z.string(), full_name: z.string() }),
});

const who = { user_id: z.int(), email: z.string() };

/** One change in each event. */
const ChangedPerson = z.union([
  z.strictObject({ ...who, full_name: z.string() }),
  z.strictObject({ ...who, is_admin: z.boolean() }),
  z.strictObject({ ...who, is_guest: z.boolean() }),
  z.strictObject({ ...who, timezone: z.string() }),
  z.strictObject({
    ...who,
    /** Null when the client computes gravatars itself. */
    avatar_url: z.string().nullable(),
    avatar_url_medium: z.string().nullable(),
    avatar_source: z.enum(['G', 'U']),
  }),
  z.strictObject({ ...who, bot_owner_id: z.int() }),
  /** `email` is the old address. */
  z.strictObject({ ...who, new_email: z.string() }),
  z.strictObject({
    ...who,
    custom_profile_field: z.strictObject({
      id: z.int(),
      value: z.string().nullable(),
      rendered_value: z.string().optional(),
    }),
  }),
]);

const RealmUserUpdateEvent = z.strictObject({
  id,
  type: z.literal('realm_user'),
  op: z.literal('update'),
  person: ChangedPerson,
});

const RealmBotAddEvent = z.strictObject({
  id,
  type: z.literal('realm_bot'),
  op: z.literal('add'),
  bot: z.strictObject(RealmBot.shape),
});

const RealmBotUpdateEvent = z.strictObject({
  id,
  type: z.literal('realm_bot'),
  op: z.literal('update'),
  /** Beside who it is only what changed. */
  bot: z.strictObject({ ...RealmBot.partial().shape, ...who }),
});

const RealmBotRemoveEvent = z.strictObject({
  id,
  type: z.literal('realm_bot'),
  op: z.literal('remove'),
  bot: z.strictObject({ ...who, full_name: z.string() }),
});

/** The account that is told may no longer see the bot. */
const RealmBotDeleteEvent = z.strictObject({
  id,
  type: z.literal('realm_bot'),
  op: z.literal('delete'),
  bot: z.strictObject(who),
});

const UpdateGlobalNotificationsEvent = z.strictObject({
  id,
  type: z.literal('update_global_notifications'),
  /** The account's e-mail address. */
  user: z.string(),
  notification_name: z.string(),
  setting: settingValue,
});

const UpdateDisplaySettingsEvent = z.strictObject({
  id,
  type: z.literal('update_display_settings'),
  user: z.string(),
  setting_name: z.string(),
  setting: settingValue,
  /** With `default_language` alone. */
  language_name: z.string().optional(),
});

const UserSettingsEvent = z.strictObject({
  id,
  type: z.literal('user_settings'),
  op: z.literal('update'),
  property: z.string(),
  value: settingValue,
});

export const accountEvents = [
  RealmUserRemoveEvent,
  RealmUserUpdateEvent,
  RealmBotAddEvent,
  RealmBotUpdateEvent,
  RealmBotRemoveEvent,
  RealmBotDeleteEvent,
  UpdateGlobalNotificationsEvent,
  UpdateDisplaySettingsEvent,
  UserSettingsEvent,
] as const;
