/** Specification 3: states and transitions. */
import { type Rows, table } from './row.ts';

const deletion = 'service/api/messages/delete.test.ts';
const marks = 'service/api/reading/mark-read.test.ts';
const mutes = 'service/api/streams/muted-topics.test.ts';
const queues = 'service/api/events/queues.test.ts';
const streams = 'service/api/streams/streams.test.ts';
const unsubscribing = 'service/api/streams/unsubscribe.test.ts';

export const section3: readonly Rows[] = [
  table('specification 3, Event queue states', {
    '(none) – POST /register (always)': [
      [queues, 'a queue begins after what had happened when it was registered'],
      [queues, 'a queue has an id of two numbers that nobody can guess'],
    ],
    '(none) – GET /events without queue_id (register arguments given)': [
      [queues, 'a fetch without a queue registers one and answers at once'],
      [queues, 'a fetch that registers takes the arguments of registering'],
    ],
    'active – 10 minutes of inactivity (no fetch for 10 minutes)': [
      [
        queues,
        'an idle queue expires ten minutes after its last fetch, for fetching and for deleting',
      ],
    ],
    'active – DELETE /events (queue_id exists)': [[queues, 'a queue can be deleted only once']],
    'deleted or garbage-collected – DELETE /events (queue_id unknown or already deleted)': [
      [queues, 'a queue can be deleted only once'],
      [queues, 'a queue that is unknown (%s) is a bad one'],
      [
        queues,
        'an idle queue expires ten minutes after its last fetch, for fetching and for deleting',
      ],
    ],
  }),
  table('specification 3, Subscription states', {
    'not subscribed – POST /users/me/subscriptions (stream exists and is accessible)': [
      [streams, 'an existing stream is joined under its own name'],
    ],
    'not subscribed – POST /users/me/subscriptions (stream does not exist)': [
      [streams, 'a stream that is missing is created, and subscribing again changes nothing'],
      [streams, 'a new stream that is %s'],
    ],
    'subscribed – POST /users/me/subscriptions (same stream again)': [
      [streams, 'a stream that is missing is created, and subscribing again changes nothing'],
    ],
    'subscribed – DELETE /users/me/subscriptions (stream name given)': [
      [unsubscribing, 'what was subscribed is removed, what was not is listed as such'],
    ],
    'not subscribed – DELETE /users/me/subscriptions (stream name given)': [
      [unsubscribing, 'what was subscribed is removed, what was not is listed as such'],
      [unsubscribing, 'leaving again changes nothing, nor does leaving nothing'],
    ],
  }),
  table('specification 3, Topic mute states', {
    'unmuted – PATCH muted_topics op=add': [
      [mutes, 'one that nobody ever wrote to is muted, and unmuted'],
    ],
    'muted – PATCH muted_topics op=add': [
      [mutes, 'a topic that is muted already, or not muted: without a code'],
    ],
    'muted – PATCH muted_topics op=remove': [
      [mutes, 'one that nobody ever wrote to is muted, and unmuted'],
    ],
    'unmuted – PATCH muted_topics op=remove': [
      [mutes, 'a topic that is muted already, or not muted: without a code'],
    ],
  }),
  table('specification 3, Message read states', {
    'unread – POST /mark_all_as_read': [
      [
        marks,
        'everything unread anywhere becomes read, for the caller alone, and that is told once',
      ],
    ],
    'unread – POST /mark_stream_as_read': [
      [
        marks,
        'a stream marked as read becomes read and no other does, and the caller is told which messages',
      ],
    ],
    'unread – POST /mark_topic_as_read': [
      [marks, 'marking a topic as read compares the topic without case, and reads nothing else'],
    ],
  }),
  table('specification 3, Message existence states', {
    'existing – DELETE /messages/{message_id} (caller permitted)': [
      [deletion, 'a message may be deleted by an administrator at any time, and then is nowhere'],
    ],
    'existing – DELETE /messages/{message_id} (caller not permitted)': [
      [deletion, 'nobody but its author and administrators may delete a message'],
    ],
  }),
];
