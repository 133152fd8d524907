/** How changes of streams and subscriptions are put into events (API decisions, section 8.2). */
import type { Audience } from '../../contract/log.ts';
import type { AccountRow, StreamRow, SubscribeEvents } from '../store/port.ts';
import { streamWithTrafficShape, subscriptionShape, type Traffic } from './rules/shapes.ts';

const noTraffic = new Map<number, number>();

/**
 * Public streams show to members; private ones to their subscribers and to administrators.
 * @param users  all accounts of the organization, as far as they can be administrators
 */
export function subscribeEvents(users: readonly AccountRow[], nowSeconds: number): SubscribeEvents {
  const traffic: Traffic = { nowSeconds, weeklyMessages: noTraffic };
  const adminIds = users
    .filter((user) => user.role === 'admin' && user.is_active === 1)
    .map((user) => user.id);
  const insiders = (subscriberIds: readonly number[]): readonly number[] => [
    ...new Set([...adminIds, ...subscriberIds]),
  ];
  const audience = (stream: StreamRow, subscriberIds: readonly number[]): Audience =>
    stream.is_private === 0
      ? { kind: 'members' }
      : { kind: 'users', userIds: insiders(subscriberIds) };
  return {
    streamAudience: audience,
    peerAudience: (stream, subscriberIds, joinedId) =>
      stream.is_private === 0
        ? { kind: 'members', exceptUserId: joinedId }
        : { kind: 'users', userIds: insiders(subscriberIds).filter((id) => id !== joinedId) },
    stream: (stream) => streamWithTrafficShape(stream, traffic),
    subscription: (subscription, _userId, subscriberIds) => ({
      ...subscriptionShape(subscription, traffic),
      subscribers: subscriberIds,
    }),
  };
}
