/** Events about the organization and the server (API decisions 8.2). */
import { z } from 'zod';
import { RealmEmoji } from '../models/emoji.ts';
import { ProfileField } from '../models/profile.ts';

const id = z.int();

const HeartbeatEvent = z.object({ id, type: z.literal('heartbeat') });

const RestartEvent = z.object({
  id,
  type: z.literal('restart'),
  server_generation: z.int(),
  immediate: z.boolean(),
});

const settingValue = z.union([z.string(), z.int(), z.boolean(), z.null()]);

const RealmUpdateEvent = z.object({
  id,
  type: z.literal('realm'),
  op: z.literal('update'),
  property: z.string(),
  value: settingValue,
});

/** Settings that belong together and changed together. */
const RealmUpdateDictEvent = z.object({
  id,
  type: z.literal('realm'),
  op: z.literal('update_dict'),
  property: z.enum(['default', 'icon']),
  data: z.record(z.string(), settingValue),
});

const LinkifiersEvent = z.object({
  id,
  type: z.literal('realm_filters'),
  /** The whole list, each as `[pattern, URL format, id]`. */
  realm_filters: z.array(z.tuple([z.string(), z.string(), z.int()])),
});

const RealmEmojiEvent = z.strictObject({
  id,
  type: z.literal('realm_emoji'),
  op: z.literal('update'),
  /** The whole list. */
  realm_emoji: RealmEmoji,
});

/** The last that anybody is told. */
const RealmDeactivatedEvent = z.strictObject({
  id,
  type: z.literal('realm'),
  op: z.literal('deactivated'),
  realm_id: z.int(),
});

const ProfileFieldsEvent = z.strictObject({
  id,
  type: z.literal('custom_profile_fields'),
  op: z.literal('add'),
  /** The whole list. */
  fields: z.array(ProfileField),
});

const InvitesChangedEvent = z.strictObject({ id, type: z.literal('invites_changed') });

/** How many wait for an answer; who they are is in no event. */
const JoinRequestsEvent = z.strictObject({
  id,
  type: z.literal('join_requests'),
  count: z.int(),
});

export const realmEvents = [
  RealmDeactivatedEvent,
  ProfileFieldsEvent,
  InvitesChangedEvent,
  JoinRequestsEvent,
  RealmEmojiEvent,
  RealmUpdateEvent,
  RealmUpdateDictEvent,
  LinkifiersEvent,
  HeartbeatEvent,
  RestartEvent,
] as const;
