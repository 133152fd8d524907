/** Events about streams and subscriptions (API decisions 8.2). */
import { z } from 'zod';
import { ListedStream, RegisteredSubscription, StreamWithTraffic } from '../models/stream.ts';

const id = z.int();

const SubscriptionAddEvent = z.object({
  id,
  type: z.literal('subscription'),
  op: z.literal('add'),
  subscriptions: z.array(RegisteredSubscription),
});

const SubscriptionPeerEvent = z.object({
  id,
  type: z.literal('subscription'),
  op: z.enum(['peer_add', 'peer_remove']),
  stream_id: z.int(),
  user_id: z.int(),
  stream_ids: z.array(z.int()),
  user_ids: z.array(z.int()),
  subscriptions: z.array(z.string()),
});

const StreamListEvent = z.object({
  id,
  type: z.literal('stream'),
  op: z.enum(['create', 'delete', 'occupy', 'vacate']),
  streams: z.array(StreamWithTraffic),
});

const SubscriptionRemoveEvent = z.object({
  id,
  type: z.literal('subscription'),
  op: z.literal('remove'),
  subscriptions: z.array(z.object({ stream_id: z.int(), name: z.string() })),
});

const subscriptionUpdate = {
  id,
  type: z.literal('subscription'),
  op: z.literal('update'),
  stream_id: z.int(),
  name: z.string(),
  /** The account's own address. */
  email: z.string(),
};

/** A mute change is told twice: as `in_home_view`, then as `is_muted`. */
const SubscriptionUpdateEvent = z.object({
  ...subscriptionUpdate,
  property: z.enum([
    'in_home_view',
    'is_muted',
    'pin_to_top',
    'desktop_notifications',
    'audible_notifications',
    'push_notifications',
    'email_notifications',
  ]),
  value: z.boolean(),
});

const SubscriptionColorEvent = z.object({
  ...subscriptionUpdate,
  property: z.literal('color'),
  /** `#rrggbb`, lower case. */
  value: z.string(),
});

const streamUpdate = {
  id,
  type: z.literal('stream'),
  op: z.literal('update'),
  stream_id: z.int(),
  /** As it was before the change. */
  name: z.string(),
};

const StreamNameEvent = z.object({
  ...streamUpdate,
  property: z.literal('name'),
  value: z.string(),
});

const StreamDescriptionEvent = z.object({
  ...streamUpdate,
  property: z.literal('description'),
  value: z.string(),
  rendered_description: z.string(),
});

const StreamPrivacyEvent = z.object({
  ...streamUpdate,
  property: z.literal('invite_only'),
  value: z.boolean(),
  history_public_to_subscribers: z.boolean(),
});

const StreamFlagEvent = z.object({
  ...streamUpdate,
  property: z.enum(['is_announcement_only', 'history_public_to_subscribers']),
  value: z.boolean(),
});

const DefaultStreamsEvent = z.object({
  id,
  type: z.literal('default_streams'),
  default_streams: z.array(ListedStream),
});

const MutedTopicsEvent = z.object({
  id,
  type: z.literal('muted_topics'),
  /** The whole list, each topic as `[stream name, topic]`. */
  muted_topics: z.array(z.tuple([z.string(), z.string()])),
});

export const streamEvents = [
  SubscriptionAddEvent,
  SubscriptionRemoveEvent,
  SubscriptionUpdateEvent,
  SubscriptionColorEvent,
  SubscriptionPeerEvent,
  StreamListEvent,
  StreamNameEvent,
  StreamDescriptionEvent,
  StreamPrivacyEvent,
  StreamFlagEvent,
  DefaultStreamsEvent,
  MutedTopicsEvent,
] as const;
