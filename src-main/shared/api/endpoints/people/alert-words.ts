import { z } from 'zod';
import { stringList } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { required, wire } from '#shared/api/wire.ts';

const path = '/users/me/alert_words';
const result = z.object({ alert_words: z.array(z.string()) });
const spec = 'API decisions 7.3';
const params = wire({ alertWords: required(stringList) });

/** Words that flag the messages in which they occur. */
export const alertWords = {
  list: endpoint({
    method: 'GET',
    path,
    auth: 'user',
    params: wire({}),
    result,
    errors: [],
    summary: "List the caller's alert words.",
    spec,
  }),
  add: endpoint({
    method: 'POST',
    path,
    auth: 'user',
    params,
    result,
    errors: ['BAD_REQUEST'],
    summary: 'Add alert words; answers all of them.',
    spec,
  }),
  put: endpoint({
    method: 'PUT',
    path,
    auth: 'user',
    params,
    result,
    errors: ['BAD_REQUEST'],
    summary: 'Add alert words; the same as POST.',
    spec,
  }),
  remove: endpoint({
    method: 'DELETE',
    path,
    auth: 'user',
    params,
    result,
    errors: [],
    summary: 'Remove alert words; answers those that are left.',
    spec,
  }),
};
