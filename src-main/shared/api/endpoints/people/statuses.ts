import { z } from 'zod';
import { bool, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { optional, wire } from '#shared/api/wire.ts';

export const statuses = {
  set: endpoint({
    method: 'POST',
    path: '/users/me/status',
    auth: 'user',
    access: 'person',
    /** One of them is needed. Empty text takes the text away. */
    params: wire({ away: optional(bool), statusText: optional(text, 'text') }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Say that one is away, or what one is doing.',
    spec: 'API decisions 7.3 and 8.2',
  }),
};
