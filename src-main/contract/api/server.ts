import { z } from 'zod';
import { text } from '../codecs.ts';
import { endpoint } from '../endpoint.ts';
import { required, wire } from '../wire.ts';

export const server = {
  settings: endpoint({
    method: 'GET',
    path: '/server_settings',
    auth: 'none',
    params: wire({}),
    /** The realm_ keys are absent while there is no organization yet (specification, section 2). */
    result: z.object({
      authentication_methods: z.record(z.string(), z.boolean()),
      chat_version: z.string(),
      zulip_version: z.string(),
      push_notifications_enabled: z.boolean(),
      is_incompatible: z.boolean(),
      email_auth_enabled: z.boolean(),
      require_email_format_usernames: z.boolean(),
      realm_uri: z.string().optional(),
      realm_name: z.string().optional(),
      realm_icon: z.string().optional(),
      realm_description: z.string().optional(),
      external_authentication_methods: z.array(
        z.object({
          name: z.string(),
          display_name: z.string(),
          display_icon: z.string().nullable(),
          login_url: z.string(),
          signup_url: z.string(),
        }),
      ),
    }),
    errors: [],
    summary: 'What a client needs to know before it signs in.',
    spec: 'specification 2 and 4, GET /server_settings; API decisions 11',
  }),
  /** Only while the service has no organization, and only from the machine it runs on. */
  createOrganization: endpoint({
    method: 'POST',
    path: '/organization',
    auth: 'none',
    params: wire({
      realmName: required(text, 'text'),
      fullName: required(text, 'text'),
      email: required(text, 'text'),
      password: required(text, 'text'),
    }),
    result: z.object({ api_key: z.string(), email: z.string() }),
    errors: ['BAD_REQUEST'],
    summary: 'Create the organization and its first administrator.',
    spec: 'architecture 2',
  }),
};
