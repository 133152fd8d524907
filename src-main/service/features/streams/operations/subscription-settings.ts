/** What each account sets for its own streams and topics. */
import type { SettingRequest } from '#shared/api/endpoints/streams/subscriptions.ts';
import { type ServiceError, variableInvalid, variableMissing } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type {
  Operation,
  PayloadOf,
  Reading,
  Store,
  StreamRow,
  SubscriptionColumn,
  Transaction,
} from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import { fold } from '#shared/text/fold.ts';
import type { Limits } from '#shared/limits.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { checkQuota } from '#service/core/quotas.ts';
import { checkTopic, normalizeColor } from '#service/core/rules/names.ts';
import { checkOp } from '#service/core/rules/ops.ts';
import {
  type StreamNotifications,
  streamNotificationsOf,
} from '#service/core/rules/user-settings.ts';
import { findVisibleStream, getVisibleStream } from '#service/core/stream-access.ts';
import { announceMuted } from '#service/core/muted-topics.ts';

export interface TopicMute {
  readonly stream: string | undefined;
  readonly streamId: number | undefined;
  readonly topic: string;
  readonly op: string;
}

export interface SubscriptionSettingOperations {
  /** @throws REQUEST_VARIABLE_INVALID, BAD_REQUEST; then nothing has changed */
  readonly setProperties: (caller: Caller, requests: readonly SettingRequest[]) => Promise<void>;
  /**
   * Mutes a topic of a stream that the caller is subscribed to, or unmutes it, wherever it is.
   * @throws BAD_REQUEST, NONE, REQUEST_VARIABLE_MISSING (specification 4, PATCH muted_topics)
   */
  readonly muteTopic: (caller: Caller, request: TopicMute) => Promise<void>;
}

interface Flag {
  readonly column: SubscriptionColumn;
  /** The account's own setting that holds while the stream's is not set. */
  readonly inherited: keyof StreamNotifications | null;
}

type PropertyValue<P> = P extends { readonly property: unknown; readonly value: unknown }
  ? Pick<P, 'property' | 'value'>
  : never;

interface SubscriptionChange {
  readonly streamId: number;
  readonly column: SubscriptionColumn;
  readonly value: string | number;
  /** What holds while the column is null. */
  readonly inherited: number | null;
  /** What the account's clients are told, in this order, if the value that holds changes. */
  readonly announced: readonly PropertyValue<PayloadOf<'subscription', 'update'>>[];
}

const flags = {
  pin_to_top: { column: 'is_pinned', inherited: null },
  desktop_notifications: { column: 'desktop_notifications', inherited: 'desktop' },
  audible_notifications: { column: 'audible_notifications', inherited: 'audible' },
  push_notifications: { column: 'push_notifications', inherited: 'push' },
  email_notifications: { column: 'email_notifications', inherited: 'email' },
} as const satisfies Readonly<Record<string, Flag>>;

const isFlag = (property: string): property is keyof typeof flags => Object.hasOwn(flags, property);

const invalidValue = (request: SettingRequest, expected: string): ServiceError =>
  variableInvalid('subscription_data', request.value, `${expected} for ${request.property}`);

function colorChange(request: SettingRequest): SubscriptionChange {
  const { stream_id: streamId, value: wished } = request;
  const value = typeof wished === 'string' ? normalizeColor(wished) : undefined;
  if (value === undefined) throw invalidValue(request, '#rrggbb');
  const announced = [{ property: 'color', value }] as const;
  return { streamId, column: 'color', value, inherited: null, announced };
}

function flagOf(request: SettingRequest): boolean {
  if (typeof request.value !== 'boolean') throw invalidValue(request, 'true or false');
  return request.value;
}

/** Old clients know the one, new ones the other: they are told both. */
const muteChange = (streamId: number, isMuted: boolean): SubscriptionChange => ({
  streamId,
  column: 'is_muted',
  value: Number(isMuted),
  inherited: null,
  announced: [
    { property: 'in_home_view', value: !isMuted },
    { property: 'is_muted', value: isMuted },
  ],
});

function changeOf(request: SettingRequest, notifications: StreamNotifications): SubscriptionChange {
  const { stream_id: streamId, property } = request;
  if (property === 'color') return colorChange(request);
  if (property === 'is_muted') return muteChange(streamId, flagOf(request));
  if (property === 'in_home_view') return muteChange(streamId, !flagOf(request));
  if (!isFlag(property)) {
    throw refusal('subscription_property_unknown', { property: property.slice(0, 60) });
  }
  const flag = flags[property];
  const value = flagOf(request);
  return {
    streamId,
    column: flag.column,
    value: Number(value),
    inherited: flag.inherited === null ? null : Number(notifications[flag.inherited]),
    announced: [{ property, value }],
  };
}

