/** API decisions 1.2 and 10: codes of errors, signing in, and what each kind of account may do. */
import { type Reference, type Rows, table } from './row.ts';

const accounts = 'service/api/people/accounts.test.ts';
const bots = 'service/api/bots/bots.test.ts';
const history = 'service/api/reading/history.test.ts';
const keys = 'service/http/authenticate.test.ts';
const lost = 'service/api/messages/lost-access.test.ts';
const people = 'service/api/people/user-admin.test.ts';
const routing = 'service/http/routing.test.ts';
const send = 'service/api/messages/send.test.ts';
const streams = 'service/api/streams/streams.test.ts';
const uploads = 'service/api/files/uploads.test.ts';

/** Every operation by every kind of account. */
const matrix: Reference = [
  'service/permissions.test.ts',
  '$title: answered and told as the rules say',
];
const leaks: Reference = [
  'service/leaks.property.test.ts',
  'nobody learns a word of what they have no access to',
];
const exchange: Reference = [accounts, '%s is refused', 'a password for a key'];

const codes = table('API decisions 1.2', {
  BAD_REQUEST: [[send, 'the refusal of an unknown address names it'], matrix],
  '(key absent)': [
    [streams, 'a private stream is refused without a code, and named'],
    [
      'service/api/streams/muted-topics.test.ts',
      'a topic that is muted already, or not muted: without a code',
    ],
    [routing, 'a refusal without a code has no key for it'],
  ],
  STREAM_DOES_NOT_EXIST: [
    [send, 'a missing stream is named by the error as the caller gave it'],
    [send, "a guest's refusal does not tell a hidden stream from a missing one"],
    matrix,
  ],
  BAD_EVENT_QUEUE_ID: [
    ['service/api/events/queues.test.ts', 'a queue that is unknown (%s) is a bad one'],
    ['service/api/events/queues.test.ts', 'a queue can be deleted only once'],
  ],
  REQUEST_VARIABLE_MISSING: [exchange, ['contract/wire.test.ts', 'the first one at fault']],
  REQUEST_VARIABLE_INVALID: [
    ['service/api/events/register.test.ts', '%s of another type is refused'],
    ['contract/wire.test.ts', 'its value as it was received, cut to 200 characters'],
  ],
  REQUEST_CONFUSING_VAR: [
    [
      'service/api/messages/edit.test.ts',
      'the topic of an edit has two names, which may not differ',
    ],
  ],
  BAD_NARROW: [['service/api/reading/narrow.test.ts', '%s is BAD_NARROW']],
  UNAUTHORIZED_PRINCIPAL: [[streams, 'a deactivated account is no principal']],
  MISSING_HTTP_EVENT_HEADER: [
    ['service/webhooks/rules.test.ts', 'an event is refused without the header that names it'],
  ],
  UNEXPECTED_WEBHOOK_EVENT_TYPE: [
    ['service/webhooks/rules.test.ts', 'an event that nobody knows is refused'],
  ],
  INVALID_JSON: [
    ['service/api/bots/webhooks.test.ts', 'an unreadable payload is INVALID_JSON: %s'],
    ['service/http/parameters.test.ts', 'a JSON body that does not parse is INVALID_JSON'],
  ],
  WRONG_PASSWORD: [
    ['service/api/people/settings.test.ts', 'an account refuses %s', 'the own account'],
    [
      'service/api/people/devices.test.ts',
      'a stolen key is not good for taking the account away: another address takes the password',
    ],
  ],
  LINK_NOT_VALID: [
    [
      'service/api/people/password-links.test.ts',
      'a password link ends by a newer one, by another password, by deactivation and after a day',
    ],
  ],
  BAD_IMAGE: [
    [
      bots,
      'a new bot is refused with a picture that is not one, and no picture of a refused bot is kept',
    ],
  ],
  REALM_UPLOAD_QUOTA: [
    [uploads, 'an upload is refused when the organization has no room left'],
    [
      'service/api/files/full-disk.test.ts',
      'no file is stored, administrators are told once, and messages go on',
    ],
  ],
  CANNOT_DEACTIVATE_LAST_USER: [
    [
      people,
      'a deactivation refuses the last administrator, unknown accounts and those that are deactivated',
    ],
  ],
  INVITATION_FAILED: [
    [
      'service/api/people/invitations.test.ts',
      'who is here or invited already is named, and the others are invited',
    ],
  ],
  UNAUTHORIZED: [
    [keys, 'an endpoint refuses %s as UNAUTHORIZED, whatever the client accepts'],
    matrix,
  ],
  INVALID_API_KEY: [[keys, 'an endpoint refuses %s as INVALID_API_KEY'], matrix],
  USER_DEACTIVATED: [
    [keys, 'the right key of a deactivated account is refused as USER_DEACTIVATED'],
    matrix,
  ],
  REALM_DEACTIVATED: [
    [keys, 'every right key is refused as REALM_DEACTIVATED while the organization is deactivated'],
  ],
  ORGANIZATION_CLOSED: [
    [
      'launch/keeping/closed-since.test.ts',
      'it is closed to everybody but administrators at its computer until it is opened by its number',
    ],
  ],
  ORGANIZATION_ASLEEP: [
    [
      'service/http/asleep.test.ts',
      'before its computer sleeps a service tells everybody who is connected since when, and afterwards nothing is lost or doubled',
    ],
  ],
  DISK_FULL: [
    [
      'service/full-disk.test.ts',
      'on a full disk sending is refused with a sentence, reading goes on over a restart, a backup to another disk works, and room is enough to go on',
    ],
  ],
  AUTHENTICATION_FAILED: [exchange],
  NOT_FOUND: [[routing, '%s is not found, whatever the method, in JSON and without a redirect']],
  METHOD_NOT_ALLOWED: [[routing, '%s answers every method it does not have with 405']],
  PAYLOAD_TOO_LARGE: [
    [
      'service/http/malformed.test.ts',
      'a body over the limit is refused with 413 on %s, of known length or in chunks',
    ],
  ],
  RATE_LIMIT_HIT: [
    [
      'service/http/rate-limits.test.ts',
      'calls of an account say how many are left, until none is',
    ],
    [routing, 'a refusal with retry-after has the header in whole seconds'],
  ],
  INTERNAL_ERROR: [
    [routing, 'anything else is logged with its cause and path, and told as nothing more than 500'],
  ],
});

