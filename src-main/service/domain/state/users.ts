/** Accounts, bots and the caller's own settings in the initial state. */
import type { AccountRow } from '../../store/port.ts';
import { displayDefaults, notificationDefaults } from '../rules/defaults.ts';
import { canCreateStreams, canSubscribeOthers } from '../rules/permissions.ts';
import { avatarUrl, userShape } from '../rules/shapes.ts';
import { part } from './part.ts';

export const userPart = part(['users'], ({ caller, clientGravatar }, { users }) => {
  const byId = new Map(users.map((user) => [user.id, user]));
  const shape = (user: AccountRow): object =>
    userShape(user, user.owner_id === null ? undefined : byId.get(user.owner_id), clientGravatar);
  const self = byId.get(caller.userId);
  const ownAvatar = self === undefined ? '' : avatarUrl(self, false);
  return {
    realm_users: users.filter((user) => user.is_active === 1).map(shape),
    realm_non_active_users: users.filter((user) => user.is_active === 0).map(shape),
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
});

export const botPart = part([], () => ({ realm_bots: [] }));

const notificationSettings = (): object => ({
  ...notificationDefaults,
  available_notification_sounds: ['zulip', 'ding'],
});

const displaySettings = (): object => ({
  ...displayDefaults,
  emojiset_choices: [{ key: 'google-blob', text: 'Google classic' }],
});

export const notificationPart = part([], () => ({ ...notificationSettings() }));

export const displayPart = part([], () => ({ ...displaySettings() }));

export const userSettingsPart = part([], () => ({
  user_settings: {
    ...displaySettings(),
    ...notificationSettings(),
    send_private_typing_notifications: true,
    send_stream_typing_notifications: true,
  },
}));

export const pointerPart = part([], () => ({ pointer: -1 }));
export const alertWordPart = part([], () => ({ alert_words: [] }));
export const presencePart = part([], ({ nowSeconds }) => ({
  presences: {},
  server_timestamp: nowSeconds,
}));
export const userStatusPart = part([], () => ({ user_status: {} }));
