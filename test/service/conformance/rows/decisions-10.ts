/** API decisions 1.2 and 10: codes of errors, signing in, and what each kind of account may do. */
import { type Rows, table } from './row.ts';

/** Every operation by every kind of account. */
const matrix = 'permissions.answered-rules-say';
const leaks = 'leaks.nobody-learns-word';
const exchange = 'accounts.exchange-refused';

const codes = table('API decisions 1.2', {
  BAD_REQUEST: ['send.refusal-unknown-address', matrix],
  '(key absent)': [
    'streams.private-refused-without',
    'muted-topics.not-without-code',
    'routing.refusal-without-code',
  ],
  STREAM_DOES_NOT_EXIST: ['send.missing-stream-named', 'send.guest-refusal-not', matrix],
  BAD_EVENT_QUEUE_ID: ['queues.unknown-bad', 'queues.deleted-once'],
  REQUEST_VARIABLE_MISSING: [exchange, 'wire.first-fault'],
  REQUEST_VARIABLE_INVALID: ['register.another-type-refused', 'wire.value-received-cut'],
  REQUEST_CONFUSING_VAR: ['edit.topic-two-names'],
  BAD_NARROW: ['narrow.bad-narrow'],
  UNAUTHORIZED_PRINCIPAL: ['streams.deactivated-account-no'],
  MISSING_HTTP_EVENT_HEADER: ['rules.event-refused-without'],
  UNEXPECTED_WEBHOOK_EVENT_TYPE: ['rules.event-nobody-knows'],
  INVALID_JSON: ['webhooks.unreadable-payload-invalid', 'parameters.json-body-not'],
  WRONG_PASSWORD: ['settings.account-refuses', 'devices.stolen-key-not'],
  LINK_NOT_VALID: ['password-links.ends-newer-another'],
  BAD_IMAGE: ['bots.new-refused-picture'],
  REALM_UPLOAD_QUOTA: ['uploads.refused-organization-no', 'full-disk.no-file-stored'],
  CANNOT_DEACTIVATE_LAST_USER: ['user-admin.deactivation-refuses-last'],
  INVITATION_FAILED: ['invitations.here-invited-named'],
  UNAUTHORIZED: ['authenticate.endpoint-refuses-unauthorized', matrix],
  INVALID_API_KEY: ['authenticate.endpoint-refuses-invalid', matrix],
  USER_DEACTIVATED: ['authenticate.right-key-deactivated', matrix],
  REALM_DEACTIVATED: ['authenticate.right-key-refused'],
  ORGANIZATION_CLOSED: ['closed-since.everybody-administrators-computer'],
  ORGANIZATION_ASLEEP: ['asleep.computer-sleeps-service'],
  DISK_FULL: ['full-disk.sending-refused-sentence'],
  AUTHENTICATION_FAILED: [exchange],
  NOT_FOUND: ['routing.not-found-method'],
  METHOD_NOT_ALLOWED: ['routing.answers-method-not'],
  PAYLOAD_TOO_LARGE: ['malformed.body-limit-refused'],
  RATE_LIMIT_HIT: ['rate-limits.calls-account-say', 'routing.refusal-retry-header'],
  INTERNAL_ERROR: ['routing.anything-else-logged'],
});

const passwords = table('API decisions 10.3', {
  success: ['accounts.exchange-gives-key'],
  'unknown user or wrong password': [exchange, 'accounts.unknown-wrong-password'],
  'account deactivated (password right)': [exchange, 'user-admin.password-deactivated-account'],
  'organization deactivated': ['closing.passwords-exchanged-no'],
  'password login switched off': ['settings.password-sign-refused'],
  'bot account': [exchange],
  'not an e-mail': [exchange],
});

const actions = table('API decisions 10.4', {
  'read own profile, /messages, /events, /register': [matrix, 'history.incoming-webhook-bot'],
  'send messages': [matrix, 'send.who-sends-where'],
  'see public streams not subscribed': [matrix],
  'subscribe self to public': [matrix, 'streams.subscribe-whom'],
  'create streams': [matrix],
  'subscribe others': [matrix, 'streams.administrator-not-join'],
  'unsubscribe others, edit or archive streams or bring them back, manage users, filters': [
    matrix,
    'unsubscribe.administrator-private-streams',
  ],
  'create bots': [matrix, 'bots.creation-follows-policy', 'bots.guest-theirs-along'],
  'report presence, own settings': [matrix],
  invites: [matrix, 'invitations.guests-bots-not'],
  all_public_streams: [matrix],
});

const file = 'permissions.file-message';
const joining = 'history.joins-late-reads';
const later = 'lost-access.removed-subscriber-version';

const access = table('API decisions 10.5', {
  public: [matrix, file, joining, leaks],
  'public, guest': [matrix, file, 'history.guest-public-stream'],
  'private, shared history': [matrix, file, joining, leaks],
  'private, protected history (default for new private streams)': [matrix, file, joining, leaks],
  'announcement-only': [matrix],
  'GET /messages, GET /messages/{id}, history, search and every narrow': [
    later,
    'lost-access.removed-subscriber-goes',
    'lost-access.removed-subscriber-finds',
    'lost-access.removed-subscriber-not',
    matrix,
    leaks,
  ],
  '`reactions`, `submessages`': [later],
  'own flags': [matrix, 'lost-access.copies-stream-became'],
  'PATCH and DELETE /messages/{id}, reactions, submessages, delete_topic': [
    matrix,
    'lost-access.removed-subscriber-nothing',
  ],
  'events of messages': [
    matrix,
    later,
    'lost-access.removed-subscriber-id',
    'lost-access.sent-left-reaches',
    'move.account-access-not',
  ],
});

export const decisions10: readonly Rows[] = [codes, passwords, actions, access];
