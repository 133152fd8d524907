import { z } from 'zod';
import { bool, json, jsonOrRawText, oneOfInts, positiveInt } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { ProfileAnswers } from '#shared/api/models/profile.ts';
import { Member } from '#shared/api/models/user.ts';
import { optional, required, wire, withDefault } from '#shared/api/wire.ts';

export const userAdmin = {
  get: endpoint({
    method: 'GET',
    path: '/users/:user_id',
    auth: 'user',
    params: wire({
      userId: required(positiveInt),
      clientGravatar: withDefault(bool, false),
      includeCustomProfileFields: withDefault(bool, false),
    }),
    result: z.object({ user: Member }),
    errors: ['BAD_REQUEST'],
    summary: 'One account of the organization.',
    spec: 'API decisions 7.3 and 9.1',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/users/:user_id',
    auth: 'user',
    access: 'admin',
    params: wire({
      userId: required(positiveInt),
      fullName: optional(jsonOrRawText, 'text'),
      isAdmin: optional(bool),
      isGuest: optional(bool),
      /** 200 administrator, 400 member, 600 guest. */
      role: optional(oneOfInts([200, 400, 600])),
      /** A blank value takes an answer away. */
      profileData: optional(
        json<ProfileAnswers>('a list of objects with id and value', ProfileAnswers),
      ),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST', 'CANNOT_DEACTIVATE_LAST_USER'],
    summary: "Change another account's name, role or profile (administrators).",
    spec: 'API decisions 7.3',
  }),
  deactivate: endpoint({
    method: 'DELETE',
    path: '/users/:user_id',
    auth: 'user',
    access: 'admin',
    params: wire({ userId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST', 'CANNOT_DEACTIVATE_LAST_USER'],
    summary: 'Deactivate an account and the bots that it owns (administrators).',
    spec: 'API decisions 7.3 and 10.4',
  }),
  reactivate: endpoint({
    method: 'POST',
    path: '/users/:user_id/reactivate',
    auth: 'user',
    access: 'admin',
    params: wire({ userId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Reactivate an account (administrators).',
    spec: 'API decisions 7.3',
  }),
  regenerateKey: endpoint({
    method: 'POST',
    path: '/users/me/api_key/regenerate',
    auth: 'user',
    access: 'person',
    params: wire({}),
    result: z.object({ api_key: z.string() }),
    errors: ['BAD_REQUEST'],
    summary: 'Replace the own API key; the old one is refused from then on.',
    spec: 'API decisions 7.3 and 10.2',
  }),
};
