import { z } from 'zod';
import { intList, positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { UserGroup } from '#shared/api/models/user-group.ts';
import { optional, required, wire, withDefault } from '#shared/api/wire.ts';

const creation = {
  method: 'POST',
  auth: 'user',
  access: 'member-person',
  params: wire({
    name: required(text, 'text'),
    description: optional(text, 'text'),
    /** User ids. */
    members: withDefault(intList, []),
  }),
  result: z.object({}),
  errors: ['BAD_REQUEST'],
  summary: 'Create a group of people.',
  spec: 'API decisions 7.3',
} as const;

export const userGroups = {
  list: endpoint({
    method: 'GET',
    path: '/user_groups',
    auth: 'user',
    params: wire({}),
    result: z.object({ user_groups: z.array(UserGroup) }),
    errors: [],
    summary: 'List the groups of people.',
    spec: 'API decisions 7.3',
  }),
  create: endpoint({ ...creation, path: '/user_groups/create' }),
  post: endpoint({ ...creation, path: '/user_groups' }),
  update: endpoint({
    method: 'PATCH',
    path: '/user_groups/:user_group_id',
    auth: 'user',
    access: 'member-person',
    /** One of them is needed. */
    params: wire({
      userGroupId: required(positiveInt),
      name: optional(text, 'text'),
      description: optional(text, 'text'),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Change the name or the description of a group (its members, administrators).',
    spec: 'API decisions 7.3',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/user_groups/:user_group_id',
    auth: 'user',
    access: 'member-person',
    params: wire({ userGroupId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Remove a group (its members, administrators).',
    spec: 'API decisions 7.3',
  }),
  changeMembers: endpoint({
    method: 'POST',
    path: '/user_groups/:user_group_id/members',
    auth: 'user',
    access: 'member-person',
    /** User ids; one of the lists is needed. */
    params: wire({
      userGroupId: required(positiveInt),
      add: withDefault(intList, []),
      delete: withDefault(intList, []),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Put people into a group and take others out (its members, administrators).',
    spec: 'API decisions 7.3',
  }),
};
