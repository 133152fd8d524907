/** Specification 4: the parameters of the endpoints. */
import { alike, type Reference, type Rows, table } from './row.ts';

const accounts = 'service/api/people/accounts.test.ts';
const deletion = 'service/api/messages/delete.test.ts';
const editHistory = 'service/api/messages/edit-history.test.ts';
const events = 'service/api/events/events.test.ts';
const fields = 'service/api/messages/fields.test.ts';
const history = 'service/api/reading/history.test.ts';
const marks = 'service/api/reading/mark-read.test.ts';
const mutes = 'service/api/streams/muted-topics.test.ts';
const narrow = 'service/api/reading/narrow.test.ts';
const properties = 'service/api/streams/subscription-properties.test.ts';
const queues = 'service/api/events/queues.test.ts';
const register = 'service/api/events/register.test.ts';
const send = 'service/api/messages/send.test.ts';
const settings = 'service/api/people/settings.test.ts';
const streams = 'service/api/streams/streams.test.ts';
const unsubscribing = 'service/api/streams/unsubscribe.test.ts';
const webhooks = 'service/api/bots/webhooks.test.ts';

const refused: Reference = [send, '%s is refused', 'the other arguments'];
const accepted: Reference = [send, '%s is accepted'];

const sending = table('specification 4, POST /messages', {
  type: [refused, [send, 'the words direct and channel stand for private and stream']],
  to: [
    [send, '%s names the stream'],
    [send, '%s is refused', 'the `to` of a stream message'],
    [send, '%s names the participants'],
    [send, '%s is refused', 'the `to` of a private message'],
  ],
  topic: [refused, accepted, [send, 'topics of private messages are ignored, however long']],
  content: [
    refused,
    accepted,
    [
      send,
      'the refusal of long content states its size and the limit, that of a long topic the limit',
    ],
  ],
});

const anchors: Reference = [history, 'anchor %i, %s: %j, found %s, oldest %s, newest %s'];
const badPages: Reference = [history, '%s is refused'];

const paging = table('specification 4, GET /messages', {
  anchor: [anchors, [history, 'the anchor %j is read as %i'], badPages],
  use_first_unread_anchor: [
    [
      history,
      'the first unread message has the smallest id that somebody else sent, and wins over an anchor that is given too',
    ],
    [
      history,
      'the first unread anchor is the sentinel where everything is read, and then nothing comes after it',
    ],
    badPages,
  ],
  num_before: [anchors, badPages],
  num_after: [anchors, badPages],
  narrow: [
    [narrow, '%s', 'what ben finds'],
    [narrow, '%s: %s'],
    [narrow, '%s is BAD_NARROW'],
    [narrow, '%s is another shape'],
  ],
  client_gravatar: [
    [history, 'a stream message has every key of its kind'],
    [history, 'a client that computes gravatars gets null for them'],
  ],
  apply_markdown: [
    [history, 'a stream message has every key of its kind'],
    [history, 'raw content is Markdown and says so'],
    badPages,
  ],
});

const badSubscribing: Reference = [streams, '%s is refused, and nothing is created'];
const created: Reference = [
  streams,
  'a stream that is missing is created, and subscribing again changes nothing',
];
const kinds: Reference = [streams, 'a new stream that is %s'];

const subscribing = table('specification 4, POST /users/me/subscriptions', {
  subscriptions: [created, badSubscribing],
  invite_only: [created, kinds, badSubscribing],
  principals: [
    [streams, 'principals are addresses or ids, without case, each counted once'],
    created,
    badSubscribing,
  ],
  authorization_errors_fatal: [
    [streams, 'a private stream is refused without a code, and named'],
    [
      streams,
      'unless refusals are fatal, the other subscriptions proceed and the refused ones are listed',
    ],
  ],
  history_public_to_subscribers: [
    kinds,
    [
      history,
      'who joins late reads all of a public or shared stream, as history, and of a protected one only what follows',
    ],
  ],
  is_announcement_only: [created, [send, '$who sends to $stream: $expected'], [streams, '%s: %s']],
  announce: [
    [streams, 'a public stream is announced once, by a message that links it'],
    [streams, 'nothing is announced: %s'],
  ],
});

