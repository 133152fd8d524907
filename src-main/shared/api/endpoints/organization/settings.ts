import { endpoint } from '#shared/api/endpoint.ts';
import { organizationSettings } from '#shared/api/models/organization-settings.ts';
import { settingAnswer, settingParams } from '#shared/api/setting-codecs.ts';

export const realm = {
  update: endpoint({
    method: 'PATCH',
    path: '/realm',
    auth: 'user',
    access: organizationSettings.access,
    params: settingParams(organizationSettings),
    result: settingAnswer(organizationSettings),
    errors: ['BAD_REQUEST'],
    summary: 'Change settings of the organization; answers those that really changed.',
    spec: 'API decisions 7.6, PATCH /realm, and 9.5',
  }),
};
