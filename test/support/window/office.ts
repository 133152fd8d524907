/** An organization in memory, as a window sees it. */
import type {
  ClientState,
  ListedStream,
  Organization,
  Person,
  SubscribedStream,
} from '#shared/bridge/models/client-state.ts';
import { conversationKey } from '#shared/bridge/models/client.ts';
import type { Account, Conversation } from '#shared/bridge/models/client.ts';
import { organizationDefaults } from '#shared/api/models/organization-settings.ts';
import { displayDefaults, notificationDefaults } from '#shared/api/models/settings.ts';

export const ownUserId = 8;

export const account: Account = {
  id: '8@http://127.0.0.1:9981',
  address: 'http://127.0.0.1:9981',
  realmName: 'Office',
  email: 'ada@example.com',
  fullName: 'Ada Admin',
  userId: ownUserId,
  isHosted: true,
};

export const person = (userId: number, fullName: string, extra: Partial<Person> = {}): Person => ({
  userId,
  email: `${fullName.split(' ')[0]?.toLowerCase() ?? ''}@example.com`,
  fullName,
  isAdmin: false,
  isGuest: false,
  isBot: false,
  isActive: true,
  botOwnerId: null,
  avatarUrl: null,
  timezone: '',
  joinedAt: '2026-01-05T09:00:00Z',
  profile: {},
  ...extra,
});

export const listedStream = (
  streamId: number,
  name: string,
  extra: Partial<ListedStream> = {},
): ListedStream => ({
  streamId,
  name,
  description: '',
  isPrivate: false,
  isAnnouncementOnly: false,
  hasSharedHistory: true,
  firstMessageId: null,
  weeklyTraffic: null,
  ...extra,
});

export const stream = (
  streamId: number,
  name: string,
  extra: Partial<SubscribedStream> = {},
): SubscribedStream => ({
  ...listedStream(streamId, name),
  isMuted: false,
  isPinned: false,
  color: '#76ce90',
  desktopNotifications: false,
  audibleNotifications: false,
  pushNotifications: false,
  emailNotifications: false,
  ...extra,
});

export const inTopic = (streamId: number, topic: string): Conversation => ({
  kind: 'stream',
  streamId,
  topic,
});

export const withPeople = (...userIds: number[]): Conversation => ({ kind: 'private', userIds });

/** Unread messages of conversations, as a state has them. */
export const unreadIn = (
  ...entries: readonly (readonly [conversation: Conversation, count: number, mentions?: number])[]
): ClientState['unread'] =>
  Object.fromEntries(
    entries.map(([conversation, count, mentions = 0]) => [
      conversationKey(conversation),
      { conversation, count, mentions, newestId: 1 },
    ]),
  );

export const organization: Organization = {
  settings: {
    ...organizationDefaults,
    name: 'Office',
    allow_message_deleting: true,
    max_file_upload_size: 25,
  },
  iconUrl: null,
  canCreateStreams: true,
  canSubscribeOthers: true,
  joinRequests: 0,
  notificationSounds: ['zulip'],
};

export const officeState: ClientState = {
  ownUserId,
  clockAheadSeconds: 0,
  fileChange: 0,
  organization,
  people: [
    person(ownUserId, 'Ada Admin', { isAdmin: true }),
    person(9, 'Ben Member'),
    person(10, 'Cleo Zürcher'),
    person(11, 'Gus Guest', { isGuest: true }),
    person(12, 'Echo Bot', { isBot: true, botOwnerId: ownUserId }),
  ],
  presences: {},
  statuses: {},
  streams: [
    stream(1, 'general', { description: 'For everybody', isPinned: true }),
    stream(2, 'engineering', { color: '#c2c2c2' }),
    stream(3, 'leads', { isPrivate: true, color: '#a6c7e5' }),
  ],
  otherStreams: [],
  goneStreams: [],
  mutedTopics: [],
  unread: {},
  privateConversations: [{ userIds: [9], newestMessageId: 1 }],
  starredCount: 0,
  notifications: notificationDefaults,
  display: { ...displayDefaults, starred_message_counts: true, twenty_four_hour_time: true },
  alertWords: [],
  customEmoji: [],
  userGroups: [],
  profileFields: [],
  defaultStreamIds: [],
  bots: [],
  typing: {},
  memberChanges: {},
  drafts: [],
  outbox: [],
  storageProblem: null,
  lost: { waiting: 0, isAgreed: false, done: null },
};
