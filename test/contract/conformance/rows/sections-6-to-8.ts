/** Specification 6 to 8: events, errors and limits. */
import { type Reference, type Rows, table } from './row.ts';

const history = 'service/api/reading/history.test.ts';
const polls = 'service/events/polls.test.ts';
const queues = 'service/api/events/queues.test.ts';
const send = 'service/api/messages/send.test.ts';
const unsubscribing = 'service/api/streams/unsubscribe.test.ts';

const refused: Reference = [send, '%s is refused', 'the other arguments'];
const accepted: Reference = [send, '%s is accepted'];
const statedLimits: Reference = [
  send,
  'the refusal of long content states its size and the limit, that of a long topic the limit',
];
const defaults: Reference = ['platform/options.test.ts', '%j is understood'];
const heartbeats: Reference = [
  polls,
  'a heartbeat comes within 42 to 48 seconds, before proxies give up',
];
const selectable: Reference = [
  'service/api/messages/fields.test.ts',
  'a queue of %s events alone hears those, and a queue of all types hears all of them',
];
const expiry: Reference = [
  queues,
  'an idle queue expires ten minutes after its last fetch, for fetching and for deleting',
];

export const sections6To8: readonly Rows[] = [
  table('specification 6', {
    message: [
      [
        'service/api/events/events.test.ts',
        'a message in an event is as GET /messages has it, without flags: %j',
      ],
      ['service/api/events/events.test.ts', '%s', 'who hears of a message'],
      selectable,
    ],
    heartbeat: [
      [
        queues,
        'a heartbeat ends a fetch that has nothing to say, in every queue, with an id that is used once',
      ],
      heartbeats,
    ],
    'subscription, realm_user, realm_emoji': [selectable],
  }),
  table('specification 7', {
    STREAM_DOES_NOT_EXIST: [
      [send, 'a missing stream is named by the error as the caller gave it'],
      [send, '%s is refused', 'the `to` of a stream message'],
      [unsubscribing, 'unsubscribing is refused: %s', 'unsubscribing'],
    ],
    BAD_REQUEST: [
      [send, 'the refusal of an unknown address names it'],
      [
        'service/api/messages/edit-history.test.ts',
        'the history of a message is hidden where the message is, in the same words',
      ],
      [
        'service/api/messages/delete.test.ts',
        'the refusal to delete a message is in the same words whether it is missing, gone or hidden',
      ],
      [
        'service/api/messages/delete.test.ts',
        'nobody but its author and administrators may delete a message',
      ],
      ['service/api/streams/streams.test.ts', '%s may not list all streams'],
    ],
    BAD_EVENT_QUEUE_ID: [
      [queues, 'a queue that is unknown (%s) is a bad one'],
      [queues, 'a queue can be deleted only once'],
      expiry,
    ],
    '(no code)': [
      [
        'service/api/streams/streams.test.ts',
        'a private stream is refused without a code, and named',
      ],
      [
        'service/api/streams/muted-topics.test.ts',
        'a topic that is muted already, or not muted: without a code',
      ],
    ],
  }),
  table('specification 8', {
    'Message content size': [refused, accepted, statedLimits],
    'Topic length': [refused, accepted, statedLimits],
    'Messages per request': [
      [history, '5000 messages may be asked for'],
      [history, '%s is refused'],
    ],
    'Recommended num_before and num_after': [
      [
        'service/api/messages/fields.test.ts',
        'a page of history has the thousand messages before and the thousand after its anchor',
      ],
    ],
    'Queue inactivity before garbage collection': [
      expiry,
      [
        'service/events/queue-registry.test.ts',
        'an idle queue is gone 600 seconds after its last fetch ended',
      ],
    ],
    'Heartbeat interval': [heartbeats, defaults],
    'Blocking fetch time-out': [
      [queues, 'a heartbeat comes at the latest when a fetch has lasted as long as it may'],
      heartbeats,
    ],
  }),
];
