import { z } from 'zod';
import { positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { required, wire } from '#shared/api/wire.ts';

export const submessages = {
  add: endpoint({
    method: 'POST',
    path: '/submessage',
    auth: 'user',
    params: wire({
      messageId: required(positiveInt),
      msgType: required(text, 'text'),
      /** JSON. */
      content: required(text, 'text'),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Attach data of an experimental integration to a message (its holders).',
    spec: 'API decisions 5, 7.1 and 8.2',
  }),
};
