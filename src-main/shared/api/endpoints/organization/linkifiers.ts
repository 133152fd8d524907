import { z } from 'zod';
import { positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { required, wire } from '#shared/api/wire.ts';

export const linkifiers = {
  filters: endpoint({
    method: 'GET',
    path: '/realm/filters',
    auth: 'user',
    params: wire({}),
    result: z.object({ filters: z.array(z.tuple([z.string(), z.string(), z.int()])) }),
    errors: [],
    summary: 'List the linkifiers, each as pattern, URL format and id.',
    spec: 'API decisions 7.6, GET /realm/filters',
  }),
  list: endpoint({
    method: 'GET',
    path: '/realm/linkifiers',
    auth: 'user',
    params: wire({}),
    result: z.object({
      linkifiers: z.array(z.object({ id: z.int(), pattern: z.string(), url_format: z.string() })),
    }),
    errors: [],
    summary: 'List the linkifiers as objects.',
    spec: 'API decisions 7.6, GET /realm/linkifiers',
  }),
  add: endpoint({
    method: 'POST',
    path: '/realm/filters',
    auth: 'user',
    access: 'admin',
    params: wire({
      pattern: required(text, 'text'),
      urlFormatString: required(text, 'text'),
    }),
    result: z.object({ id: z.int() }),
    errors: ['BAD_REQUEST'],
    summary: 'Turn what a pattern matches in messages into links.',
    spec: 'API decisions 7.6, POST /realm/filters',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/realm/filters/:filter_id',
    auth: 'user',
    access: 'admin',
    params: wire({ filterId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Remove a linkifier; messages keep the links that it made.',
    spec: 'API decisions 7.6, DELETE /realm/filters/{id}',
  }),
};