const badUnsubscribing: Reference = [
  unsubscribing,
  'unsubscribing is refused: %s',
  'unsubscribing',
];

const ending = table('specification 4, DELETE /users/me/subscriptions', {
  subscriptions: [
    [unsubscribing, 'what was subscribed is removed, what was not is listed as such'],
    [unsubscribing, 'the names may stand in the query, as %s'],
    badUnsubscribing,
  ],
  principals: [
    [unsubscribing, 'an administrator unsubscribes others, from private streams too'],
    [unsubscribing, 'what was subscribed is removed, what was not is listed as such'],
    badUnsubscribing,
  ],
});

const personal = table('specification 4, POST /users/me/subscriptions/properties', {
  subscription_data: [
    [properties, '%s may be set to %j'],
    [properties, 'the colour %s is echoed as sent and kept as %s'],
    [properties, 'several are set at once, and what else was sent comes back with them'],
    [properties, '%s', 'refused, and nothing is changed'],
  ],
});

const namedStream: Reference = [
  mutes,
  'the stream may be named by its id, and an id wins over a name',
];
const badMutes: Reference = [mutes, '%s', 'refused'];

const muting = table('specification 4, PATCH /users/me/subscriptions/muted_topics', {
  stream: [namedStream, badMutes],
  stream_id: [namedStream, badMutes],
  topic: [[mutes, 'one that nobody ever wrote to is muted, and unmuted'], badMutes],
  op: [[mutes, 'one that nobody ever wrote to is muted, and unmuted'], badMutes],
});

const listing: Reference = [streams, '%s, %j: %j'];

const listingStreams = table('specification 4, GET /streams', {
  ...alike(['include_public', 'include_subscribed', 'include_owner_subscribed'], [listing]),
  include_all_active: [listing, [streams, '%s may not list all streams']],
  include_default: [
    listing,
    [streams, 'whether a stream is a default one is told only when asked for'],
  ],
});

const changed: readonly Reference[] = [
  [settings, '%s can be changed', 'notification settings'],
  [settings, 'notification settings answer only what changed; what did not brings no event'],
];

const notifications = table('specification 4, PATCH /settings/notifications', {
  ...alike(
    [
      'enable_stream_desktop_notifications',
      'enable_stream_email_notifications',
      'enable_stream_push_notifications',
      'enable_stream_audible_notifications',
    ],
    [...changed, [settings, 'notification settings hold for streams that have none of their own']],
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
    [...changed, [settings, 'notification settings refuse %s', 'notification settings']],
  ),
});

const eventTypes: Reference = [events, 'event types %j'];

const registering = table('specification 4, POST /register', {
  apply_markdown: [
    [events, 'a message in an event is raw unless the queue asked for HTML'],
    [events, 'a message in an event is as GET /messages has it, without flags: %j'],
  ],
  client_gravatar: [
    [fields, 'a queue computes gravatars for its client unless the client does so itself'],
    [events, 'a message in an event is as GET /messages has it, without flags: %j'],
  ],
  event_types: [eventTypes, [register, 'which parts: %s']],
  all_public_streams: [
    [events, 'a member hears what it does not hold, without flags'],
    [events, 'nothing of private streams and of private messages of others'],
    [events, 'a guest may not ask for it'],
    [events, '%s', 'who hears of a message'],
  ],
  include_subscribers: [
    [events, 'subscribers are ids, for a queue that asked for them'],
    [events, 'a subscription is told as /register tells it'],
    [register, 'a subscription is as GET /users/me/subscriptions has it, but subscribers are ids'],
  ],
  fetch_event_types: [
    [register, 'which parts: %s'],
    [register, 'the initial state for %s has its keys and no others', 'the keys'],
    [register, 'the initial state for everything has all keys, for everybody'],
  ],
  narrow: [
    [events, '%s', 'by a narrow'],
    [events, 'only messages are filtered'],
    [events, '%s is refused'],
  ],
});

