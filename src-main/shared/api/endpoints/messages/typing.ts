import { z } from 'zod';
import { anything, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { required, wire } from '#shared/api/wire.ts';

export const typing = {
  notify: endpoint({
    method: 'POST',
    path: '/typing',
    auth: 'user',
    params: wire({
      op: required(text, 'text'),
      /** The private forms of API decisions 2.3. */
      to: required(anything, 'text'),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Tell a private conversation that the caller starts to type, or stops: start, stop.',
    spec: 'API decisions 7.1 and 8.2',
  }),
};
