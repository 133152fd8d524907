/** The organization as a session knows it: a snapshot, and the events that change it. */
import { z } from 'zod';
import { RegisteredSubscription } from '../contract/models/stream.ts';
import { RealmUser } from '../contract/models/user.ts';
import type { Person, SubscribedStream } from '../contract/models/client.ts';

const User = RealmUser.pick({
  user_id: true,
  email: true,
  full_name: true,
  is_admin: true,
  is_guest: true,
  is_bot: true,
});

const Subscribed = RegisteredSubscription.pick({
  stream_id: true,
  name: true,
  description: true,
  invite_only: true,
  is_announcement_only: true,
  is_muted: true,
  pin_to_top: true,
  color: true,
});

/** The keys of POST /register that are used here. */
export const Snapshot = z.object({
  queue_id: z.string(),
  last_event_id: z.int(),
  max_message_id: z.int(),
  realm_name: z.string(),
  user_id: z.int(),
  realm_users: z.array(User),
  subscriptions: z.array(Subscribed),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** What has to be fetched for a snapshot. */
export const snapshotTypes = ['message', 'subscription', 'stream', 'realm_user', 'realm'] as const;

export interface Realm {
  readonly realmName: string;
  readonly ownUserId: number;
  readonly people: readonly Person[];
  readonly streams: readonly SubscribedStream[];
}

export const realmFrom = (snapshot: Snapshot): Realm => ({
  realmName: snapshot.realm_name,
  ownUserId: snapshot.user_id,
  people: snapshot.realm_users.map(personFrom),
  streams: snapshot.subscriptions.map(streamFrom),
});

const SubscriptionAdd = z
  .object({
    type: z.literal('subscription'),
    op: z.literal('add'),
    subscriptions: z.array(Subscribed),
  })
  .transform(({ subscriptions }) => (realm: Realm): Realm => {
    const added = subscriptions.map(streamFrom);
    return { ...realm, streams: withAdded(realm.streams, added, ({ streamId }) => streamId) };
  });

const RealmUserAdd = z
  .object({ type: z.literal('realm_user'), op: z.literal('add'), person: User })
  .transform(({ person }) => (realm: Realm): Realm => {
    const added = [personFrom(person)];
    return { ...realm, people: withAdded(realm.people, added, ({ userId }) => userId) };
  });

const Change = z.union([SubscriptionAdd, RealmUserAdd]);

/** The organization after an event; the same object where the event says nothing about it. */
export function applyEvent(realm: Realm, event: unknown): Realm {
  const change = Change.safeParse(event);
  return change.success ? change.data(realm) : realm;
}

/** Replaces those with the same key. */
function withAdded<T>(list: readonly T[], added: readonly T[], key: (item: T) => number): T[] {
  const byKey = new Map([...list, ...added].map((item) => [key(item), item]));
  return [...byKey.values()];
}

const personFrom = (user: z.infer<typeof User>): Person => ({
  userId: user.user_id,
  email: user.email,
  fullName: user.full_name,
  isAdmin: user.is_admin,
  isGuest: user.is_guest,
  isBot: user.is_bot,
});

const streamFrom = (subscription: z.infer<typeof Subscribed>): SubscribedStream => ({
  streamId: subscription.stream_id,
  name: subscription.name,
  description: subscription.description,
  isPrivate: subscription.invite_only,
  isAnnouncementOnly: subscription.is_announcement_only,
  isMuted: subscription.is_muted,
  isPinned: subscription.pin_to_top,
  color: subscription.color,
});
