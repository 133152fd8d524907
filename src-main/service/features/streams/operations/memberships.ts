/** Beginning and ending subscriptions, with every event of it. */
import type {
  NewStream,
  Operation,
  StreamRow,
  SubscriptionRow,
  Transaction,
} from '#service/db/port.ts';
import { streamColors } from '../rules/stream-colors.ts';
import type { SubscribeEvents } from './stream-events.ts';

/** One stream to join: one that is there, or one to create. */
export type JoinTarget = { readonly color?: string | undefined } & (
  | { readonly kind: 'existing'; readonly stream: StreamRow }
  | { readonly kind: 'new'; readonly stream: NewStream }
);

export interface JoinResult {
  readonly stream: StreamRow;
  readonly isCreated: boolean;
  /** Accounts that were not subscribed until now. */
  readonly joinedIds: readonly number[];
  readonly alreadyIds: readonly number[];
}

export interface LeaveResult {
  readonly stream: StreamRow;
  /** Accounts that were subscribed until now. */
  readonly leftIds: readonly number[];
  readonly missingIds: readonly number[];
}

function* joinOne(
  tx: Transaction,
  target: JoinTarget,
  userIds: readonly number[],
): Operation<JoinResult> {
  const isCreated = target.kind === 'new';
  const stream = isCreated ? yield* tx.insertStream(target.stream) : target.stream;
  const color = { wished: target.color, palette: streamColors };
  const joinedIds: number[] = [];
  const alreadyIds: number[] = [];
  for (const userId of userIds) {
    const isJoined = yield* tx.joinStream(stream, userId, color);
    (isJoined ? joinedIds : alreadyIds).push(userId);
  }
  return { stream, isCreated, joinedIds, alreadyIds };
}

function* announceStream(
  tx: Transaction,
  { stream, isCreated, joinedIds }: JoinResult,
  memberIds: readonly number[],
  events: SubscribeEvents,
): Operation<void> {
  const audience = events.streamAudience(stream, memberIds);
  const streams = [events.stream(stream)];
  if (isCreated) {
    yield* tx.record({ type: 'stream', audience, payload: { op: 'create', streams } });
    yield* tx.recordAll(events.created(stream));
  }
  yield* tx.recordAll(events.joined(stream, joinedIds));
  const isFirst = joinedIds.length > 0 && memberIds.length === joinedIds.length;
  if (isFirst && stream.is_private === 0) {
    yield* tx.record({ type: 'stream', audience, payload: { op: 'occupy', streams } });
  }
}

type Members = ReadonlyMap<number, readonly number[]>;

function* getSubscription(
  tx: Transaction,
  streamId: number,
  userId: number,
): Operation<SubscriptionRow> {
  const row = yield* tx.findSubscription(streamId, userId);
  if (row === undefined) throw new Error('a subscription without settings');
  return row;
}

/** By account, in the order in which the accounts come. */
function grouped<T>(
  changes: readonly T[],
  userIdsOf: (change: T) => readonly number[],
): ReadonlyMap<number, readonly T[]> {
  const byUser = new Map<number, T[]>();
  for (const each of changes) {
    for (const userId of userIdsOf(each)) {
      const known = byUser.get(userId);
      if (known === undefined) byUser.set(userId, [each]);
      else known.push(each);
    }
  }
  return byUser;
}

function* announceSubscriptions(
  tx: Transaction,
  all: readonly JoinResult[],
  members: Members,
  events: SubscribeEvents,
): Operation<void> {
  const byUser = grouped(all, ({ joinedIds }) => joinedIds);
  for (const [userId, joined] of byUser) {
    const subscriptions: ReturnType<SubscribeEvents['subscription']>[] = [];
    for (const { stream } of joined) {
      const row = yield* getSubscription(tx, stream.id, userId);
      subscriptions.push(events.subscription(row, members.get(stream.id) ?? []));
    }
    yield* tx.record({
      type: 'subscription',
      audience: { kind: 'users', userIds: [userId] },
      payload: { op: 'add', subscriptions },
    });
  }
}

function* announcePeers(
  tx: Transaction,
  op: 'peer_add' | 'peer_remove',
  who: { readonly stream: StreamRow; readonly userIds: readonly number[] },
  audienceOf: (userId: number) => ReturnType<SubscribeEvents['peerAudience']>,
): Operation<void> {
  const { stream, userIds } = who;
  for (const userId of userIds) {
    yield* tx.record({
      type: 'subscription',
      audience: audienceOf(userId),
      payload: {
        op,
        stream_id: stream.id,
        user_id: userId,
        stream_ids: [stream.id],
        user_ids: [userId],
        subscriptions: [stream.name],
      },
    });
  }
}

