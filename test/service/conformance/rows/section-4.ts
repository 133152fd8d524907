/** Specification 4: the parameters of the endpoints. */
import { alike, type Rows, table } from './row.ts';

const refused = 'send.argument-refused';
const accepted = 'send.argument-accepted';

const sending = table('specification 4, POST /messages', {
  type: [refused, 'send.words-direct-channel'],
  to: ['send.to-stream', 'send.to-stream-refused', 'send.to-private', 'send.to-private-refused'],
  topic: [refused, accepted, 'send.topics-private-messages'],
  content: [refused, accepted, 'send.refusal-long-content'],
});

const anchors = 'history.anchor-found-oldest';
const badPages = 'history.page-refused';

const paging = table('specification 4, GET /messages', {
  anchor: [anchors, 'history.anchor-read', badPages],
  use_first_unread_anchor: [
    'history.first-unread-message',
    'history.first-unread-anchor',
    badPages,
  ],
  num_before: [anchors, badPages],
  num_after: [anchors, badPages],
  narrow: ['narrow.finds', 'narrow.finds-holds-less', 'narrow.bad-narrow', 'narrow.another-shape'],
  client_gravatar: ['history.stream-message-keys', 'history.client-computes-gravatars'],
  apply_markdown: ['history.stream-message-keys', 'history.raw-content-markdown', badPages],
});

const badSubscribing = 'streams.refused-nothing-created';
const created = 'streams.missing-created-subscribing';
const kinds = 'streams.subscribing-new';

const subscribing = table('specification 4, POST /users/me/subscriptions', {
  subscriptions: [created, badSubscribing],
  invite_only: [created, kinds, badSubscribing],
  principals: ['streams.principals-addresses-ids', created, badSubscribing],
  authorization_errors_fatal: [
    'streams.private-refused-without',
    'streams.refusals-fatal-subscriptions',
  ],
  history_public_to_subscribers: [kinds, 'history.joins-late-reads'],
  is_announcement_only: [created, 'send.who-sends-where', 'streams.subscribe-whom'],
  announce: ['streams.public-announced-once', 'streams.nothing-announced'],
});

const badUnsubscribing = 'unsubscribe.unsubscribing-refused';

const ending = table('specification 4, DELETE /users/me/subscriptions', {
  subscriptions: [
    'unsubscribe.subscribed-removed-not',
    'unsubscribe.names-query',
    badUnsubscribing,
  ],
  principals: [
    'unsubscribe.administrator-private-streams',
    'unsubscribe.subscribed-removed-not',
    badUnsubscribing,
  ],
});

const personal = table('specification 4, POST /users/me/subscriptions/properties', {
  subscription_data: [
    'subscription-properties.property-set',
    'subscription-properties.colour-echoed-sent',
    'subscription-properties.several-set-once',
    'subscription-properties.refused',
  ],
});

const namedStream = 'muted-topics.stream-named-id';
const badMutes = 'muted-topics.refused';

const muting = table('specification 4, PATCH /users/me/subscriptions/muted_topics', {
  stream: [namedStream, badMutes],
  stream_id: [namedStream, badMutes],
  topic: ['muted-topics.nobody-ever-wrote', badMutes],
  op: ['muted-topics.nobody-ever-wrote', badMutes],
});

const listing = 'streams.listing-arguments';

const listingStreams = table('specification 4, GET /streams', {
  ...alike(['include_public', 'include_subscribed', 'include_owner_subscribed'], [listing]),
  include_all_active: [listing, 'streams.listing-all-refused'],
  include_default: [listing, 'streams.default-asked'],
});

const changed: readonly string[] = [
  'settings.notification-set',
  'settings.notification-answer-changed',
];

