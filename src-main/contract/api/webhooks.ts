import { z } from 'zod';
import { text } from '../codecs.ts';
import { endpoint } from '../endpoint.ts';
import { optional, required, wire } from '../wire.ts';

export const webhooks = {
  receive: endpoint({
    method: 'POST',
    path: '/external/:integration',
    auth: 'webhook',
    params: wire({
      integration: required(text, 'text'),
      stream: optional(text),
      topic: optional(text),
    }),
    result: z.object({}),
    errors: [
      'NOT_FOUND',
      'REQUEST_VARIABLE_MISSING',
      'BAD_REQUEST',
      'INVALID_JSON',
      'STREAM_DOES_NOT_EXIST',
    ],
    summary: 'Receive the payload of a third-party service.',
    spec: 'specification 4, Incoming webhook; API decisions 12',
  }),
};