/** Step: subscribes accounts to streams, creates what is missing and records every event of it. */
export function* joinStreams(
  tx: Transaction,
  targets: readonly JoinTarget[],
  userIds: readonly number[],
  events: SubscribeEvents,
): Operation<readonly JoinResult[]> {
  const all: JoinResult[] = [];
  for (const target of targets) all.push(yield* joinOne(tx, target, userIds));
  yield* announceJoined(tx, all, events);
  return all;
}

/**
 * Step: subscribes new accounts to streams that are there, and tells the others. Nobody listens for a new account yet: what it
 * would be told of its own subscriptions names every subscriber, once for each of them.
 */
export function* joinNewcomers(
  tx: Transaction,
  all: readonly { readonly stream: StreamRow; readonly userIds: readonly number[] }[],
  events: SubscribeEvents,
): Operation<void> {
  for (const { stream, userIds } of all) {
    const joined = yield* joinOne(tx, { kind: 'existing', stream }, userIds);
    const memberIds = yield* tx.listMemberIds(stream.recipient_id);
    yield* announceStream(tx, joined, memberIds, events);
    const newIds = new Set(userIds);
    const before = memberIds.filter((id) => !newIds.has(id));
    yield* announcePeers(tx, 'peer_add', { stream, userIds }, (userId) =>
      events.peerAudience(stream, before, userId),
    );
  }
}

/** Step: records every event of accounts that were subscribed to streams. */
export function* announceJoined(
  tx: Transaction,
  all: readonly JoinResult[],
  events: SubscribeEvents,
): Operation<void> {
  const members = new Map<number, readonly number[]>();
  for (const { stream } of all) {
    members.set(stream.id, yield* tx.listMemberIds(stream.recipient_id));
  }
  for (const each of all) {
    yield* announceStream(tx, each, members.get(each.stream.id) ?? [], events);
  }
  yield* announceSubscriptions(tx, all, members, events);
  for (const { stream, joinedIds } of all) {
    const memberIds = members.get(stream.id) ?? [];
    yield* announcePeers(tx, 'peer_add', { stream, userIds: joinedIds }, (userId) =>
      events.peerAudience(stream, memberIds, userId),
    );
  }
}

function* leaveOne(
  tx: Transaction,
  stream: StreamRow,
  userIds: readonly number[],
): Operation<LeaveResult> {
  const leftIds: number[] = [];
  const missingIds: number[] = [];
  for (const userId of userIds) {
    ((yield* tx.leaveStream(stream, userId)) ? leftIds : missingIds).push(userId);
  }
  return { stream, leftIds, missingIds };
}

function* announceRemovals(tx: Transaction, all: readonly LeaveResult[]): Operation<void> {
  for (const [userId, left] of grouped(all, ({ leftIds }) => leftIds)) {
    yield* tx.record({
      type: 'subscription',
      audience: { kind: 'users', userIds: [userId] },
      payload: {
        op: 'remove',
        subscriptions: left.map(({ stream }) => ({ stream_id: stream.id, name: stream.name })),
      },
    });
  }
}

function* announceLeft(
  tx: Transaction,
  { stream, leftIds }: LeaveResult,
  events: SubscribeEvents,
): Operation<void> {
  const remainingIds = yield* tx.listMemberIds(stream.recipient_id);
  yield* announcePeers(tx, 'peer_remove', { stream, userIds: leftIds }, (userId) =>
    events.peerAudience(stream, remainingIds, userId),
  );
  yield* tx.recordAll(events.left(stream, leftIds));
  if (leftIds.length === 0 || remainingIds.length > 0 || stream.is_private === 1) return;
  yield* tx.record({
    type: 'stream',
    audience: events.streamAudience(stream, remainingIds),
    payload: { op: 'vacate', streams: [events.stream(stream)] },
  });
}

/** Step: ends subscriptions of accounts and records every event of it. */
export function* leaveStreams(
  tx: Transaction,
  streams: readonly StreamRow[],
  userIds: readonly number[],
  events: SubscribeEvents,
): Operation<readonly LeaveResult[]> {
  const all: LeaveResult[] = [];
  for (const stream of streams) all.push(yield* leaveOne(tx, stream, userIds));
  yield* announceRemovals(tx, all);
  for (const each of all) yield* announceLeft(tx, each, events);
  return all;
}
