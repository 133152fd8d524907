import { z } from 'zod';

/** A stream as GET /streams lists it (API decisions 9.2). */
export const Stream = z.object({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  is_announcement_only: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  first_message_id: z.int().nullable(),
  is_default: z.boolean().optional(),
  /** This and the two below are there only where archived streams were asked for. */
  is_archived: z.boolean().optional(),
  /** UNIX seconds; null where nobody wrote it down. */
  archived_at: z.int().nullable().optional(),
  /** Present where it is archived: the accounts that are in it again when it comes back. */
  returning_user_ids: z.array(z.int()).optional(),
});

/** A stream as events and single answers give it. */
export const ListedStream = Stream.omit({
  is_default: true,
  is_archived: true,
  archived_at: true,
  returning_user_ids: true,
});

const Traffic = z.object({
  /** Messages a week; null while the stream is younger than seven days. */
  stream_weekly_traffic: z.int().nullable(),
  is_old_stream: z.boolean(),
});

/** The stream part of a subscription and of stream events. */
export const StreamWithTraffic = ListedStream.extend(Traffic.shape);

const PersonalSettings = z.object({
  email_address: z.string(),
  /** `#rrggbb`, lower case. */
  color: z.string(),
  pin_to_top: z.boolean(),
  is_muted: z.boolean(),
  /** Always the opposite of `is_muted` (specification 9). */
  in_home_view: z.boolean(),
  desktop_notifications: z.boolean(),
  audible_notifications: z.boolean(),
  push_notifications: z.boolean(),
  email_notifications: z.boolean(),
});

/** A subscription of GET /users/me/subscriptions: subscribers are e-mail addresses. */
export const Subscription = StreamWithTraffic.extend(PersonalSettings.shape).extend({
  subscribers: z.array(z.string()).optional(),
});

/** A subscription in /register and in events: subscribers are user ids (API decisions 14, row 3). */
export const RegisteredSubscription = StreamWithTraffic.extend(PersonalSettings.shape).extend({
  subscribers: z.array(z.int()).optional(),
});

/** A stream that the account may see but never subscribed to. */
export const NeverSubscribed = StreamWithTraffic.extend({
  subscribers: z.array(z.int()).optional(),
});

export type Stream = z.infer<typeof Stream>;
export type ListedStream = z.infer<typeof ListedStream>;
export type StreamWithTraffic = z.infer<typeof StreamWithTraffic>;
export type Subscription = z.infer<typeof Subscription>;
export type RegisteredSubscription = z.infer<typeof RegisteredSubscription>;
export type NeverSubscribed = z.infer<typeof NeverSubscribed>;
