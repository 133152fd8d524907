import { z } from 'zod';
import { stringList, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { optional, required, wire } from '#shared/api/wire.ts';

export const webhooks = {
  receive: endpoint({
    method: 'POST',
    path: '/external/:integration',
    auth: 'webhook',
    recordsRefusals: true,
    params: wire({
      integration: required(text, 'text'),
      stream: optional(text),
      topic: optional(text),
      /** Names of events, in which `*` stands for anything: others are left out. */
      onlyEvents: optional(stringList),
      excludeEvents: optional(stringList),
      /** Names of branches with commas between: pushes to others are left out. */
      branches: optional(text),
    }),
    result: z.object({}),
    errors: [
      'NOT_FOUND',
      'UNAUTHORIZED',
      'REQUEST_VARIABLE_MISSING',
      'BAD_REQUEST',
      'INVALID_JSON',
      'MISSING_HTTP_EVENT_HEADER',
      'UNEXPECTED_WEBHOOK_EVENT_TYPE',
      'STREAM_DOES_NOT_EXIST',
      'RATE_LIMIT_HIT',
    ],
    summary: 'Receive the payload of a third-party service.',
    spec: 'specification 4, Incoming webhook; API decisions 12',
  }),
  probe: endpoint({
    method: 'GET',
    path: '/external/:integration',
    auth: 'webhook',
    params: wire({
      integration: required(text, 'text'),
      /** Answered as it is, as plain text. */
      challenge: optional(text, 'text'),
    }),
    result: z.object({}),
    errors: ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'REQUEST_VARIABLE_MISSING'],
    summary: 'Answer a service that asks whether somebody is there before it delivers.',
    spec: 'API decisions 12.1',
  }),
};
