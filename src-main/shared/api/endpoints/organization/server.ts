import { z } from 'zod';
import { positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { optional, required, wire } from '#shared/api/wire.ts';

const epoch = z.object({
  n: z.number(),
  id: z.string(),
  parent: z.string(),
  signature: z.string().nullable(),
});

export const server = {
  settings: endpoint({
    method: 'GET',
    path: '/server_settings',
    auth: 'none',
    params: wire({}),
    /** The realm_ keys are absent while there is no organization yet (specification 2). */
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
      /** Absent for an organization that was never restored (API decisions 15.11). */
      epoch: epoch.optional(),
      /** Only where the organization goes on elsewhere: its restore generation there, and the addresses that are known (API decisions 15.14). */
      successor: z.object({ epoch, addresses: z.array(z.string()) }).optional(),
      /** The key by which the organization goes on once its own is stolen (API decisions 15.16); absent while it has none. */
      successor_key: z
        .object({ pin: z.string(), office_key: z.string(), signature: z.string() })
        .optional(),
      /** Only there, and true, where the caller may ask to join (API decisions 15.20). */
      join_requests: z.literal(true).optional(),
      /** Only there, and true, while there is no organization and the caller cannot create one without the code. */
      setup_code_required: z.literal(true).optional(),
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
    spec: 'specification 2 and 4, GET /server_settings; API decisions 11, 15.11, 15.14, 15.16 and 15.20',
  }),
  /** Whoever has seen an office shows its restore generation: a computer that was left behind hears that it was. */
  meetEpoch: endpoint({
    method: 'POST',
    path: '/office/epoch',
    auth: 'none',
    params: wire({
      n: required(positiveInt),
      id: required(text, 'text'),
      parent: required(text, 'text'),
      signature: required(text, 'text'),
    }),
    result: z.object({ epoch: epoch.optional() }),
    errors: ['BAD_REQUEST'],
    summary: 'Show an epoch of the organization; a later one closes it here.',
    spec: 'API decisions 15.11',
  }),
  /** An office on a laptop has another address tomorrow: its clients know where else to look. */
  addresses: endpoint({
    method: 'GET',
    path: '/office/addresses',
    auth: 'user',
    access: 'person',
    params: wire({}),
    result: z.object({ addresses: z.array(z.string()) }),
    errors: ['BAD_REQUEST'],
    summary: 'The origins at which others reach the organization now.',
    spec: 'API decisions 15.13',
  }),
  /** Only while the service has no organization. */
  createOrganization: endpoint({
    method: 'POST',
    path: '/organization',
    auth: 'none',
    params: wire({
      realmName: required(text, 'text'),
      fullName: required(text, 'text'),
      email: required(text, 'text'),
      password: required(text, 'text'),
      /** What the service printed when it started; needed from everywhere but the computer that it runs on. */
      setupCode: optional(text, 'text'),
    }),
    result: z.object({ api_key: z.string(), email: z.string() }),
    errors: ['BAD_REQUEST', 'REQUEST_VARIABLE_INVALID'],
    summary: 'Create the organization and its first administrator.',
    spec: 'API decisions 15.5; architecture 2',
  }),
};
