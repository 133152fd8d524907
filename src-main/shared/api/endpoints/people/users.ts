import { z } from 'zod';
import { bool, jsonOrRawText, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { Member, Profile } from '#shared/api/models/user.ts';
import { optional, required, wire, withDefault } from '#shared/api/wire.ts';

const keyResult = z.object({ api_key: z.string(), email: z.string() });

export const users = {
  me: endpoint({
    method: 'GET',
    path: '/users/me',
    auth: 'user',
    params: wire({}),
    result: Profile,
    errors: [],
    summary: "The caller's own profile.",
    spec: 'specification 4, GET /users/me; API decisions 9.1',
  }),
  list: endpoint({
    method: 'GET',
    path: '/users',
    auth: 'user',
    params: wire({
      clientGravatar: withDefault(bool, false),
      includeCustomProfileFields: withDefault(bool, false),
    }),
    result: z.object({ members: z.array(Member) }),
    errors: [],
    summary: 'List all accounts of the organization.',
    spec: 'specification 4, GET /users; API decisions 9.1',
  }),
  create: endpoint({
    method: 'POST',
    path: '/users',
    auth: 'user',
    access: 'admin',
    params: wire({
      email: required(text, 'text'),
      password: required(text, 'text'),
      fullName: required(jsonOrRawText, 'text'),
      shortName: optional(text, 'text'),
    }),
    result: z.object({ user_id: z.int() }),
    errors: ['BAD_REQUEST', 'REQUEST_VARIABLE_INVALID'],
    summary: 'Create an account (administrators).',
    spec: 'API decisions 7.3',
  }),
  fetchApiKey: endpoint({
    method: 'POST',
    path: '/fetch_api_key',
    auth: 'none',
    limit: 'sign-in',
    params: wire({ username: required(text, 'text'), password: required(text, 'text') }),
    result: keyResult,
    errors: ['AUTHENTICATION_FAILED', 'ORGANIZATION_CLOSED', 'BAD_REQUEST', 'RATE_LIMIT_HIT'],
    summary: 'Exchange an e-mail address and a password for the API key.',
    spec: 'API decisions 10.3',
  }),
  devFetchApiKey: endpoint({
    method: 'POST',
    path: '/dev_fetch_api_key',
    auth: 'none',
    isSameOrigin: true,
    /** Optional here because a production service refuses the call whatever it carries. */
    params: wire({ username: optional(text, 'text') }),
    result: keyResult,
    errors: [
      'BAD_REQUEST',
      'REQUEST_VARIABLE_MISSING',
      'AUTHENTICATION_FAILED',
      'ORGANIZATION_CLOSED',
    ],
    summary: 'The API key of any account, on a development server only.',
    spec: 'specification 4, POST /dev_fetch_api_key; API decisions 10.3',
  }),
};
