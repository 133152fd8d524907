/** Specification 3: states and transitions. */
import { type Rows, table } from './row.ts';

export const section3: readonly Rows[] = [
  table('specification 3, Event queue states', {
    '(none) – POST /register (always)': [
      'queues.begins-happened-registered',
      'queues.id-two-numbers',
    ],
    '(none) – GET /events without queue_id (register arguments given)': [
      'queues.fetch-without-registers',
      'queues.fetch-registers-arguments',
    ],
    'active – 10 minutes of inactivity (no fetch for 10 minutes)': ['queues.idle-expires-ten'],
    'active – DELETE /events (queue_id exists)': ['queues.deleted-once'],
    'deleted or garbage-collected – DELETE /events (queue_id unknown or already deleted)': [
      'queues.deleted-once',
      'queues.unknown-bad',
      'queues.idle-expires-ten',
    ],
  }),
  table('specification 3, Subscription states', {
    'not subscribed – POST /users/me/subscriptions (stream exists and is accessible)': [
      'streams.existing-joined-name',
    ],
    'not subscribed – POST /users/me/subscriptions (stream does not exist)': [
      'streams.missing-created-subscribing',
      'streams.subscribing-new',
    ],
    'subscribed – POST /users/me/subscriptions (same stream again)': [
      'streams.missing-created-subscribing',
    ],
    'subscribed – DELETE /users/me/subscriptions (stream name given)': [
      'unsubscribe.subscribed-removed-not',
    ],
    'not subscribed – DELETE /users/me/subscriptions (stream name given)': [
      'unsubscribe.subscribed-removed-not',
      'unsubscribe.leaving-again-changes',
    ],
  }),
  table('specification 3, Topic mute states', {
    'unmuted – PATCH muted_topics op=add': ['muted-topics.nobody-ever-wrote'],
    'muted – PATCH muted_topics op=add': ['muted-topics.not-without-code'],
    'muted – PATCH muted_topics op=remove': ['muted-topics.nobody-ever-wrote'],
    'unmuted – PATCH muted_topics op=remove': ['muted-topics.not-without-code'],
  }),
  table('specification 3, Message read states', {
    'unread – POST /mark_all_as_read': ['mark-read.everything-unread-anywhere'],
    'unread – POST /mark_stream_as_read': ['mark-read.stream-marked-no'],
    'unread – POST /mark_topic_as_read': ['mark-read.marking-topic-compares'],
  }),
  table('specification 3, Message existence states', {
    'existing – DELETE /messages/{message_id} (caller permitted)': [
      'delete.message-deleted-administrator',
    ],
    'existing – DELETE /messages/{message_id} (caller not permitted)': [
      'delete.nobody-author-administrators',
    ],
  }),
];
