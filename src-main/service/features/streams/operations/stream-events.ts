/** How changes of streams and subscriptions are put into events (API decisions 8.2). */
import type { AuditType } from '#shared/api/models/audit.ts';
import type { Audience } from '#service/db/event-log.ts';
import {
  type AuditEntryMaker,
  entriesOfUsers,
} from '#service/features/organization/rules/audit.ts';
import type {
  AccountRow,
  NewEntry,
  NewEvent,
  NewRecord,
  PayloadOf,
  StreamRow,
  SubscriptionRow,
} from '#service/db/port.ts';
import {
  streamShape,
  streamWithTrafficShape,
  subscriptionShape,
  type Traffic,
} from '#service/core/rules/shapes.ts';

/** Who does it, as the audit log keeps it. */
export interface AuditContext {
  readonly note: AuditEntryMaker;
  readonly callerId: number;
}

export interface SubscribeEvents {
  /** What the audit log keeps of a stream that was created. */
  readonly created: (stream: StreamRow) => readonly NewEntry[];
  /** What it keeps of accounts that were subscribed, and of those that were taken out. */
  readonly joined: (stream: StreamRow, userIds: readonly number[]) => readonly NewEntry[];
  readonly left: (stream: StreamRow, userIds: readonly number[]) => readonly NewEntry[];
  readonly streamAudience: (stream: StreamRow, subscriberIds: readonly number[]) => Audience;
  /** Who is told of somebody who joins or leaves. */
  readonly peerAudience: (
    stream: StreamRow,
    subscriberIds: readonly number[],
    userId: number,
  ) => Audience;
  readonly stream: (stream: StreamRow) => PayloadOf<'stream', 'create'>['streams'][number];
  readonly subscription: (
    subscription: SubscriptionRow,
    subscriberIds: readonly number[],
  ) => PayloadOf<'subscription', 'add'>['subscriptions'][number];
}

/** How what administrators do to streams is told. */
export interface StreamChangeEvents {
  readonly changed: (
    before: StreamRow,
    after: StreamRow,
    subscriberIds: readonly number[],
  ) => readonly NewRecord[];
  readonly archived: (stream: StreamRow, subscriberIds: readonly number[]) => readonly NewRecord[];
  readonly madeDefault: (stream: StreamRow, isDefault: boolean) => readonly NewRecord[];
  /** @param streams  all default streams, as they are now */
  readonly defaults: (streams: readonly StreamRow[]) => NewEvent;
}

const noTraffic = new Map<number, number>();

/**
 * Public streams show to members; private ones to their subscribers and to administrators.
 * @param users  all accounts of the organization, as far as they can be administrators
 * @param doing  where streams can be created and others put into them
 */
export function subscribeEvents(
  users: readonly AccountRow[],
  nowSeconds: number,
  doing?: AuditContext,
): SubscribeEvents {
  const traffic: Traffic = { nowSeconds, weeklyMessages: noTraffic };
  const insiders = (subscriberIds: readonly number[]): readonly number[] =>
    insidersOf(users, subscriberIds);
  return {
    ...entriesOf(doing),
    streamAudience: (stream, subscriberIds) =>
      stream.is_private === 0
        ? { kind: 'members' }
        : { kind: 'users', userIds: insiders(subscriberIds) },
    peerAudience: (stream, subscriberIds, userId) =>
      stream.is_private === 0
        ? { kind: 'members', exceptUserId: userId }
        : { kind: 'users', userIds: insiders(subscriberIds).filter((id) => id !== userId) },
    stream: (stream) => streamWithTrafficShape(stream, traffic),
    subscription: (subscription, subscriberIds) => ({
      ...subscriptionShape(subscription, traffic),
      subscribers: [...subscriberIds],
    }),
  };
}

const none = (): readonly NewEntry[] => [];

/** Whoever comes or goes by themselves leaves no entry, and neither does being added to what everybody may read. */
function entriesOf(
  doing: AuditContext | undefined,
): Pick<SubscribeEvents, 'created' | 'joined' | 'left'> {
  if (doing === undefined) return { created: none, joined: none, left: none };
  const { note, callerId } = doing;
  const others = (userIds: readonly number[]): readonly number[] =>
    userIds.filter((id) => id !== callerId);
  const place = ({ id, name }: StreamRow) => ({ streamId: id, name });
  return {
    created: (stream) => {
      const details = { name: stream.name, new: privacy(stream) };
      return [note('stream_created', { streamId: stream.id, details })];
    },
    joined: (stream, userIds) =>
      stream.is_private === 0
        ? []
        : entriesOfUsers(note, 'stream_members_added', others(userIds), place(stream)),
    left: (stream, userIds) =>
      entriesOfUsers(note, 'stream_members_removed', others(userIds), place(stream)),
  };
}

const privacy = (stream: StreamRow): string => (stream.is_private === 1 ? 'private' : 'public');

/** Who sees a private stream. */
function insidersOf(
  users: readonly AccountRow[],
  subscriberIds: readonly number[],
): readonly number[] {
  const admins = users.filter((user) => user.role === 'admin' && user.is_active === 1);
  return [...new Set([...admins.map((user) => user.id), ...subscriberIds])];
}

