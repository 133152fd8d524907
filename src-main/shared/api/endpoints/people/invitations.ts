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

/** No mail is sent: whoever invites passes the link on. */
const Invitation = z.object({
  id: z.int(),
  /** Empty where it is for many. */
  email: z.string(),
  /** Who invites: an e-mail address. */
  ref: z.string(),
  /** UNIX seconds. */
  invited: z.int(),
  /** 1 member, 2 administrator, 3 guest. */
  invited_as: z.int(),
  is_multiuse: z.boolean(),
  link: z.string(),
  /** UNIX seconds from which on it is good no more. */
  expires: z.int(),
  /** How many came by it, and how many may: only where it is for many. */
  uses: z.int().optional(),
  max_uses: z.int().optional(),
});

export const invitations = {
  list: endpoint({
    method: 'GET',
    path: '/invites',
    auth: 'user',
    access: 'member-person',
    params: wire({}),
    result: z.object({ invites: z.array(Invitation) }),
    errors: ['BAD_REQUEST'],
    summary: 'List the invitations that were not accepted yet: own ones, for administrators all.',
    spec: 'API decisions 7.6',
  }),
  invite: endpoint({
    method: 'POST',
    path: '/invites',
    auth: 'user',
    access: 'member-person',
    params: wire({
      /** Separated by commas or newlines. */
      inviteeEmails: required(text, 'text'),
      /** 1 member, 2 administrator, 3 guest. */
      inviteAs: withDefault(oneOfInts([1, 2, 3]), 1),
      /** What to subscribe them to; without either the default streams. */
      streamIds: optional(intList),
      streamNames: optional(stringList),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST', 'INVITATION_FAILED'],
    summary: 'Invite people by their e-mail addresses; GET /invites lists the links to pass on.',
    spec: 'API decisions 7.6 and 13',
  }),
  inviteMany: endpoint({
    method: 'POST',
    path: '/invites/multiuse',
    auth: 'user',
    access: 'member-person',
    params: wire({
      /** 1 member, 3 guest. */
      inviteAs: withDefault(oneOfInts([1, 3]), 1),
      /** 1 to 30. */
      validDays: withDefault(positiveInt, 7),
      /** 1 to 500. */
      maxUses: withDefault(positiveInt, 50),
      /** What to subscribe them to; without either the default streams. */
      streamIds: optional(intList),
      streamNames: optional(stringList),
    }),
    result: z.object({ id: z.int(), invite_link: z.string() }),
    errors: ['BAD_REQUEST', 'INVITATION_FAILED'],
    summary: 'Make a link by which several people can join, each with an address of their own.',
    spec: 'API decisions 15.5',
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/invites/:invite_id',
    auth: 'user',
    access: 'member-person',
    params: wire({ inviteId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Revoke an invitation (who invited, administrators).',
    spec: 'API decisions 7.6',
  }),
  look: endpoint({
    method: 'POST',
    path: '/invites/look',
    auth: 'none',
    params: wire({
      /** From the link. */
      token: required(text, 'text'),
    }),
    result: z.object({
      realm_name: z.string(),
      inviter_full_name: z.string(),
      /** The invited person's; empty where the link is for many. */
      email: z.string(),
      /** 1 member, 2 administrator, 3 guest. */
      invited_as: z.int(),
    }),
    errors: ['BAD_REQUEST', 'ORGANIZATION_CLOSED', 'REALM_DEACTIVATED'],
    summary: 'Who invites whom, for whoever has the link of an invitation.',
    spec: 'API decisions 15.5',
  }),
  accept: endpoint({
    method: 'POST',
    path: '/invites/accept',
    auth: 'none',
    params: wire({
      /** From the link. */
      token: required(text, 'text'),
      fullName: required(jsonOrRawText, 'text'),
      password: required(text, 'text'),
      /** By which to sign in: needed where the link is for many. */
      email: optional(jsonOrRawText, 'text'),
    }),
    result: z.object({ api_key: z.string(), email: z.string() }),
    errors: ['BAD_REQUEST', 'ORGANIZATION_CLOSED', 'REALM_DEACTIVATED', 'REQUEST_VARIABLE_INVALID'],
    summary: 'Accept an invitation: creates the account.',
    spec: 'API decisions 7.6',
  }),
};
