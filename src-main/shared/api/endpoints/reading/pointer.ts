import { z } from 'zod';
import { int } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { required, wire } from '#shared/api/wire.ts';

const path = '/users/me/pointer';

const moving = endpoint({
  method: 'PUT',
  path,
  auth: 'user',
  params: wire({ pointer: required(int) }),
  result: z.object({}),
  errors: ['BAD_REQUEST'],
  summary: 'Move the pointer to a newer message; it never moves back.',
  spec: 'API decisions 7.3',
});

export const pointer = {
  get: endpoint({
    method: 'GET',
    path,
    auth: 'user',
    params: wire({}),
    /** A message id; -1 while none was set. */
    result: z.object({ pointer: z.int() }),
    errors: [],
    summary: 'The message that the caller had come to.',
    spec: 'API decisions 7.3',
  }),
  put: moving,
  post: endpoint({ ...moving, method: 'POST' }),
};
