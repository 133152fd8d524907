/** Events about accounts, bots and their settings (API decisions 8.2). */
import { z } from 'zod';
import { UserGroup } from '../models/user-group.ts';
import { RealmUser } from '../models/user.ts';

const id = z.int();

const RealmUserAddEvent = z.object({
  id,
  type: z.literal('realm_user'),
  op: z.literal('add'),
  person: RealmUser,
});

/** All words that the account has now. */
const AlertWordsEvent = z.object({
  id,
  type: z.literal('alert_words'),
  alert_words: z.array(z.string()),
});

const UserGroupAddEvent = z.strictObject({
  id,
  type: z.literal('user_group'),
  op: z.literal('add'),
  group: UserGroup,
});

const UserGroupUpdateEvent = z.strictObject({
  id,
  type: z.literal('user_group'),
  op: z.literal('update'),
  group_id: z.int(),
  /** What changed. */
  data: z.strictObject({ name: z.string().optional(), description: z.string().optional() }),
});

const UserGroupMembersEvent = z.strictObject({
  id,
  type: z.literal('user_group'),
  op: z.enum(['add_members', 'remove_members']),
  group_id: z.int(),
  user_ids: z.array(z.int()),
});

const UserGroupRemoveEvent = z.strictObject({
  id,
  type: z.literal('user_group'),
  op: z.literal('remove'),
  group_id: z.int(),
});

export const userEvents = [
  UserGroupAddEvent,
  UserGroupUpdateEvent,
  UserGroupMembersEvent,
  UserGroupRemoveEvent,
  AlertWordsEvent,
  RealmUserAddEvent,
] as const;
