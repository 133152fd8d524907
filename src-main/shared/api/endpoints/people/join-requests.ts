import { z } from 'zod';
import {
  intList,
  jsonOrRawText,
  oneOfInts,
  positiveInt,
  stringList,
  text,
} from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { optional, required, wire, withDefault } from '#shared/api/wire.ts';

/** As administrators see it. */
const JoinRequest = z.object({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  /** What they say of themselves; empty where they say nothing. */
  about: z.string(),
  /** From where it came; of IPv6 the network. */
  address: z.string(),
  /** UNIX seconds. */
  asked: z.int(),
  /** UNIX seconds from which on it is answered no more. */
  expires: z.int(),
  /** Four digits that whoever asked sees too. */
  number: z.string(),
  /** How often it was asked with this address, from elsewhere. */
  times: z.int(),
  /** What has this e-mail address already. */
  account: z.enum(['active', 'deactivated']).nullable(),
  /** Accounts whose names look like this one. */
  looks_like: z.array(z.int()),
});

export const joinRequests = {
  ask: endpoint({
    method: 'POST',
    path: '/join_requests',
    auth: 'none',
    limit: 'join-request',
    params: wire({
      fullName: required(jsonOrRawText, 'text'),
      email: required(jsonOrRawText, 'text'),
      /** Who they are, in at most 200 characters. */
      about: optional(jsonOrRawText, 'text'),
    }),
    result: z.object({
      /** By which what became of it is asked. */
      secret: z.string(),
      number: z.string(),
      expires: z.int(),
    }),
    errors: ['BAD_REQUEST', 'ORGANIZATION_CLOSED', 'REALM_DEACTIVATED'],
    summary: 'Ask to join, without an account or an invitation.',
    spec: 'API decisions 15.20',
  }),
  state: endpoint({
    method: 'POST',
    path: '/join_requests/state',
    auth: 'none',
    limit: 'join-check',
    params: wire({ secret: required(text, 'text') }),
    result: z.object({
      state: z.enum(['waiting', 'accepted', 'declined', 'ended']),
      /** Of the invitation that came of it: only of one that was accepted. */
      token: z.string().optional(),
    }),
    errors: ['BAD_REQUEST', 'ORGANIZATION_CLOSED', 'REALM_DEACTIVATED'],
    summary: 'What became of a request to join.',
    spec: 'API decisions 15.20',
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/join_requests/withdraw',
    auth: 'none',
    limit: 'join-check',
    params: wire({ secret: required(text, 'text') }),
    result: z.object({}),
    errors: ['BAD_REQUEST', 'ORGANIZATION_CLOSED', 'REALM_DEACTIVATED'],
    summary: 'Take a request to join back that nobody has decided on.',
    spec: 'API decisions 15.20',
  }),
  list: endpoint({
    method: 'GET',
    path: '/join_requests',
    auth: 'user',
    access: 'admin',
    params: wire({}),
    result: z.object({ requests: z.array(JoinRequest) }),
    errors: ['BAD_REQUEST'],
    summary: 'List the requests to join that nobody has decided on, the oldest first.',
    spec: 'API decisions 15.20',
  }),
  accept: endpoint({
    method: 'POST',
    path: '/join_requests/:request_id/accept',
    auth: 'user',
    access: 'admin',
    params: wire({
      requestId: required(positiveInt),
      /** 1 member, 3 guest. */
      inviteAs: withDefault(oneOfInts([1, 3]), 1),
      /** What to subscribe them to; without either the default streams. */
      streamIds: optional(intList),
      streamNames: optional(stringList),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST', 'INVITATION_FAILED'],
    summary: 'Invite whoever asked to join; they choose their password themselves.',
    spec: 'API decisions 15.20',
  }),
  decline: endpoint({
    method: 'DELETE',
    path: '/join_requests/:request_id',
    auth: 'user',
    access: 'admin',
    params: wire({ requestId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Decline a request to join.',
    spec: 'API decisions 15.20',
  }),
};
