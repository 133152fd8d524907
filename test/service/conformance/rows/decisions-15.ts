/** API decisions 15.5 and 15.7 to 15.12: what Hearth adds in endpoints of its own. */
import { alike, type Rows, table } from './row.ts';

const matrix = 'permissions.answered-rules-say';

const organization = table('API decisions 15.5', {
  'POST /organization': ['accounts.without-organization-service', 'serve.service-claimed-code'],
  'POST /realm/deactivate': [
    'closing.waits-key-refused',
    'closing.nobody-administrators-deactivate',
    matrix,
  ],
  'POST /realm/reactivate': [
    'closing.administrator-brings-back',
    'closing.bringing-back-refused',
    'closing.guesses-counted-signing',
  ],
  'POST /invites/multiuse': [
    'invitations.link-many-lets',
    'invitations.link-many-ends',
    'invitations.link-many-refused',
    matrix,
  ],
  'POST /invites/look': ['invitations.invites-whom-long', matrix],
  'POST /invites/accept': [
    'invitations.accepted-account-default',
    'invitations.token-none-bad',
    'invitations.link-good-ten',
    'invitations.link-many-needs',
    matrix,
  ],
});

const alone = 'devices.key-listed-name';
const ended = 'devices.administrator-ends-keys';

const signedIn = table('API decisions 15.7', {
  'POST /devices': [
    alone,
    'devices.sign-refused-exchange',
    'devices.account-most-fifty',
    'devices.password-given-administrator',
  ],
  'GET /users/me/devices': [alone, matrix],
  'DELETE /users/me/devices/{device_id}': [alone, 'devices.sign-refused-exchange', matrix],
  'DELETE /users/me/devices/current': [alone, matrix],
  'GET /users/{user_id}/devices': [ended, matrix],
  'GET /users/last_uses': ['devices.administrators-see-day', matrix],
  'DELETE /users/{user_id}/devices/{device_id}': [ended, matrix],
  'POST /users/{user_id}/api_key/regenerate': [ended, matrix],
});

const passwordLinks = table('API decisions 15.8', {
  'POST /users/{user_id}/password_link': [
    'password-links.made-administrators-people',
    'password-links.ends-rights-made',
    'serve.service-prints-link',
    matrix,
  ],
  'POST /password_link': [
    'password-links.new-sets-once',
    'password-links.ends-newer-another',
    'password-links.stays-good-too',
    'password-links.cannot-guessed-ten',
  ],
});

const written = 'audit-log.written';
const noMembers = 'audit-log.coming-going-oneself';

const auditLog = table('API decisions 15.9', {
  'GET /audit_log': [
    'audit-log.reading-refused',
    'audit-log.no-call-changes',
    'audit-log.bad-limit',
    'audit-log.no-secrets',
    'audit-log.pages-filter-naive',
    'audit-log.sweep-goes-setting',
    matrix,
  ],
  'POST /audit_log/export': ['audit-log.export-line-entry', matrix],
  sign_in_failed: [
    written,
    'audit-log.failed-sign-ins',
    'audit-log.wrong-password-given',
    'audit-log.failures-thousands-addresses',
  ],
  'user_deactivated, user_reactivated': [written, 'audit-log.account-bots-along'],
  ...alike(['stream_members_added', 'stream_members_removed'], [written, noMembers]),
  messages_recovered: [written, 'recovery.lost-message-refused'],
  'webhook_target_allowed, webhook_target_removed': [
    written,
    'inside-targets.allowed-computer-reached',
  ],
  file_deleted: [written],
  messages_deleted: [written, 'audit-log.messages-refused-changes', 'audit-log.whole-topic-entry'],
  ...alike(
    [
      'sign_in',
      'device_ended',
      'key_renewed',
      'keys_renewed',
      'password_changed',
      'password_link_created',
      'email_changed',
      'name_changed',
      'role_changed',
      'user_created',
      'bot_created',
      'bot_owner_changed',
      'invitation_created, invitation_revoked, invitation_accepted',
      'join_request_accepted, join_request_declined',
      'stream_created',
      'stream_archived',
      'stream_restored',
      'stream_privacy_changed',
      'stream_renamed',
      'stream_posting_changed',
      'stream_history_changed',
      'stream_default_changed',
      'group_created, group_removed',
      'group_renamed',
      'group_members_added, group_members_removed',
      'linkifier_added, linkifier_removed',
      'emoji_added, emoji_removed',
      'profile_field_added, profile_field_removed',
      'profile_field_changed',
      'setting_changed',
      'organization_created',
      'organization_deactivated, organization_reactivated, log_exported',
      'organization_succeeded',
      'organization_stolen',
    ],
    [written],
  ),
});

const epochs = table('API decisions 15.11', {
  ...alike(
    ['n', 'id', 'parent', 'signature'],
    ['restore.restored-organization-goes', 'restore.restored-organization-lets'],
  ),
  'POST /office/epoch': [
    'epochs.later-closes-organization',
    'epochs.organization-not-signed',
    'laptop-gone.old-computer-nothing',
    matrix,
  ],
});

