/** API decisions 8.2: the payloads of events and who gets them. */
import { type Rows, table } from './row.ts';

const aboutMessages = table('API decisions 8.2', {
  message: [
    'events.message-get-messages',
    'events.message-flags',
    'events.message-carries-local',
    'events.who-hears-message',
    'events.member-hears-not',
  ],
  heartbeat: ['queues.heartbeat-ends-fetch'],
  update_message: [
    'edit.event-content-carries',
    'edit.event-topic-lists',
    'edit.event-private-message',
    'edit.event-topic-public',
    'move.account-without-access',
  ],
  delete_message: ['delete.event-deletion-stream', 'delete.deletion-private-message'],
  update_message_flags: [
    'flags.set-and-unset',
    'mark-read.everything-unread-anywhere',
    'mark-read.stream-marked-no',
  ],
  'reaction add, remove': ['reactions.participants-private-conversation'],
  messages_recovered: ['recovery.lost-message-comes'],
  submessage: ['submessages.holders-message-nobody', 'submessages.made-copy-starring'],
});

const aboutStreams = table('API decisions 8.2', {
  'subscription add': [
    'events.subscription-register',
    'events.subscribers-ids-queue',
    'events.new-public-stream',
  ],
  'subscription remove': [
    'unsubscribe.events-keys',
    'unsubscribe.public-stream-members',
    'stream-admin.archiving-public',
  ],
  'subscription update': [
    'subscription-properties.account-hears-change',
    'subscription-properties.events-setting',
  ],
  'subscription peer_add, peer_remove': [
    'events.peer-names-stream',
    'events.coming-private-stream',
    'unsubscribe.events-keys',
    'unsubscribe.public-stream-members',
  ],
  'stream create': [
    'events.stream-everything-register',
    'events.new-public-stream',
    'events.new-private-stream',
    'stream-admin.change-to-public',
  ],
  'stream delete': [
    'stream-admin.archiving-public',
    'stream-admin.archiving-private',
    'stream-admin.archiving-empty',
  ],
  'stream update': [
    'stream-admin.property-event-old',
    'stream-admin.change-public',
    'stream-admin.change-private',
  ],
  'stream occupy, vacate': [
    'events.first-subscriber-stream',
    'events.stream-everything-register',
    'unsubscribe.public-stream-members',
  ],
  default_streams: ['default-streams.change-announced-members'],
  muted_topics: ['muted-topics.account-hears-whole'],
});

const aboutAccounts = table('API decisions 8.2', {
  'realm_user add': [
    'events.everybody-hears-new',
    'events.person-register-gravatar',
    'user-admin.reactivating-account-announces',
  ],
  'realm_user remove': ['user-admin.deactivated-account-bots'],
  'realm_user update': [
    'profile-fields.everybody-once-shown',
    'user-admin.account-given-another',
    'user-admin.account-given-role',
    'settings.time-zone-everybody',
    'settings.account-another-address',
    'avatars.picture-replaced-removed',
    'bots.change-owner-moves',
  ],
  'realm_bot add / update / remove / delete': [
    'bots.creating-announces-everybody',
    'bots.change-owner-administrators',
    'bots.deactivation-everybody-manage',
    'bots.change-owner-moves',
  ],
  update_global_notifications: [
    'settings.notification-set',
    'settings.notification-answer-changed',
  ],
  update_display_settings: ['settings.display-set', 'settings.language-comes-name'],
  'user_settings update': ['settings.notification-reach-queues', 'settings.display-reach-queues'],
  presence: ['presence.people-comes-wakes'],
  'typing start, stop': [
    'typing.notice-reaches-participants',
    'typing.notice-stops',
    'typing.notice-leaves-no',
  ],
  pointer: ['pointer.moves-forward-account'],
  alert_words: ['alert-words.added-caller-kept'],
  user_status: ['statuses.change-told'],
  'attachment add, update, remove': [
    'fields.queue-file-list',
    'uploads.owner-nobody-else',
    'uploads.message-links-file',
  ],
  'user_group add / update / add_members / remove_members / remove': [
    'user-groups.listed-members-register',
    'user-groups.change-told',
    'user-groups.people-put-taken',
    'user-groups.removed-gone-everybody',
  ],
});

const aboutTheOrganization = table('API decisions 8.2', {
  'realm_emoji update': ['emoji.everybody-whole-list'],
  realm_filters: ['linkifiers.everybody-hears-whole'],
  'realm update': ['realm.property-set', 'realm.event-keys'],
  'realm update_dict': ['realm.editing-messages-together', 'realm-icon.picture-organization-shows'],
  custom_profile_fields: [
    'profile-fields.comes-register-too',
    'profile-fields.everybody-whole-list',
  ],
  invites_changed: [
    'invitations.everybody-named-invited',
    'invitations.invited-administrators-link',
  ],
  join_requests: [
    'join-requests.administrators-asks-see',
    'join-requests.accepted-invited-address',
  ],
  'realm deactivated': ['closing.waits-key-refused'],
  restart: ['fields.queue-restart-number', 'queues.restart-go-hear'],
});

export const decisions8: readonly Rows[] = [
  aboutMessages,
  aboutStreams,
  aboutAccounts,
  aboutTheOrganization,
];
