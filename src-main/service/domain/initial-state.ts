/** What /register returns beside the queue: the state that its events continue (API decisions, section 9). */
import type { Caller } from '../../contract/handlers.ts';
import type { AccountRow, Registration, StreamRow } from '../store/port.ts';
import {
  COMPATIBLE_VERSION,
  displayDefaults,
  notificationDefaults,
  realmDefaults,
  uploadLimits,
} from './rules/defaults.ts';
import {
  canCreateStreams,
  canSeeStream,
  canSubscribeOthers,
  factsOf,
} from './rules/permissions.ts';
import {
  avatarUrl,
  streamShape,
  streamWithTrafficShape,
  subscriptionShape,
  type Traffic,
  userShape,
} from './rules/shapes.ts';
import { summarizeUnread } from './rules/unread.ts';

export interface StateRequest {
  readonly caller: Caller;
  readonly state: Registration;
  /** Null for everything. */
  readonly types: readonly string[] | null;
  readonly clientGravatar: boolean;
  readonly includeSubscribers: boolean;
  readonly nowSeconds: number;
  /** Scheme, host and port under which the caller reaches the service. */
  readonly origin: string;
}

type Part = (request: StateRequest) => Readonly<Record<string, unknown>>;

const trafficOf = ({ state, nowSeconds }: StateRequest): Traffic => ({
  nowSeconds,
  weeklyMessages: state.weeklyMessages,
});

const isVisible = (request: StateRequest, stream: StreamRow): boolean =>
  canSeeStream(
    request.caller,
    factsOf(stream),
    request.state.subscriptions.some((row) => row.id === stream.id),
  );

const subscribersOf = (request: StateRequest, stream: StreamRow): object =>
  request.includeSubscribers
    ? { subscribers: request.state.members.get(stream.recipient_id) ?? [] }
    : {};

const subscriptionPart: Part = (request) => {
  const { state } = request;
  const traffic = trafficOf(request);
  const current = new Set(state.subscriptions.map((row) => row.id));
  const former = new Set(state.formerStreamIds);
  const others = state.streams.filter((row) => !current.has(row.id) && isVisible(request, row));
  const shape = (row: StreamRow): object => ({
    ...streamWithTrafficShape(row, traffic),
    ...subscribersOf(request, row),
  });
  return {
    subscriptions: state.subscriptions.map((row) => ({
      ...subscriptionShape(row, traffic),
      ...subscribersOf(request, row),
    })),
    unsubscribed: others.filter((row) => former.has(row.id)).map(shape),
    never_subscribed: others.filter((row) => !former.has(row.id)).map(shape),
  };
};

const userPart: Part = ({ state, caller, clientGravatar }) => {
  const byId = new Map(state.users.map((user) => [user.id, user]));
  const shape = (user: AccountRow): object =>
    userShape(user, user.owner_id === null ? undefined : byId.get(user.owner_id), clientGravatar);
  const self = byId.get(caller.userId);
  const ownAvatar = self === undefined ? '' : avatarUrl(self, false);
  return {
    realm_users: state.users.filter((user) => user.is_active === 1).map(shape),
    realm_non_active_users: state.users.filter((user) => user.is_active === 0).map(shape),
    cross_realm_bots: [],
    user_id: caller.userId,
    email: caller.email,
    full_name: caller.fullName,
    delivery_email: caller.email,
    is_admin: caller.role === 'admin',
    is_guest: caller.role === 'guest',
    avatar_source: 'G',
    avatar_url: ownAvatar,
    avatar_url_medium: `${ownAvatar ?? ''}&s=500`,
    can_create_streams: canCreateStreams(caller),
    can_subscribe_other_users: canSubscribeOthers(caller),
    enter_sends: true,
  };
};

const realmPart: Part = ({ state, origin }) => {
  const realm = state.realm;
  const settings = {
    ...realmDefaults,
    name: realm?.name ?? '',
    description: realm?.description ?? '',
    uri: origin,
    bot_domain: origin.replace(/^https?:\/\//, '').replace(/:\d+$/, ''),
    notifications_stream_id: realm?.notifications_stream_id ?? -1,
  };
  return {
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [`realm_${key}`, value])),
    ...uploadLimits,
  };
};

