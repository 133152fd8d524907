/** Events about streams and subscriptions (API decisions, section 8.2). */
import { z } from 'zod';
import { RegisteredSubscription, StreamWithTraffic } from '../models/stream.ts';

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

export const streamEvents = [SubscriptionAddEvent, SubscriptionPeerEvent, StreamListEvent] as const;