const notifications = table('specification 4, PATCH /settings/notifications', {
  ...alike(
    [
      'enable_stream_desktop_notifications',
      'enable_stream_email_notifications',
      'enable_stream_push_notifications',
      'enable_stream_audible_notifications',
    ],
    [...changed, 'settings.notification-hold-streams'],
  ),
  ...alike(
    [
      'enable_desktop_notifications',
      'enable_sounds',
      'enable_offline_email_notifications',
      'enable_offline_push_notifications',
      'enable_online_push_notifications',
      'enable_digest_emails',
      'enable_login_emails',
      'message_content_in_email_notifications',
      'pm_content_in_desktop_notifications',
      'wildcard_mentions_notify',
      'realm_name_in_notifications',
    ],
    changed,
  ),
  ...alike(
    ['notification_sound', 'desktop_icon_count_display'],
    [...changed, 'settings.notification-refuse'],
  ),
});

const eventTypes = 'events.queue-types';

const registering = table('specification 4, POST /register', {
  apply_markdown: ['events.message-raw-queue', 'events.message-get-messages'],
  client_gravatar: ['fields.queue-computes-gravatars', 'events.message-get-messages'],
  event_types: [eventTypes, 'register.keys-parts'],
  all_public_streams: [
    'events.member-hears-not',
    'events.nothing-private-streams',
    'events.guest-all-streams-refused',
    'events.who-hears-message',
  ],
  include_subscribers: [
    'events.subscribers-ids-queue',
    'events.subscription-register',
    'register.subscription-get-users',
  ],
  fetch_event_types: [
    'register.keys-parts',
    'register.initial-state-keys',
    'register.initial-state-everything',
  ],
  narrow: ['events.narrow-filters', 'events.messages-filtered', 'events.narrow-refused'],
});

const fetching = table('specification 4, GET /events', {
  queue_id: [
    'queues.fetch-without-registers',
    'queues.fetch-registers-arguments',
    'queues.unknown-bad',
    'queues.belongs-account',
  ],
  last_event_id: ['queues.events-stay-later', 'queues.last-event-id'],
  dont_block: ['queues.fetch-must-not', 'queues.fetch-waits-first', 'queues.heartbeat-ends-fetch'],
});

/** What the text beside the tables names. */
const inProse = table('specification 4, in prose', {
  'GET /messages/{message_id}/history: message_id': [
    'edit-history.message-never-edited',
    'edit-history.message-hidden-words',
  ],
  'DELETE /messages/{message_id}: message_id': [
    'delete.message-deleted-administrator',
    'delete.refusal-message-words',
  ],
  'POST /mark_stream_as_read: stream_id': [
    'mark-read.stream-marked-no',
    'mark-read.stream-id-refused',
    'mark-read.stream-hidden-refused',
  ],
  'POST /mark_topic_as_read: stream_id': [
    'mark-read.marking-topic-compares',
    'mark-read.topic-argument-refused',
  ],
  'POST /mark_topic_as_read: topic_name': [
    'mark-read.marking-topic-compares',
    'mark-read.topic-not-held-refused',
    'mark-read.topic-argument-refused',
  ],
  'GET /users/me/subscriptions: include_subscribers': ['streams.subscribers-addresses-asked'],
  'GET /users: client_gravatar': ['accounts.list-everybody-bots', 'accounts.list-leaves-gravatars'],
  'GET /users: include_custom_profile_fields': ['accounts.list-profile-fields'],
  'POST /dev_fetch_api_key: username': [
    'accounts.key-without-password',
    'accounts.key-without-password-argument',
    'accounts.key-without-password-refused-production',
  ],
  'DELETE /events: queue_id': [
    'queues.deleted-once',
    'queues.needs-named-deleted',
    'queues.unknown-bad',
  ],
  'POST /external/{integration}: api_key': [
    'webhooks.sample-integration-posts',
    'webhooks.refused-without-trace',
  ],
  'POST /external/{integration}: stream': [
    'webhooks.sample-integration-posts',
    'webhooks.sample-integration-writes',
    'webhooks.post-missing-stream',
  ],
  'POST /external/{integration}: topic': ['webhooks.sample-integration'],
  'POST /external/{integration}: integration': [
    'webhooks.sample-integration-posts',
    'webhooks.refused-without-trace',
  ],
});

export const section4: readonly Rows[] = [
  sending,
  paging,
  subscribing,
  ending,
  personal,
  muting,
  listingStreams,
  notifications,
  registering,
  fetching,
  inProse,
];
