import { z } from 'zod';
import { bool, jsonOrRawText, oneOfInts, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { DisplaySettings, NotificationSettings } from '#shared/api/models/settings.ts';
import { optional, wire } from '#shared/api/wire.ts';

export const settings = {
  update: endpoint({
    method: 'PATCH',
    path: '/settings',
    auth: 'user',
    access: 'person',
    ownPasswordWith: ['newPassword', 'email'],
    params: wire({
      fullName: optional(jsonOrRawText, 'text'),
      email: optional(text, 'text'),
      oldPassword: optional(text, 'text'),
      newPassword: optional(text, 'text'),
    }),
    /** Only what changed; with another password the new key of the device that asks: every other key has ended. */
    result: z.object({
      full_name: z.string().optional(),
      email: z.string().optional(),
      api_key: z.string().optional(),
    }),
    errors: ['BAD_REQUEST', 'RATE_LIMIT_HIT', 'REQUEST_VARIABLE_INVALID', 'WRONG_PASSWORD'],
    summary: 'Change the own name, e-mail address or password.',
    spec: 'API decisions 7.3',
  }),
  notifications: endpoint({
    method: 'PATCH',
    path: '/settings/notifications',
    auth: 'user',
    access: 'person',
    params: wire({
      enableStreamDesktopNotifications: optional(bool),
      enableStreamEmailNotifications: optional(bool),
      enableStreamPushNotifications: optional(bool),
      enableStreamAudibleNotifications: optional(bool),
      notificationSound: optional(jsonOrRawText, 'text'),
      enableDesktopNotifications: optional(bool),
      enableSounds: optional(bool),
      enableOfflineEmailNotifications: optional(bool),
      enableOfflinePushNotifications: optional(bool),
      enableOnlinePushNotifications: optional(bool),
      enableDigestEmails: optional(bool),
      enableLoginEmails: optional(bool),
      messageContentInEmailNotifications: optional(bool),
      pmContentInDesktopNotifications: optional(bool),
      wildcardMentionsNotify: optional(bool),
      desktopIconCountDisplay: optional(oneOfInts([1, 2, 3])),
      realmNameInNotifications: optional(bool),
    }),
    /** Only what changed. */
    result: NotificationSettings.partial(),
    errors: ['BAD_REQUEST'],
    summary: 'Change the own notification settings.',
    spec: 'specification 4, PATCH /settings/notifications; API decisions 9.6',
  }),
  display: endpoint({
    method: 'PATCH',
    path: '/settings/display',
    auth: 'user',
    access: 'person',
    params: wire({
      defaultLanguage: optional(jsonOrRawText, 'text'),
      denseMode: optional(bool),
      emojiset: optional(jsonOrRawText, 'text'),
      fluidLayoutWidth: optional(bool),
      highContrastMode: optional(bool),
      leftSideUserlist: optional(bool),
      nightMode: optional(bool),
      starredMessageCounts: optional(bool),
      timezone: optional(jsonOrRawText, 'text'),
      translateEmoticons: optional(bool),
      twentyFourHourTime: optional(bool),
      demoteInactiveStreams: optional(oneOfInts([1, 2, 3])),
    }),
    /** Only what changed. */
    result: DisplaySettings.partial(),
    errors: ['BAD_REQUEST'],
    summary: 'Change how the own clients show things.',
    spec: 'API decisions 7.3 and 9.6',
  }),
};
