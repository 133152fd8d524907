import { z } from 'zod';
import { jsonOrRawText, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { required, wire } from '#shared/api/wire.ts';

const DevelopmentUser = z.object({ email: z.string(), realm_uri: z.string() });

/** Accepted, but kept nowhere: nothing is ever pushed, as /server_settings tells. */
const deviceToken = (method: 'POST' | 'DELETE', path: string) =>
  endpoint({
    method,
    path,
    auth: 'user',
    access: 'person',
    params: wire({ token: required(text, 'text') }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Accepted without effect: this service pushes nothing to devices.',
    spec: 'API decisions 7.6',
  });

/** What clients of the era call, and what this service has little to say to. */
export const compatibility = {
  listDevelopmentUsers: endpoint({
    method: 'GET',
    path: '/dev_list_users',
    auth: 'none',
    isSameOrigin: true,
    params: wire({}),
    result: z.object({
      direct_admins: z.array(DevelopmentUser),
      direct_users: z.array(DevelopmentUser),
    }),
    errors: ['BAD_REQUEST'],
    summary: 'The people of the organization, on a development server only.',
    spec: 'API decisions 7.6',
  }),
  setTutorialStatus: endpoint({
    method: 'POST',
    path: '/users/me/tutorial_status',
    auth: 'user',
    access: 'person',
    params: wire({ status: required(jsonOrRawText, 'text') }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Accepted without effect: there is no tutorial.',
    spec: 'API decisions 7.6',
  }),
  addAppleToken: deviceToken('POST', '/users/me/apns_device_token'),
  removeAppleToken: deviceToken('DELETE', '/users/me/apns_device_token'),
  addAndroidToken: deviceToken('POST', '/users/me/android_gcm_reg_id'),
  removeAndroidToken: deviceToken('DELETE', '/users/me/android_gcm_reg_id'),
};