const kept = table('API decisions 15.12', {
  'GET /integrations': ['inbox.words-for-services', matrix],
  'GET /integrations/bots': ['inbox.bot-set-listed', matrix],
  'PUT /bots/{bot_id}/integration': ['inbox.bot-set-listed', 'inbox.setup-bot-service', matrix],
  'POST /bots/{bot_id}/pause': ['inbox.paused-bot-comes', matrix],
  'GET /bots/{bot_id}/deliveries': [
    'inbox.delivery-kept-owner',
    'inbox.deliveries-kept-restart',
    'inbox.above-limit-entry',
    matrix,
  ],
  'GET /bots/{bot_id}/deliveries/{delivery_id}': [
    'inbox.delivery-kept-event',
    'inbox.delivery-kept-64',
    'inbox.no-secret-kept',
    'outgoing.attempt-waits-next',
    matrix,
  ],
  'POST /bots/{bot_id}/deliveries/{delivery_id}/again': [
    'inbox.delivery-sent-again',
    'inbox.delivery-sent-again-needs',
    'outgoing.told-again',
    'outgoing.nothing-again-once',
    matrix,
  ],
});

const whereabouts = table('API decisions 15.13', {
  'GET /office/addresses': [
    'addresses.service-nobody-else',
    'addresses.listens-now-organization',
    'addresses.public-address-comes',
    matrix,
  ],
});

const whole = 'recovery.lost-message-comes';
const model = 'recovery.offers-office-naive';
const givenBack = table('API decisions 15.15', {
  proof: ['recovery.lost-message-refused', 'recovery.edited-message-proven'],
  recovered_at: [whole],
  'POST /office/recovered/lacking': [
    'recovery.lost-message-stays',
    'recovery.lost-message-shows',
    matrix,
  ],
  'POST /office/recovered': [whole, model, 'laptop-gone.five-colleagues-comes', matrix],
  recovered: [whole, model],
  present: ['recovery.lost-message-put'],
  deleted: ['recovery.lost-message-stays'],
  unproven: ['recovery.lost-message-refused'],
  refused: ['recovery.lost-message-taken'],
});

const successors = table('API decisions 15.16', {
  ...alike(
    ['pin', 'office_key', 'signature'],
    ['stolen.five-colleagues-come', 'stolen.other-key-only-sealed'],
  ),
});

const condition = table('API decisions 15.17', {
  'GET /office/health': ['health.disk-database-uploads', 'health.service-warned-ended', matrix],
  'GET /health': [
    'monitoring.balancer-status-organization',
    'monitoring.address-asks-health',
    'monitoring.sent-either-answered',
  ],
  'GET /metrics': [
    'monitoring.figures-text-format',
    'monitoring.without-token-no',
    'monitoring.without-file-token',
  ],
});

const files = table('API decisions 15.18', {
  ...alike(
    ['GET /office/files', 'GET /office/files/own'],
    ['office-files.listed-largest-first', 'office-files.list-refused', matrix],
  ),
  'DELETE /attachments/{id}': [
    'office-files.bot-deleted-owner',
    'deletion.message-deleted-file',
    matrix,
  ],
});

const inPieces = table('API decisions 15.21', {
  'POST /uploads': [
    'pieces.become-uploaded-file',
    'pieces.announced-bytes-count',
    'pieces.so-many-unfinished',
    matrix,
  ],
  'GET /uploads/{upload_id}': [
    'pieces.broken-piece-stays',
    'pieces.others-answered-none',
    'pieces.abandoned-ends-day',
    matrix,
  ],
  'PATCH /uploads/{upload_id}': [
    'pieces.only-where-ends',
    'pieces.never-beyond-end',
    'pieces.two-writers-one',
    'pieces.deactivated-takes-none',
    matrix,
  ],
  'POST /uploads/{upload_id}/finish': ['pieces.finished-again-same', matrix],
  'DELETE /uploads/{upload_id}': ['pieces.others-answered-none', matrix],
});

const joining = table('API decisions 15.20', {
  'POST /join_requests': [
    'join-requests.administrators-asks-see',
    'join-requests.address-account-deactivated',
    'join-requests.refused-nothing-kept',
    'join-requests.setting-people-network',
    'join-requests.closed-organization-restored',
    'join-requests.ten-wait-place',
    'join-requests.address-ask-ten',
    matrix,
  ],
  'POST /join_requests/state': [
    'join-requests.asks-decides-see',
    'join-requests.ends-seven-days',
    matrix,
  ],
  'POST /join_requests/withdraw': ['join-requests.asking-again-place', matrix],
  'GET /join_requests': [
    'join-requests.administrators-asks-see',
    'join-requests.names-taken-shown',
    matrix,
  ],
  'POST /join_requests/{request_id}/accept': [
    'join-requests.accepted-invited-address',
    'join-requests.guest-comes-named',
    'join-requests.first-several-address',
    matrix,
  ],
  'DELETE /join_requests/{request_id}': ['join-requests.declined-hears-ask', matrix],
});

export const decisions15: readonly Rows[] = [
  organization,
  signedIn,
  passwordLinks,
  auditLog,
  epochs,
  kept,
  whereabouts,
  givenBack,
  successors,
  condition,
  files,
  joining,
  inPieces,
];
