/** The state as POST /register tells it (API decisions 9). */
import { z } from 'zod';
import type {
  Organization,
  Person,
  Presence,
  PrivateConversation,
} from '#shared/bridge/models/client-state.ts';
import {
  displayDefaults,
  displaySettings,
  notificationDefaults,
  notificationSettings,
} from '#shared/api/models/settings.ts';
import { withTold } from '#shared/api/setting-codecs.ts';
import { PersistentMap } from './collections/persistent-map.ts';
import { newestReport } from './presence.ts';
import type { SessionState } from './session-state.ts';
import { defaultOrganization, withRealmSettings } from './settings.ts';
import { mutedPlacesFrom, resolvedTopics } from './muted-topics.ts';
import { byId } from './collections/sorted.ts';
import { noUnread, type UnreadEntry, withUnread } from './unread.ts';
import { partForms, partsFrom, partTypes } from './told-parts.ts';
import {
  listOrNone,
  WireMutedTopics,
  WirePerson,
  WireReport,
  WireStream,
  WireSubscription,
} from './wire.ts';

/** What to fetch for a snapshot. */
export const snapshotTypes: readonly string[] = [
  'message',
  'update_message_flags',
  'starred_messages',
  'recent_private_conversations',
  'subscription',
  'muted_topics',
  'realm_user',
  'presence',
  'realm',
  'update_display_settings',
  'update_global_notifications',
  // Where a newer service has the settings.
  'user_settings',
  'join_requests',
  ...partTypes,
];

const ids = listOrNone(z.int());

const UnreadMessages = z.object({
  pms: listOrNone(
    z.object({
      sender_id: z.int(),
      /** Only newer services: it is the other one of the two, whoever wrote. */
      other_user_id: z.int().optional(),
      unread_message_ids: ids,
    }),
  ),
  streams: listOrNone(z.object({ stream_id: z.int(), topic: z.string(), unread_message_ids: ids })),
  huddles: listOrNone(z.object({ user_ids_string: z.string(), unread_message_ids: ids })),
  mentions: ids,
});

const settings = z.record(z.string(), z.unknown()).catch({});

/** Only the place in the event log and who one is have to be there. */
export const Snapshot = z.looseObject({
  ...partForms,
  queue_id: z.string(),
  last_event_id: z.int(),
  user_id: z.int(),
  max_message_id: z.int().catch(-1),
  can_create_streams: z.boolean().catch(true),
  can_subscribe_other_users: z.boolean().catch(true),
  available_notification_sounds: listOrNone(z.string()),
  realm_users: listOrNone(WirePerson),
  realm_non_active_users: listOrNone(WirePerson),
  cross_realm_bots: listOrNone(WirePerson),
  subscriptions: listOrNone(WireSubscription),
  unsubscribed: listOrNone(WireStream),
  never_subscribed: listOrNone(WireStream),
  muted_topics: WireMutedTopics.catch([]),
  unread_msgs: UnreadMessages.catch({ pms: [], streams: [], huddles: [], mentions: [] }),
  starred_messages: ids,
  recent_private_conversations: listOrNone(z.object({ max_message_id: z.int(), user_ids: ids })),
  presences: z.record(z.string(), z.unknown()).catch({}),
  server_timestamp: z.number().optional().catch(undefined),
  user_settings: settings,
  join_request_count: z.int().catch(0),
});
export type Snapshot = z.output<typeof Snapshot>;

