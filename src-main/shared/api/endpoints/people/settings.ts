import { z } from 'zod';
import { jsonOrRawText, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { displaySettings, notificationSettings } from '#shared/api/models/settings.ts';
import { settingAnswer, settingParams } from '#shared/api/setting-codecs.ts';
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
    access: notificationSettings.access,
    params: settingParams(notificationSettings),
    result: settingAnswer(notificationSettings),
    errors: ['BAD_REQUEST'],
    summary: 'Change the own notification settings.',
    spec: 'specification 4, PATCH /settings/notifications; API decisions 9.6',
  }),
  display: endpoint({
    method: 'PATCH',
    path: '/settings/display',
    auth: 'user',
    access: displaySettings.access,
    params: settingParams(displaySettings),
    result: settingAnswer(displaySettings),
    errors: ['BAD_REQUEST'],
    summary: 'Change how the own clients show things.',
    spec: 'API decisions 7.3 and 9.6',
  }),
};
