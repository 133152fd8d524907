/** How changes of streams and subscriptions are put into events (API decisions, section 8.2). */
import type { Audience } from '../../contract/log.ts';
import type {
  AccountRow,
  NewEvent,
  StreamChangeEvents,
  StreamRow,
  SubscribeEvents,
} from '../store/port.ts';
import {
  streamShape,
  streamWithTrafficShape,
  subscriptionShape,
  type Traffic,
} from './rules/shapes.ts';

const noTraffic = new Map<number, number>();

/**
 * Public streams show to members; private ones to their subscribers and to administrators.
 * @param users  all accounts of the organization, as far as they can be administrators
 */
export function subscribeEvents(users: readonly AccountRow[], nowSeconds: number): SubscribeEvents {
  const traffic: Traffic = { nowSeconds, weeklyMessages: noTraffic };
  const insiders = (subscriberIds: readonly number[]): readonly number[] =>
    insidersOf(users, subscriberIds);
  return {
    streamAudience: (stream, subscriberIds) =>
      stream.is_private === 0
        ? { kind: 'members' }
        : { kind: 'users', userIds: insiders(subscriberIds) },
    peerAudience: (stream, subscriberIds, userId) =>
      stream.is_private === 0
        ? { kind: 'members', exceptUserId: userId }
        : { kind: 'users', userIds: insiders(subscriberIds).filter((id) => id !== userId) },
    stream: (stream) => streamWithTrafficShape(stream, traffic),
    subscription: (subscription, _userId, subscriberIds) => ({
      ...subscriptionShape(subscription, traffic),
      subscribers: subscriberIds,
    }),
  };
}

/** Who sees a private stream. */
function insidersOf(
  users: readonly AccountRow[],
  subscriberIds: readonly number[],
): readonly number[] {
  const admins = users.filter((user) => user.role === 'admin' && user.is_active === 1);
  return [...new Set([...admins.map((user) => user.id), ...subscriberIds])];
}

/** One event for each property that changed; the name comes last, because the others still go by the old one. */
function updatesOf(before: StreamRow, after: StreamRow): readonly NewEvent['payload'][] {
  const updates: NewEvent['payload'][] = [];
  const tell = (property: string, value: unknown, more: object = {}): void => {
    const { id, name } = before;
    updates.push({ op: 'update', stream_id: id, name, property, value, ...more });
  };
  if (before.description !== after.description) {
    const rendered = after.rendered_description;
    tell('description', after.description, { rendered_description: rendered });
  }
  const isOpen = after.is_history_public === 1;
  if (before.is_private !== after.is_private) {
    tell('invite_only', after.is_private === 1, { history_public_to_subscribers: isOpen });
  } else if (before.is_history_public !== after.is_history_public) {
    tell('history_public_to_subscribers', isOpen);
  }
  if (before.is_announcement_only !== after.is_announcement_only) {
    tell('is_announcement_only', after.is_announcement_only === 1);
  }
  if (before.name !== after.name) tell('name', after.name);
  return updates;
}

/**
 * What administrators change of streams. Whoever begins to see a stream because it has become public is told that it
 * was created, and whoever no longer sees it because it has become private, that it was deleted.
 * @param users  all accounts of the organization
 */
export function streamChangeEvents(
  users: readonly AccountRow[],
  nowSeconds: number,
): StreamChangeEvents {
  const { stream: shape, streamAudience } = subscribeEvents(users, nowSeconds);
  const active = users.filter((user) => user.is_active === 1);
  const outsidersOf = (subscriberIds: readonly number[]): readonly number[] => {
    const insiders = new Set(insidersOf(users, subscriberIds));
    return active
      .filter((user) => user.role !== 'guest' && !insiders.has(user.id))
      .map((user) => user.id);
  };
  /** Guests see the public streams that they are subscribed to. */
  const audienceOf = (stream: StreamRow, subscriberIds: readonly number[]): Audience => {
    const audience = streamAudience(stream, subscriberIds);
    if (audience.kind !== 'members') return audience;
    const guests = active.filter((user) => user.role === 'guest').map((user) => user.id);
    const alsoUserIds = guests.filter((id) => subscriberIds.includes(id));
    return alsoUserIds.length === 0 ? audience : { ...audience, alsoUserIds };
  };
  const toOutsiders = (op: string, stream: StreamRow, userIds: readonly number[]): NewEvent => ({
    type: 'stream',
    audience: { kind: 'users', userIds },
    payload: { op, streams: [shape(stream)] },
  });

  return {
    changed(before, after, subscriberIds) {
      const audience = audienceOf(after, subscriberIds);
      const updates = updatesOf(before, after).map((payload): NewEvent => ({
        type: 'stream',
        audience,
        payload,
      }));
      const outsiders = outsidersOf(subscriberIds);
      if (before.is_private === after.is_private || outsiders.length === 0) return updates;
      if (after.is_private === 1) return [...updates, toOutsiders('delete', before, outsiders)];
      // As it was but for its privacy: the updates of what else has changed follow, and name the old name.
      const { is_private, is_history_public } = after;
      const opened = { ...before, is_private, is_history_public };
      return [toOutsiders('create', opened, outsiders), ...updates];
    },
    archived(stream, subscriberIds) {
      const removal: NewEvent = {
        type: 'subscription',
        audience: { kind: 'users', userIds: subscriberIds },
        payload: { op: 'remove', subscriptions: [{ stream_id: stream.id, name: stream.name }] },
      };
      const deletion: NewEvent = {
        type: 'stream',
        audience: streamAudience(stream, subscriberIds),
        payload: { op: 'delete', streams: [shape(stream)] },
      };
      return subscriberIds.length === 0 ? [deletion] : [removal, deletion];
    },
    defaults: (streams) => ({
      type: 'default_streams',
      audience: { kind: 'members' },
      payload: { default_streams: streams.map(streamShape) },
    }),
  };
}