export function stateFrom(snapshot: Snapshot): SessionState {
  const people = peopleFrom(snapshot);
  const streams = byId(snapshot.subscriptions, 'streamId');
  const otherStreams = byId([...snapshot.unsubscribed, ...snapshot.never_subscribed], 'streamId');
  const mutedPlaces = mutedPlacesFrom(snapshot.muted_topics, [...streams, ...otherStreams]);
  // Older keys stand beside the others; where a service has both, they say the same.
  const settings = { ...snapshot.user_settings, ...snapshot };
  return {
    ownUserId: snapshot.user_id,
    clockAheadSeconds: 0,
    fileChange: 0,
    organization: organizationFrom(snapshot),
    people,
    presences: presencesFrom(snapshot.presences, people),
    streams,
    otherStreams,
    goneStreams: [],
    memberChanges: {},
    mutedPlaces,
    mutedTopics: resolvedTopics(mutedPlaces, [...streams, ...otherStreams]),
    formerStreamIds: snapshot.unsubscribed.map(({ streamId }) => streamId).sort((a, b) => a - b),
    unreadStore: withUnread(noUnread, unreadFrom(snapshot)),
    starred: PersistentMap.from(snapshot.starred_messages.map((id) => [id, true] as const)),
    privateConversations: privateConversationsFrom(snapshot),
    maxMessageId: snapshot.max_message_id,
    notifications: withTold(notificationSettings, notificationDefaults, settings),
    display: withTold(displaySettings, displayDefaults, settings),
    ...partsFrom(snapshot),
    typing: {},
    typists: [],
  };
}

function organizationFrom(snapshot: Snapshot): Organization {
  const { max_file_upload_size: mostUploadMib } = snapshot;
  const ofRealm = Object.entries(snapshot).filter(([key]) => key.startsWith('realm_'));
  const told = Object.fromEntries(ofRealm.map(([key, value]) => [key.slice(6), value]));
  return {
    ...withRealmSettings(defaultOrganization, { ...told, max_file_upload_size: mostUploadMib }),
    canCreateStreams: snapshot.can_create_streams,
    canSubscribeOthers: snapshot.can_subscribe_other_users,
    joinRequests: snapshot.join_request_count,
    notificationSounds: snapshot.available_notification_sounds,
  };
}

function peopleFrom(snapshot: Snapshot): readonly Person[] {
  const inactive = snapshot.realm_non_active_users.map((each) => ({ ...each, isActive: false }));
  return byId([...snapshot.cross_realm_bots, ...inactive, ...snapshot.realm_users], 'userId');
}

/** @param wire  reports by client, by e-mail address */
export function presencesFrom(
  wire: Readonly<Record<string, unknown>>,
  people: readonly Person[],
): Readonly<Record<number, Presence>> {
  const idOf = new Map(people.map(({ email, userId }) => [email, userId]));
  const presences: Record<number, Presence> = {};
  for (const [email, reports] of Object.entries(wire)) {
    const userId = idOf.get(email);
    const read = z.object({ aggregated: WireReport }).safeParse(reports);
    if (userId === undefined || !read.success) continue;
    const presence = newestReport([read.data.aggregated]);
    if (presence !== null) presences[userId] = presence;
  }
  return presences;
}

const privateConversationsFrom = (snapshot: Snapshot): readonly PrivateConversation[] =>
  snapshot.recent_private_conversations
    .map(({ max_message_id: newestMessageId, user_ids: userIds }) => ({
      userIds: userIds.filter((id) => id !== snapshot.user_id).sort((a, b) => a - b),
      newestMessageId,
    }))
    .sort((a, b) => b.newestMessageId - a.newestMessageId);

function* unreadFrom({
  unread_msgs: unread,
  user_id: ownUserId,
}: Snapshot): Generator<UnreadEntry> {
  const mentions = new Set(unread.mentions);
  const withOthers = (userIds: readonly number[]) => ({
    kind: 'private' as const,
    userIds: userIds.filter((id) => id !== ownUserId).sort((a, b) => a - b),
  });
  const places = [
    ...unread.streams.map(({ stream_id: streamId, topic, unread_message_ids }) => ({
      conversation: { kind: 'stream' as const, streamId, topic },
      unread_message_ids,
    })),
    ...unread.pms.map(({ other_user_id: other, sender_id: sender, unread_message_ids }) => ({
      conversation: withOthers([other ?? sender]),
      unread_message_ids,
    })),
    ...unread.huddles.map(({ user_ids_string: userIds, unread_message_ids }) => ({
      conversation: withOthers(userIds.split(',').map(Number).filter(Number.isSafeInteger)),
      unread_message_ids,
    })),
  ];
  for (const { conversation, unread_message_ids: messageIds } of places) {
    for (const id of messageIds) yield { id, conversation, isMention: mentions.has(id) };
  }
}
