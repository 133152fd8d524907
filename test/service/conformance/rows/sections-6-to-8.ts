/** Specification 6 to 8: events, errors and limits. */
import { type Rows, table } from './row.ts';

const refused = 'send.argument-refused';
const accepted = 'send.argument-accepted';
const statedLimits = 'send.refusal-long-content';
const defaults = 'options.understood';
const heartbeats = 'polls.heartbeat-comes-within';
const selectable = 'fields.queue-events-hears';
const expiry = 'queues.idle-expires-ten';

export const sections6To8: readonly Rows[] = [
  table('specification 6', {
    message: ['events.message-get-messages', 'events.who-hears-message', selectable],
    heartbeat: ['queues.heartbeat-ends-fetch', heartbeats],
    'subscription, realm_user, realm_emoji': [selectable],
  }),
  table('specification 7', {
    STREAM_DOES_NOT_EXIST: [
      'send.missing-stream-named',
      'send.to-stream-refused',
      'unsubscribe.unsubscribing-refused',
    ],
    BAD_REQUEST: [
      'send.refusal-unknown-address',
      'edit-history.message-hidden-words',
      'delete.refusal-message-words',
      'delete.nobody-author-administrators',
      'streams.listing-all-refused',
    ],
    BAD_EVENT_QUEUE_ID: ['queues.unknown-bad', 'queues.deleted-once', expiry],
    '(no code)': ['streams.private-refused-without', 'muted-topics.not-without-code'],
  }),
  table('specification 8', {
    'Message content size': [refused, accepted, statedLimits],
    'Topic length': [refused, accepted, statedLimits],
    'Messages per request': ['history.5000-messages-asked', 'history.page-refused'],
    'Recommended num_before and num_after': ['fields.page-history-thousand'],
    'Queue inactivity before garbage collection': [expiry, 'queue-registry.idle-gone-600'],
    'Heartbeat interval': [heartbeats, defaults],
    'Blocking fetch time-out': ['queues.heartbeat-comes-latest', heartbeats],
  }),
];
