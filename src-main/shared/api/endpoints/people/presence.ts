import { z } from 'zod';
import { bool, oneOf, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { Presences, presenceStatuses } from '#shared/api/models/presence.ts';
import { optional, required, wire, withDefault } from '#shared/api/wire.ts';

/** UNIX seconds with their fraction. */
const serverTimestamp = z.number();

const Seen = z.object({ status: z.enum([...presenceStatuses, 'offline']), timestamp: z.int() });

export const presence = {
  report: endpoint({
    method: 'POST',
    path: '/users/me/presence',
    auth: 'user',
    access: 'person',
    params: wire({
      status: required(oneOf(presenceStatuses)),
      pingOnly: withDefault(bool, false),
      newUserInput: withDefault(bool, false),
      client: optional(text, 'text'),
    }),
    /** Empty for a ping. */
    result: z.object({
      presences: Presences.optional(),
      server_timestamp: serverTimestamp.optional(),
    }),
    errors: ['BAD_REQUEST'],
    summary: 'Report that the caller is active or idle; answers how everybody is.',
    spec: 'API decisions 7.3, 9.4 and 13',
  }),
  ofUser: endpoint({
    method: 'GET',
    path: '/users/:user/presence',
    auth: 'user',
    /** An id or an e-mail address. */
    params: wire({ user: required(text, 'text') }),
    result: z.object({ presence: z.object({ aggregated: Seen }).catchall(Seen) }),
    errors: ['BAD_REQUEST'],
    summary: 'What the clients of one person last reported.',
    spec: 'API decisions 7.3',
  }),
  list: endpoint({
    method: 'GET',
    path: '/realm/presence',
    auth: 'user',
    params: wire({}),
    result: z.object({ presences: Presences, server_timestamp: serverTimestamp }),
    errors: [],
    summary: 'What everybody was last seen doing.',
    spec: 'API decisions 7.3 and 9.4',
  }),
};
