import { z } from 'zod';
import { text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { required, wire } from '#shared/api/wire.ts';

/** Closing the organization for everybody, and the way back. */
export const closing = {
  deactivate: endpoint({
    method: 'POST',
    path: '/realm/deactivate',
    auth: 'user',
    access: 'admin',
    params: wire({}),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary:
      'Deactivate the organization: nobody may call until it is reactivated (administrators).',
    spec: 'API decisions 1.2, 8.2 and 10.3',
  }),
  /** No key is accepted while the organization is deactivated; a password is. */
  reactivate: endpoint({
    method: 'POST',
    path: '/realm/reactivate',
    auth: 'none',
    limit: 'sign-in',
    params: wire({ username: required(text, 'text'), password: required(text, 'text') }),
    result: z.object({}),
    errors: ['AUTHENTICATION_FAILED', 'BAD_REQUEST', 'RATE_LIMIT_HIT'],
    summary: 'Reactivate the organization, by the password of an administrator.',
    spec: 'API decisions 1.2 and 10.3',
  }),
};
