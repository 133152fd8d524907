/** Events as GET /events delivers them (API decisions, section 8.2). */
import { z } from 'zod';
import { EventMessage } from './models/message.ts';
import { RegisteredSubscription, StreamWithTraffic } from './models/stream.ts';
import { RealmUser } from './models/user.ts';

const id = z.int();

export const MessageEvent = z.object({
  id,
  type: z.literal('message'),
  message: EventMessage,
  flags: z.array(z.string()),
  /** Present only in the queue that the sender named when sending. */
  local_message_id: z.string().optional(),
});

const HeartbeatEvent = z.object({ id, type: z.literal('heartbeat') });

const RestartEvent = z.object({
  id,
  type: z.literal('restart'),
  server_generation: z.int(),
  immediate: z.boolean(),
});

const SubscriptionAddEvent = z.object({
  id,
  type: z.literal('subscription'),
  op: z.literal('add'),
  subscriptions: z.array(RegisteredSubscription),
});

const SubscriptionPeerAddEvent = z.object({
  id,
  type: z.literal('subscription'),
  op: z.literal('peer_add'),
  stream_id: z.int(),
  user_id: z.int(),
  stream_ids: z.array(z.int()),
  user_ids: z.array(z.int()),
  subscriptions: z.array(z.string()),
});

const StreamListEvent = z.object({
  id,
  type: z.literal('stream'),
  op: z.enum(['create', 'occupy']),
  streams: z.array(StreamWithTraffic),
});

const RealmUserAddEvent = z.object({
  id,
  type: z.literal('realm_user'),
  op: z.literal('add'),
  person: RealmUser,
});

/** Every event that the service emits. */
export const Event = z.union([
  MessageEvent,
  HeartbeatEvent,
  RestartEvent,
  SubscriptionAddEvent,
  SubscriptionPeerAddEvent,
  StreamListEvent,
  RealmUserAddEvent,
]);

export type Event = z.infer<typeof Event>;
export type MessageEvent = z.infer<typeof MessageEvent>;
