/** Ending subscriptions, and what each account sets for its own ones. */
import { badRequest } from '../../contract/errors.ts';
import { type Operation, record, run } from './operation.ts';
import {
  findSubscription,
  getLiveStream,
  memberIds,
  type StreamRow,
  subscribe,
  type SubscribeEvents,
  type SubscribePlan,
  type SubscribeResult,
} from './streams.ts';

export interface UnsubscribePlan {
  readonly streamIds: readonly number[];
  readonly userIds: readonly number[];
}

/** How the domain puts into events what happened. */
export type UnsubscribeEvents = Pick<SubscribeEvents, 'stream' | 'streamAudience' | 'peerAudience'>;

export interface UnsubscribeResult {
  readonly streamId: number;
  readonly name: string;
  /** Accounts of the plan that were subscribed until now. */
  readonly leftIds: readonly number[];
  /** Those that were not. */
  readonly missingIds: readonly number[];
}

const END = `UPDATE membership SET until_id = (SELECT COALESCE(MAX(id), 0) FROM message)
  WHERE recipient_id = :recipientId AND account_id = :userId AND until_id IS NULL`;

type Left = UnsubscribeResult & { readonly stream: StreamRow };

function* leaveOne(streamId: number, userIds: readonly number[]): Operation<Left> {
  const stream = yield* getLiveStream(streamId);
  const leftIds: number[] = [];
  const missingIds: number[] = [];
  for (const userId of userIds) {
    const ended = yield* run(END, { recipientId: stream.recipient_id, userId });
    (ended > 0 ? leftIds : missingIds).push(userId);
  }
  return { streamId, name: stream.name, leftIds, missingIds, stream };
}

function* announceRemovals(results: readonly Left[]): Operation<void> {
  for (const userId of new Set(results.flatMap((result) => result.leftIds))) {
    const left = results.filter((result) => result.leftIds.includes(userId));
    yield* record({
      type: 'subscription',
      audience: { kind: 'users', userIds: [userId] },
      payload: {
        op: 'remove',
        subscriptions: left.map(({ streamId, name }) => ({ stream_id: streamId, name })),
      },
    });
  }
}

function* announceLeft(
  { stream, leftIds }: Left,
  remainingIds: readonly number[],
  events: UnsubscribeEvents,
): Operation<void> {
  for (const userId of leftIds) {
    yield* record({
      type: 'subscription',
      audience: events.peerAudience(stream, remainingIds, userId),
      payload: {
        op: 'peer_remove',
        stream_id: stream.id,
        user_id: userId,
        stream_ids: [stream.id],
        user_ids: [userId],
        subscriptions: [stream.name],
      },
    });
  }
  if (leftIds.length > 0 && remainingIds.length === 0 && stream.is_private === 0) {
    yield* record({
      type: 'stream',
      audience: events.streamAudience(stream, remainingIds),
      payload: { op: 'vacate', streams: [events.stream(stream)] },
    });
  }
}

/**
 * Step: ends subscriptions with the newest message there is, and records every event of it. What the accounts held
 * they keep; their settings of the streams stay for another time.
 * @throws StreamsChanged when a stream was archived since the caller looked
 */
export function* unsubscribe(
  plan: UnsubscribePlan,
  events: UnsubscribeEvents,
): Operation<readonly UnsubscribeResult[]> {
  const results: Left[] = [];
  for (const streamId of plan.streamIds) results.push(yield* leaveOne(streamId, plan.userIds));
  yield* announceRemovals(results);
  for (const result of results) {
    yield* announceLeft(result, yield* memberIds(result.stream.recipient_id), events);
  }
  return results;
}

/** Columns of a stream's personal settings. */
export type SubscriptionColumn =
  | 'color'
  | 'is_muted'
  | 'is_pinned'
  | 'desktop_notifications'
  | 'audible_notifications'
  | 'push_notifications'
  | 'email_notifications';

const SET: Readonly<Record<SubscriptionColumn, string>> = {
  color: 'color = :value',
  is_muted: 'is_muted = :value',
  is_pinned: 'is_pinned = :value',
  desktop_notifications: 'desktop_notifications = :value',
  audible_notifications: 'audible_notifications = :value',
  push_notifications: 'push_notifications = :value',
  email_notifications: 'email_notifications = :value',
};

export interface SubscriptionChange {
  readonly streamId: number;
  readonly column: SubscriptionColumn;
  readonly value: string | number;
  /** What holds while the column is null. */
  readonly inherited: number | null;
  /** What the account's clients are told, in this order, if the value that holds changes. */
  readonly announced: readonly {
    readonly property: string;
    readonly value: string | boolean;
  }[];
}

function* setOne(
  { id: userId, email }: { readonly id: number; readonly email: string },
  change: SubscriptionChange,
): Operation<void> {
  const { streamId, column, value, inherited, announced } = change;
  const row = yield* findSubscription(streamId, userId);
  if (row === undefined) throw badRequest(`Not subscribed to stream id ${String(streamId)}`);
  if (row[column] === value) return;
  yield* run(
    `UPDATE stream_setting SET ${SET[column]} WHERE account_id = :userId AND stream_id = :streamId`,
    { userId, streamId, value },
  );
  if ((row[column] ?? inherited) === value) return;
  for (const each of announced) {
    yield* record({
      type: 'subscription',
      audience: { kind: 'users', userIds: [userId] },
      payload: { op: 'update', stream_id: streamId, name: row.name, email, ...each },
    });
  }
}

export const subscriptionWrites = {
  /**
   * Ends subscriptions, all or nothing.
   * @throws StreamsChanged when a stream was archived since the caller looked
   */
  *unsubscribeUsers(
    plan: UnsubscribePlan,
    events: UnsubscribeEvents,
  ): Operation<readonly UnsubscribeResult[]> {
    return yield* unsubscribe(plan, events);
  },
  /**
   * Ends some subscriptions and begins others, all or nothing.
   * @throws StreamsChanged
   */
  *changeSubscriptions(
    ended: UnsubscribePlan,
    begun: SubscribePlan,
    events: SubscribeEvents,
  ): Operation<{
    readonly removed: readonly UnsubscribeResult[];
    readonly added: readonly SubscribeResult[];
  }> {
    const removed = yield* unsubscribe(ended, events);
    return { removed, added: yield* subscribe(begun, events) };
  },
  /**
   * Sets an account's own settings of streams, all or nothing.
   * @param account  whose they are; its address goes into the events
   * @throws BAD_REQUEST when it is not subscribed to one of the streams
   */
  *setSubscriptionSettings(
    account: { readonly id: number; readonly email: string },
    changes: readonly SubscriptionChange[],
  ): Operation<void> {
    for (const change of changes) yield* setOne(account, change);
  },
};