const posting = (stream: StreamRow): string =>
  stream.is_announcement_only === 1 ? 'administrators' : 'everybody';
const history = (stream: StreamRow): string =>
  stream.is_history_public === 1 ? 'open' : 'since joining';

/** By type of entry, what it tells of. That a public stream's history is open goes without saying. */
const properties: readonly (readonly [AuditType, (stream: StreamRow) => string])[] = [
  ['stream_renamed', (stream) => stream.name],
  ['stream_privacy_changed', privacy],
  ['stream_posting_changed', posting],
  ['stream_history_changed', history],
];

function changeEntries(
  before: StreamRow,
  after: StreamRow,
  note: AuditEntryMaker,
): readonly NewEntry[] {
  const isMoved = before.is_private !== after.is_private;
  return properties.flatMap(([type, valueOf]) => {
    const [old, now] = [valueOf(before), valueOf(after)];
    if (old === now || (type === 'stream_history_changed' && isMoved)) return [];
    const details = { name: before.name, old, new: now };
    return [note(type, { streamId: after.id, details })];
  });
}

/** One event for each property that changed; the name comes last, because the others still go by the old one. */
function updatesOf(before: StreamRow, after: StreamRow): readonly PayloadOf<'stream', 'update'>[] {
  const updates: PayloadOf<'stream', 'update'>[] = [];
  const head = { op: 'update', stream_id: before.id, name: before.name } as const;
  if (before.description !== after.description) {
    const { description: value, rendered_description } = after;
    updates.push({ ...head, property: 'description', value, rendered_description });
  }
  const isOpen = after.is_history_public === 1;
  if (before.is_private !== after.is_private) {
    const value = after.is_private === 1;
    updates.push({
      ...head,
      property: 'invite_only',
      value,
      history_public_to_subscribers: isOpen,
    });
  } else if (before.is_history_public !== after.is_history_public) {
    updates.push({ ...head, property: 'history_public_to_subscribers', value: isOpen });
  }
  if (before.is_announcement_only !== after.is_announcement_only) {
    const value = after.is_announcement_only === 1;
    updates.push({ ...head, property: 'is_announcement_only', value });
  }
  if (before.name !== after.name) updates.push({ ...head, property: 'name', value: after.name });
  return updates;
}

/** What the audit log keeps of a stream that came back, perhaps by another name and with less to read. */
export function restoredEntries(
  before: StreamRow,
  after: StreamRow,
  note: AuditEntryMaker,
): readonly NewEntry[] {
  const now = before.name === after.name ? {} : { new: after.name };
  const restored = note('stream_restored', {
    streamId: after.id,
    details: { name: before.name, ...now },
  });
  if (before.is_history_public === after.is_history_public) return [restored];
  const details = { name: after.name, old: history(before), new: history(after) };
  return [restored, note('stream_history_changed', { streamId: after.id, details })];
}

const remembering = (
  note: AuditEntryMaker,
  events: Omit<StreamChangeEvents, 'madeDefault'>,
): StreamChangeEvents => ({
  ...events,
  changed: (before, after, subscriberIds) => [
    ...events.changed(before, after, subscriberIds),
    ...changeEntries(before, after, note),
  ],
  archived: (stream, subscriberIds) => [
    ...events.archived(stream, subscriberIds),
    note('stream_archived', { streamId: stream.id, details: { name: stream.name } }),
  ],
  madeDefault: ({ id: streamId, name }, isDefault) => [
    note('stream_default_changed', {
      streamId,
      details: { name, old: !isDefault, new: isDefault },
    }),
  ],
});

const listed = (
  op: 'create' | 'delete',
  stream: PayloadOf<'stream', 'create'>['streams'][number],
  userIds: readonly number[],
): NewEvent => ({
  type: 'stream',
  audience: { kind: 'users', userIds },
  payload: { op, streams: [stream] },
});

/**
 * What administrators change of streams. Whoever begins to see a stream because it has become public is told that it
 * was created, and whoever no longer sees it because it has become private, that it was deleted.
 * @param users  all accounts of the organization
 */
export function streamChangeEvents(
  users: readonly AccountRow[],
  nowSeconds: number,
  note: AuditEntryMaker,
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
  return remembering(note, {
    changed(before, after, subscriberIds) {
      const audience = audienceOf(after, subscriberIds);
      const updates = updatesOf(before, after).map((payload): NewEvent => ({
        type: 'stream',
        audience,
        payload,
      }));
      const outsiders = outsidersOf(subscriberIds);
      if (before.is_private === after.is_private || outsiders.length === 0) return updates;
      if (after.is_private === 1) return [...updates, listed('delete', shape(before), outsiders)];
      // As it was but for its privacy: the updates of what else has changed follow, and name the old name.
      const { is_private, is_history_public } = after;
      const opened = { ...before, is_private, is_history_public };
      return [listed('create', shape(opened), outsiders), ...updates];
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
  });
}