/** @throws BAD_REQUEST when the caller is not subscribed to the stream */
function* setOne(tx: Transaction, caller: Caller, setting: SubscriptionChange): Operation<void> {
  const { streamId, column, value, inherited, announced } = setting;
  const { userId, email } = caller;
  const row = yield* tx.findSubscription(streamId, userId);
  if (row === undefined) throw refusal('not_subscribed_to_id', { stream_id: streamId });
  if (row[column] === value) return;
  yield* tx.setSubscription({ userId, streamId }, column, value);
  if ((row[column] ?? inherited) === value) return;
  for (const each of announced) {
    yield* tx.record({
      type: 'subscription',
      audience: { kind: 'users', userIds: [userId] },
      payload: { op: 'update', stream_id: streamId, name: row.name, email, ...each },
    });
  }
}

interface NamedTopic {
  readonly reference: number | string;
  readonly topic: string;
  readonly topicKey: string;
}

/** @throws BAD_REQUEST when the caller is not subscribed to the stream, NONE when the topic is muted already */
function* mute(
  tx: Transaction,
  caller: Caller,
  named: NamedTopic,
  limits: Limits,
): Operation<void> {
  const { stream } = yield* getVisibleStream(tx, caller, named.reference);
  const { userId } = caller;
  if ((yield* tx.findSubscription(stream.id, userId)) === undefined) {
    throw refusal('not_subscribed_to_topic');
  }
  if ((yield* tx.findMutedTopicId(userId, { ...named, streamId: stream.id })) !== undefined) {
    throw refusal('topic_already_muted');
  }
  yield* checkQuota(tx, limits, { kind: 'mutedTopics', caller: { userId, ownerId: null } });
  yield* tx.muteTopic(userId, stream.recipient_id, named);
  yield* announceMuted(tx, userId);
}

/** @throws NONE when the topic is not muted, BAD_REQUEST when there is no such stream for the caller */
function* unmute(tx: Transaction, caller: Caller, named: NamedTopic): Operation<void> {
  const { userId } = caller;
  const stream =
    (yield* findVisibleStream(tx, caller, named.reference))?.stream ??
    (yield* findMutedStream(tx, caller, named));
  const topicId = yield* tx.findMutedTopicId(userId, { ...named, streamId: stream.id });
  if (topicId === undefined) throw refusal('topic_not_muted');
  yield* tx.unmuteTopic(userId, topicId);
  yield* announceMuted(tx, userId);
}

/** What was muted can be unmuted, also where the stream is hidden by now. @throws BAD_REQUEST */
function* findMutedStream(
  tx: Reading,
  caller: Caller,
  named: NamedTopic,
): Operation<Pick<StreamRow, 'id'>> {
  const { reference } = named;
  const stream =
    typeof reference === 'number'
      ? yield* tx.findStream(reference)
      : yield* tx.findStreamByName(fold(reference));
  if (stream !== undefined) {
    const known = { ...named, streamId: stream.id };
    if ((yield* tx.findMutedTopicId(caller.userId, known)) !== undefined) return stream;
  }
  return (yield* getVisibleStream(tx, caller, reference)).stream;
}

export const subscriptionSettingOperations = (
  store: Store,
  { limits }: Pick<DomainContext, 'limits'>,
): SubscriptionSettingOperations => ({
  setProperties: (known, requests) =>
    change(store, known, function* (tx, caller) {
      const user = yield* tx.findUser(caller.userId);
      const notifications = streamNotificationsOf(user?.settings ?? '{}');
      const settings = requests.map((request) => changeOf(request, notifications));
      for (const each of settings) yield* setOne(tx, caller, each);
    }),
  muteTopic: (known, { stream: name, streamId: id, topic: written, op: wanted }) =>
    change(store, known, function* (tx, caller) {
      const op = checkOp(wanted, ['add', 'remove']);
      const reference = id ?? name;
      if (reference === undefined) throw variableMissing('stream_id');
      const topic = checkTopic(written);
      const named = { reference, topic, topicKey: fold(topic) };
      yield* op === 'add' ? mute(tx, caller, named, limits) : unmute(tx, caller, named);
    }),
});
