import { z } from 'zod';
import { positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { optional, required, wire } from '#shared/api/wire.ts';

/** A way back for somebody who forgot their password: no mail is sent, an administrator passes the link on. */
export const passwordLinks = {
  make: endpoint({
    method: 'POST',
    path: '/users/:user_id/password_link',
    auth: 'user',
    access: 'admin',
    ownPasswordWith: ['password'],
    params: wire({
      userId: required(positiveInt),
      /** The caller's own; only accounts of a development server have none. */
      password: optional(text, 'text'),
    }),
    result: z.object({
      link: z.string(),
      /** UNIX seconds. */
      valid_until: z.int(),
    }),
    errors: ['BAD_REQUEST', 'RATE_LIMIT_HIT', 'WRONG_PASSWORD'],
    summary: 'Make a link with which somebody else chooses a new password, once (administrators).',
    spec: 'API decisions 15.8',
  }),
  use: endpoint({
    method: 'POST',
    path: '/password_link',
    auth: 'none',
    limit: 'sign-in',
    params: wire({
      /** From the link. */
      token: required(text, 'text'),
      newPassword: required(text, 'text'),
    }),
    /** Whose password it is now. */
    result: z.object({ email: z.string() }),
    errors: [
      'BAD_REQUEST',
      'LINK_NOT_VALID',
      'RATE_LIMIT_HIT',
      'ORGANIZATION_CLOSED',
      'REALM_DEACTIVATED',
      'REQUEST_VARIABLE_INVALID',
    ],
    summary: 'Choose a new password by a link: every key of the account ends.',
    spec: 'API decisions 15.8',
  }),
};