const passwords = table('API decisions 10.3', {
  success: [[accounts, 'every exchange gives the same key, which works; so does a multipart form']],
  'unknown user or wrong password': [
    exchange,
    [accounts, 'an unknown account and a wrong password are refused in the same words'],
  ],
  'account deactivated (password right)': [
    exchange,
    [people, 'the password of a deactivated account is refused with a reason of its own'],
  ],
  'organization deactivated': [
    [
      'service/api/organization/closing.test.ts',
      'passwords are exchanged for no key, and wrong ones called wrong',
    ],
  ],
  'password login switched off': [
    [
      'service/api/people/settings.test.ts',
      'a password sign-in is refused while the organization has it switched off',
    ],
  ],
  'bot account': [exchange],
  'not an e-mail': [exchange],
});

const actions = table('API decisions 10.4', {
  'read own profile, /messages, /events, /register': [
    matrix,
    [history, 'an incoming webhook bot reads nothing'],
  ],
  'send messages': [matrix, [send, '$who sends to $stream: $expected']],
  'see public streams not subscribed': [matrix],
  'subscribe self to public': [matrix, [streams, '%s: %s']],
  'create streams': [matrix],
  'subscribe others': [
    matrix,
    [streams, 'an administrator may not join a private stream of others by itself'],
  ],
  'unsubscribe others, edit or archive streams or bring them back, manage users, filters': [
    matrix,
    [
      'service/api/streams/unsubscribe.test.ts',
      'an administrator unsubscribes others, from private streams too',
    ],
  ],
  'create bots': [
    matrix,
    [bots, 'bot creation follows the policy of the organization'],
    [bots, 'who becomes a guest takes theirs along, from the next request on, and back'],
  ],
  'report presence, own settings': [matrix],
  invites: [
    matrix,
    [
      'service/api/people/invitations.test.ts',
      'guests and bots may not, nor members where only administrators may',
    ],
  ],
  all_public_streams: [matrix],
});

const file: Reference = ['service/permissions.test.ts', 'a file in a message: $place, $moment'];
const joining: Reference = [
  history,
  'who joins late reads all of a public or shared stream, as history, and of a protected one only what follows',
];
const later: Reference = [
  lost,
  'a removed subscriber keeps the version of a message from their time, and is told nothing of later ones',
];

const access = table('API decisions 10.5', {
  public: [matrix, file, joining, leaks],
  'public, guest': [
    matrix,
    file,
    [history, 'a guest who is in a public stream finds its history among all public streams'],
  ],
  'private, shared history': [matrix, file, joining, leaks],
  'private, protected history (default for new private streams)': [matrix, file, joining, leaks],
  'announcement-only': [matrix],
  'GET /messages, GET /messages/{id}, history, search and every narrow': [
    later,
    [
      lost,
      'a removed subscriber goes on seeing the name that the stream had, until they are there again',
    ],
    [
      lost,
      'a removed subscriber finds a message by what it said then, and not by what it says now',
    ],
    [
      lost,
      'a removed subscriber is not shown a message that comes into the stream later from elsewhere',
    ],
    matrix,
    leaks,
  ],
  '`reactions`, `submessages`': [later],
  'own flags': [
    matrix,
    [lost, 'who keeps copies of a stream that became private keeps them as they were'],
  ],
  'PATCH and DELETE /messages/{id}, reactions, submessages, delete_topic': [
    matrix,
    [lost, 'a removed subscriber can do nothing to the messages of a private stream any more'],
  ],
  'events of messages': [
    matrix,
    later,
    [lost, 'a removed subscriber is told only the id of a deleted message'],
    [lost, 'what was sent before somebody left reaches their queue as it was then'],
    [
      'service/api/messages/move.test.ts',
      'an account with access is not told the present name of a stream that it had lost access to',
    ],
  ],
});

export const decisions10: readonly Rows[] = [codes, passwords, actions, access];
