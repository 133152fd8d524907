/** What each account sets for its own streams and topics. */
import type { SettingRequest } from '../../contract/api/subscriptions.ts';
import type { ServiceError } from '../../contract/errors.ts';
import { badRequest, variableInvalid, variableMissing } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { Store, SubscriptionChange, SubscriptionColumn } from '../store/port.ts';
import { fold } from '../../contract/fold.ts';
import { checkTopic, normalizeColor } from './rules/names.ts';
import { checkOp } from './rules/ops.ts';
import { type StreamNotifications, streamNotificationsOf } from './rules/user-settings.ts';
import { findVisibleStream, getVisibleStream, type StreamAccessStore } from './stream-access.ts';

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

type SettingStore = StreamAccessStore &
  Pick<
    Store,
    'findUser' | 'isTopicMuted' | 'muteTopic' | 'setSubscriptionSettings' | 'unmuteTopic'
  >;

interface Flag {
  readonly column: SubscriptionColumn;
  /** The account's own setting that holds while the stream's is not set. */
  readonly inherited: keyof StreamNotifications | null;
}

const flags: ReadonlyMap<string, Flag> = new Map<string, Flag>([
  ['pin_to_top', { column: 'is_pinned', inherited: null }],
  ['desktop_notifications', { column: 'desktop_notifications', inherited: 'desktop' }],
  ['audible_notifications', { column: 'audible_notifications', inherited: 'audible' }],
  ['push_notifications', { column: 'push_notifications', inherited: 'push' }],
  ['email_notifications', { column: 'email_notifications', inherited: 'email' }],
]);

const invalidValue = (request: SettingRequest, expected: string): ServiceError =>
  variableInvalid('subscription_data', request.value, `${expected} for ${request.property}`);

function colorChange(request: SettingRequest): SubscriptionChange {
  const { stream_id: streamId, value: wished } = request;
  const value = typeof wished === 'string' ? normalizeColor(wished) : undefined;
  if (value === undefined) throw invalidValue(request, '#rrggbb');
  const announced = [{ property: 'color', value }];
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
  const flag = flags.get(property);
  if (flag === undefined) {
    throw badRequest(`Unknown subscription property: ${property.slice(0, 60)}`);
  }
  const value = flagOf(request);
  return {
    streamId,
    column: flag.column,
    value: Number(value),
    inherited: flag.inherited === null ? null : Number(notifications[flag.inherited]),
    announced: [{ property, value }],
  };
}

function topicMuting(store: SettingStore): SubscriptionSettingOperations['muteTopic'] {
  return async (caller, { stream: name, streamId: id, topic: written, op: wanted }) => {
    const op = checkOp(wanted, ['add', 'remove']);
    const reference = id ?? name;
    if (reference === undefined) throw variableMissing('stream_id');
    const topic = checkTopic(written);
    const topicKey = fold(topic);
    if (op === 'add') {
      const { stream } = await getVisibleStream(store, caller, reference);
      await store.muteTopic(caller.userId, { streamId: stream.id, topic, topicKey });
      return;
    }
    const stream =
      (await findVisibleStream(store, caller, reference))?.stream ??
      (await findMutedStream(store, caller, { reference, topic, topicKey }));
    await store.unmuteTopic(caller.userId, { streamId: stream.id, topic, topicKey });
  };
}

/** What was muted can be unmuted, also where the stream is hidden by now. @throws BAD_REQUEST */
async function findMutedStream(
  store: SettingStore,
  caller: Caller,
  wanted: {
    readonly reference: number | string;
    readonly topic: string;
    readonly topicKey: string;
  },
): Promise<{ readonly id: number }> {
  const { reference, topic, topicKey } = wanted;
  const stream =
    typeof reference === 'number'
      ? await store.findStream(reference)
      : await store.findStreamByName(fold(reference));
  if (stream !== undefined) {
    const known = { streamId: stream.id, topic, topicKey };
    if (await store.isTopicMuted(caller.userId, known)) return stream;
  }
  return (await getVisibleStream(store, caller, reference)).stream;
}

export const subscriptionSettingOperations = (
  store: SettingStore,
): SubscriptionSettingOperations => ({
  async setProperties(caller, requests) {
    const user = await store.findUser(caller.userId);
    const notifications = streamNotificationsOf(user?.settings ?? '{}');
    const changes = requests.map((request) => changeOf(request, notifications));
    await store.setSubscriptionSettings({ id: caller.userId, email: caller.email }, changes);
  },
  muteTopic: topicMuting(store),
});
