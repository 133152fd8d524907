/** An account's notification settings, and parts of its state that the notifier looks at. */
import type { ArrivalContext } from '#client/notifications/notifier.ts';
import type { Person, SubscribedStream } from '#shared/bridge/models/client-state.ts';
import { notificationDefaults, type NotificationSettings } from '#shared/api/models/settings.ts';
import { ada, ben, cleo, type PersonSeed } from '../service/wire-builders.ts';
import { organization } from '../window/office.ts';

/** Nothing rings by itself, nothing counts. */
export const silentSettings: NotificationSettings = {
  ...notificationDefaults,
  enable_desktop_notifications: false,
  enable_sounds: false,
  pm_content_in_desktop_notifications: false,
  wildcard_mentions_notify: false,
  desktop_icon_count_display: 3,
};

const person = ({ id, email, name }: PersonSeed): Person => ({
  userId: id,
  email,
  fullName: name,
  isAdmin: id === ada.id,
  isGuest: false,
  isBot: false,
  isActive: true,
  botOwnerId: null,
  avatarUrl: null,
  timezone: '',
  joinedAt: '',
  profile: {},
});

export const opsStream = (more: Partial<SubscribedStream> = {}): SubscribedStream => ({
  streamId: 4,
  name: 'ops',
  description: '',
  isPrivate: false,
  isAnnouncementOnly: false,
  hasSharedHistory: true,
  firstMessageId: null,
  weeklyTraffic: null,
  isMuted: false,
  isPinned: false,
  color: '#76ce90',
  desktopNotifications: false,
  audibleNotifications: false,
  pushNotifications: false,
  emailNotifications: false,
  ...more,
});

/** What the account `ada` knows when messages arrive. */
export const arrivalContext = (
  more: Partial<ArrivalContext['state']> = {},
  isCatchUp = false,
): ArrivalContext => ({
  state: {
    organization: { ...organization, notificationSounds: ['zulip', 'ding'] },
    notifications: notificationDefaults,
    streams: [opsStream()],
    mutedTopics: [],
    clockAheadSeconds: 0,
    people: [ada, ben, cleo].map(person),
    ...more,
  },
  isCatchUp,
});
