import { z } from 'zod';
import { positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { AccountKey, Device } from '#shared/api/models/device.ts';
import { optional, required, wire } from '#shared/api/wire.ts';

const list = z.object({ devices: z.array(Device), account_key: AccountKey });

/** Where an account is signed in: each device has a key of its own, which ends alone. */
export const devices = {
  signIn: endpoint({
    method: 'POST',
    path: '/devices',
    auth: 'none',
    limit: 'sign-in',
    isSameOrigin: true,
    params: wire({
      username: required(text, 'text'),
      /** A development server asks for none. */
      password: optional(text, 'text'),
      /** What the device is called; by default the name of the client. */
      name: optional(text, 'text'),
      client: optional(text, 'text'),
    }),
    result: z.object({
      api_key: z.string(),
      email: z.string(),
      device_id: z.int(),
      /** The password is the one that an administrator made the account with. */
      must_choose_password: z.boolean(),
    }),
    errors: [
      'AUTHENTICATION_FAILED',
      'ORGANIZATION_CLOSED',
      'BAD_REQUEST',
      'RATE_LIMIT_HIT',
      'REQUEST_VARIABLE_MISSING',
    ],
    summary: 'Sign in on a device: exchange an e-mail address and a password for a key of its own.',
    spec: 'API decisions 15.7',
  }),
  list: endpoint({
    method: 'GET',
    path: '/users/me/devices',
    auth: 'user',
    access: 'person',
    params: wire({}),
    result: list,
    errors: ['BAD_REQUEST'],
    summary: 'List where the own account is signed in.',
    spec: 'API decisions 15.7',
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/users/me/devices/:device_id',
    auth: 'user',
    access: 'person',
    params: wire({ deviceId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Sign out one of the own devices: its key is refused from then on.',
    spec: 'API decisions 15.7',
  }),
  endCurrent: endpoint({
    method: 'DELETE',
    path: '/users/me/devices/current',
    auth: 'user',
    access: 'person',
    params: wire({}),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Sign out the device whose key is given.',
    spec: 'API decisions 15.7',
  }),
  listOf: endpoint({
    method: 'GET',
    path: '/users/:user_id/devices',
    auth: 'user',
    access: 'admin',
    params: wire({ userId: required(positiveInt) }),
    result: list,
    errors: ['BAD_REQUEST'],
    summary: 'List where an account is signed in (administrators).',
    spec: 'API decisions 15.7',
  }),
  lastUses: endpoint({
    method: 'GET',
    path: '/users/last_uses',
    auth: 'user',
    access: 'admin',
    params: wire({}),
    /** UNIX seconds of the beginning of the day, UTC; who never was here is absent. */
    result: z.object({ last_uses: z.array(z.object({ user_id: z.int(), last_used: z.int() })) }),
    errors: ['BAD_REQUEST'],
    summary: 'On which day each person was last here (administrators).',
    spec: 'API decisions 15.7',
  }),
  endOf: endpoint({
    method: 'DELETE',
    path: '/users/:user_id/devices/:device_id',
    auth: 'user',
    access: 'admin',
    params: wire({ userId: required(positiveInt), deviceId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Sign out a device of an account (administrators).',
    spec: 'API decisions 15.7',
  }),
  renewKeys: endpoint({
    method: 'POST',
    path: '/users/:user_id/api_key/regenerate',
    auth: 'user',
    access: 'admin',
    params: wire({ userId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'End every key of an account, those of its devices included (administrators).',
    spec: 'API decisions 15.7',
  }),
};