const fetching = table('specification 4, GET /events', {
  queue_id: [
    [queues, 'a fetch without a queue registers one and answers at once'],
    [queues, 'a fetch that registers takes the arguments of registering'],
    [queues, 'a queue that is unknown (%s) is a bad one'],
    [queues, 'a queue belongs to its account'],
  ],
  last_event_id: [
    [queues, 'events stay until a later fetch acknowledges them'],
    [queues, 'the last event id %s is refused'],
  ],
  dont_block: [
    [queues, 'a fetch that must not block answers at once'],
    [queues, 'a fetch waits for the first event'],
    [
      queues,
      'a heartbeat ends a fetch that has nothing to say, in every queue, with an id that is used once',
    ],
  ],
});

/** What the text beside the tables names. */
const inProse = table('specification 4, in prose', {
  'GET /messages/{message_id}/history: message_id': [
    [editHistory, 'the history of a message that was never edited is the original alone'],
    [editHistory, 'the history of a message is hidden where the message is, in the same words'],
  ],
  'DELETE /messages/{message_id}: message_id': [
    [deletion, 'a message may be deleted by an administrator at any time, and then is nowhere'],
    [
      deletion,
      'the refusal to delete a message is in the same words whether it is missing, gone or hidden',
    ],
  ],
  'POST /mark_stream_as_read: stream_id': [
    [
      marks,
      'a stream marked as read becomes read and no other does, and the caller is told which messages',
    ],
    [marks, '%j is refused', 'marking a stream as read'],
    [marks, '%s is refused'],
  ],
  'POST /mark_topic_as_read: stream_id': [
    [marks, 'marking a topic as read compares the topic without case, and reads nothing else'],
    [marks, '%j is refused', 'marking a topic as read'],
  ],
  'POST /mark_topic_as_read: topic_name': [
    [marks, 'marking a topic as read compares the topic without case, and reads nothing else'],
    [marks, 'a topic in which the caller holds nothing is refused'],
    [marks, '%j is refused', 'marking a topic as read'],
  ],
  'GET /users/me/subscriptions: include_subscribers': [
    [streams, 'subscribers are addresses, and only there when asked for'],
  ],
  'GET /users: client_gravatar': [
    [accounts, 'the list of accounts has everybody, bots and deactivated accounts included'],
    [accounts, 'the list of accounts leaves gravatars to a client that computes them'],
  ],
  'GET /users: include_custom_profile_fields': [
    [accounts, 'the list of accounts has profile fields of people only when asked for'],
  ],
  'POST /dev_fetch_api_key: username': [
    [accounts, 'a key without a password is for development servers'],
    [accounts, '%s is refused', 'a key without a password'],
    [accounts, 'a key without a password is refused on a production server: %j'],
  ],
  'DELETE /events: queue_id': [
    [queues, 'a queue can be deleted only once'],
    [queues, 'a queue needs to be named to be deleted'],
    [queues, 'a queue that is unknown (%s) is a bad one'],
  ],
  'POST /external/{integration}: api_key': [
    [
      webhooks,
      'the sample integration posts a greeting with the article into the stream, under its own topic',
    ],
    [webhooks, '%s', 'what is refused, without a trace'],
  ],
  'POST /external/{integration}: stream': [
    [
      webhooks,
      'the sample integration posts a greeting with the article into the stream, under its own topic',
    ],
    [
      webhooks,
      'the sample integration writes to its owner in private where no stream is named: %j',
    ],
    [
      webhooks,
      'a post to a missing stream is an error, and the owner gets what could not be posted',
    ],
  ],
  'POST /external/{integration}: topic': [[webhooks, 'the sample integration takes %s']],
  'POST /external/{integration}: integration': [
    [
      webhooks,
      'the sample integration posts a greeting with the article into the stream, under its own topic',
    ],
    [webhooks, '%s', 'what is refused, without a trace'],
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