const streamPart: Part = (request) => ({
  streams: request.state.streams.filter((row) => isVisible(request, row)).map(streamShape),
  stream_name_max_length: 60,
  stream_description_max_length: 1024,
});

const defaultStreamPart: Part = ({ state, caller }) => ({
  realm_default_streams:
    caller.role === 'guest'
      ? []
      : state.streams.filter((row) => row.is_default === 1).map(streamShape),
});

const conversationPart: Part = ({ state, caller }) => ({
  recent_private_conversations: state.privateConversations.flatMap((row) =>
    row.max_id === null
      ? []
      : [
          {
            max_message_id: row.max_id,
            user_ids: row.participants_key
              .split(',')
              .map(Number)
              .filter((id) => id !== caller.userId),
          },
        ],
  ),
});

const notificationPart: Part = () => ({
  ...notificationDefaults,
  available_notification_sounds: ['zulip', 'ding'],
});

const displayPart: Part = () => ({
  ...displayDefaults,
  emojiset_choices: [{ key: 'google-blob', text: 'Google classic' }],
});

const userSettingsPart: Part = (request) => ({
  user_settings: {
    ...displayPart(request),
    ...notificationPart(request),
    send_private_typing_notifications: true,
    send_stream_typing_notifications: true,
  },
});

/** Parts that everybody gets who does not choose. Where a feature has no state yet, its part is empty. */
const parts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['message', ({ state }) => ({ max_message_id: state.newestHeldId ?? -1 })],
  ['starred_messages', () => ({ starred_messages: [] })],
  ['subscription', subscriptionPart],
  ['stream', streamPart],
  ['default_streams', defaultStreamPart],
  ['default_stream_groups', () => ({ realm_default_stream_groups: [] })],
  ['muted_topics', () => ({ muted_topics: [] })],
  ['realm_user', userPart],
  ['realm_bot', () => ({ realm_bots: [] })],
  ['realm_embedded_bots', () => ({ realm_embedded_bots: [] })],
  ['realm_user_groups', () => ({ realm_user_groups: [] })],
  ['presence', ({ nowSeconds }) => ({ presences: {}, server_timestamp: nowSeconds })],
  ['realm', realmPart],
  ['realm_domains', () => ({ realm_domains: [] })],
  ['realm_emoji', () => ({ realm_emoji: {} })],
  ['realm_filters', () => ({ realm_filters: [] })],
  ['custom_profile_fields', () => ({ custom_profile_fields: [], custom_profile_field_types: {} })],
  ['update_display_settings', displayPart],
  ['update_global_notifications', notificationPart],
  ['pointer', () => ({ pointer: -1 })],
  ['alert_words', () => ({ alert_words: [] })],
  ['user_status', () => ({ user_status: {} })],
  ['hotspots', () => ({ hotspots: [] })],
  ['stop_words', () => ({ stop_words: [] })],
]);

/** Only where they are named. */
const namedParts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['user_settings', userSettingsPart],
  ['recent_private_conversations', conversationPart],
]);

const unreadPart: Part = ({ state }) => {
  const subscribed = new Set(state.subscriptions.map((row) => row.id));
  const muted = state.subscriptions.filter((row) => row.is_muted === 1).map((row) => row.id);
  // What was left unread in a stream that the caller has left is held, but no longer waits for anybody.
  const rows = state.unread.filter(
    ({ stream_id: streamId }) => streamId === null || subscribed.has(streamId),
  );
  return { unread_msgs: summarizeUnread(rows, new Set(muted)) };
};

/** The initial data of the requested types; unknown names are ignored. */
export function initialState(request: StateRequest): Readonly<Record<string, unknown>> {
  const isWanted = (type: string): boolean => request.types?.includes(type) ?? true;
  const state: Record<string, unknown> = { zulip_version: COMPATIBLE_VERSION };
  for (const [type, part] of parts) if (isWanted(type)) Object.assign(state, part(request));
  for (const [type, part] of namedParts) {
    if (request.types?.includes(type) === true) Object.assign(state, part(request));
  }
  if (isWanted('message') && isWanted('update_message_flags')) {
    Object.assign(state, unreadPart(request));
  }
  return state;
}
