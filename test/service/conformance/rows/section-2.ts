/** Specification 2: resources and their fields. */
import { alike, type Rows, table } from './row.ts';

const streamMessage = 'history.stream-message-keys';
const privateMessage = 'history.private-message-names';
const rawMessage = 'history.raw-content-markdown';
const sender = 'fields.sender';

const message = table('specification 2, Message', {
  id: ['fields.message-id'],
  type: [streamMessage, privateMessage],
  content: [rawMessage],
  content_type: [rawMessage],
  display_recipient: [streamMessage, privateMessage],
  recipient_id: ['fields.recipient-id', 'send.both-sides-conversation'],
  ...alike(
    ['sender_id', 'sender_email', 'sender_full_name', 'sender_short_name', 'sender_realm_str'],
    [streamMessage, sender],
  ),
  avatar_url: ['history.client-computes-gravatars', 'avatars.picture-shows-account'],
  client: ['send.user-agent-client', 'send.argument-accepted'],
  flags: ['history.message-read-flags', 'flags.set-and-unset'],
  is_me_message: ['history.status-message'],
  reactions: ['reactions.message-order-adding'],
  stream_id: [streamMessage, privateMessage],
  subject: [streamMessage, privateMessage, 'history.topic-spelled-message'],
  subject_links: [streamMessage, 'rendering.linkifiers-count-topics'],
  submessages: [streamMessage, 'submessages.message-shows-attached'],
  timestamp: [streamMessage],
});

const snapshots: readonly string[] = ['edit-history.message-changed-survives'];
const original = 'edit-history.message-never-edited';

const snapshot = table('specification 2, Edit-history snapshot', {
  ...alike(
    [
      'topic',
      'content',
      'rendered_content',
      'prev_content',
      'prev_rendered_content',
      'prev_topic',
      'content_html_diff',
    ],
    [...snapshots, original],
  ),
  ...alike(['user_id', 'timestamp'], [...snapshots, original, 'fields.version-message-seconds']),
});

const listed = 'fields.stream-listed-id';

const stream = table('specification 2, Stream', {
  stream_id: [listed],
  name: [listed, 'streams.existing-joined-name'],
  description: [listed, 'streams.missing-created-subscribing'],
  invite_only: [listed, 'streams.subscribing-new', 'streams.private-refused-without'],
});

const subscriptionKeys = 'streams.subscription-key-notification';
const property = 'subscription-properties.property-set';

const subscription = table('specification 2, Subscription', {
  ...alike(
    ['desktop_notifications', 'push_notifications', 'audible_notifications', 'pin_to_top'],
    [subscriptionKeys, property],
  ),
  email_address: [subscriptionKeys],
  in_home_view: [subscriptionKeys, property, 'fields.stream-muted-not'],
  color: ['subscription-properties.colour-echoed-sent', 'streams.colours-accepted-four'],
  subscribers: ['streams.subscribers-addresses-asked'],
});

const person = 'accounts.person-asks-profile';
const bot = 'accounts.bot-asks-profile';
const everybody = 'accounts.list-everybody-bots';
const roles = 'accounts.profile-caller-role';
const botTypes = 'fields.account-listed-type';

const user = table('specification 2, User', {
  ...alike(['user_id', 'email', 'full_name'], [person, everybody]),
  is_admin: [person, roles],
  is_bot: [person, bot, everybody],
  is_active: [everybody],
  is_guest: [person, roles],
  bot_type: [botTypes],
  bot_owner: [bot, botTypes],
  avatar_url: [person, 'accounts.list-leaves-gravatars', 'avatars.picture-shows-account'],
  timezone: [person, 'settings.time-zone-everybody'],
  date_joined: ['fields.account-created-iso'],
  profile_data: ['accounts.list-profile-fields', 'profile-fields.everybody-once-shown'],
});

const inProse = table('specification 2, in prose', {
  'Profile pointer': [person, 'pointer.moves-forward-account'],
  'Profile max_message_id': [person, 'accounts.profile-caller-newest'],
  'Profile client_id': ['accounts.profile-caller-another'],
  'Profile short_name': [person, 'accounts.new-short-name'],
});

const allKeys = 'accounts.key-organization-included';

const server = table('specification 2, Server settings', {
  ...alike(
    [
      'authentication_methods',
      'chat_version',
      'push_notifications_enabled',
      'is_incompatible',
      'email_auth_enabled',
      'require_email_format_usernames',
      'realm_uri',
      'external_authentication_methods',
    ],
    [allKeys],
  ),
  ...alike(['realm_name', 'realm_description'], [allKeys, 'realm.name-description-server']),
  realm_icon: [allKeys, 'fields.logo-organization-square'],
});

export const section2: readonly Rows[] = [
  message,
  snapshot,
  stream,
  subscription,
  user,
  inProse,
  server,
];
