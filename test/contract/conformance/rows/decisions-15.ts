/** API decisions 15.5 and 15.7 to 15.12: what Hearth adds in endpoints of its own. */
import { alike, type Reference, type Rows, table } from './row.ts';

const closing = 'service/api/organization/closing.test.ts';
const devices = 'service/api/people/devices.test.ts';
const invitations = 'service/api/people/invitations.test.ts';
const links = 'service/api/people/password-links.test.ts';
const log = 'service/api/organization/audit-log.test.ts';
const stored = 'service/store/audit-log.test.ts';
const serve = 'launch/serve.test.ts';
const inbox = 'service/webhooks/inbox.test.ts';
const recovered = 'service/api/messages/recovery.test.ts';
const outgoing = 'service/webhooks/outgoing.test.ts';

const matrix: Reference = [
  'service/permissions.test.ts',
  '$title: answered and told as the rules say',
];

const organization = table('API decisions 15.5', {
  'POST /organization': [
    [
      'service/api/people/accounts.test.ts',
      'without an organization a service tells no keys of one; then one can be created, once',
    ],
    [
      serve,
      'a service is claimed with its code by whoever is not at its computer, a proxy on it included',
    ],
  ],
  'POST /realm/deactivate': [
    [closing, 'whoever waits is told, and from then on every key is refused, also after a restart'],
    [closing, 'nobody but administrators may deactivate it'],
    matrix,
  ],
  'POST /realm/reactivate': [
    [closing, 'an administrator brings it back by password; keys and queues are as they were'],
    [closing, 'others do not bring it back'],
    [closing, 'guesses are counted as those of signing in are'],
  ],
  'POST /invites/multiuse': [
    [
      invitations,
      'a link for many lets several people join, each by an address of their own, and is listed with how many',
    ],
    [invitations, 'a link for many ends with its days, and when it is revoked'],
    [
      invitations,
      'a link for many is refused with bounds that are none, and to those who may not invite',
    ],
    matrix,
  ],
  'POST /invites/look': [
    [invitations, 'an invitation tells who invites whom, as long as it can be accepted'],
    matrix,
  ],
  'POST /invites/accept': [
    [
      invitations,
      'an accepted invitation makes an account in the default streams that everybody is told of',
    ],
    [invitations, 'a token that is none, a bad name and a short password are refused'],
    [invitations, 'a link is good for ten days'],
    [invitations, 'a link for many needs an address that is one and that nobody has'],
    matrix,
  ],
});

const alone: Reference = [
  devices,
  'a device has a key of its own, is listed by name, client, day and address, and ends alone',
];
const ended: Reference = [devices, 'an administrator ends the keys of one device, or everything'];

const signedIn = table('API decisions 15.7', {
  'POST /devices': [
    alone,
    [
      devices,
      'a sign-in is refused as the exchange of a password is, and nobody ends the device of another',
    ],
    [devices, 'an account has at most fifty devices: those unused for the longest time end'],
    [
      devices,
      'a password given by an administrator is told to our own windows alone, until its owner chose another one',
    ],
  ],
  'GET /users/me/devices': [alone, matrix],
  'DELETE /users/me/devices/{device_id}': [
    alone,
    [
      devices,
      'a sign-in is refused as the exchange of a password is, and nobody ends the device of another',
    ],
    matrix,
  ],
  'DELETE /users/me/devices/current': [alone, matrix],
  'GET /users/{user_id}/devices': [ended, matrix],
  'GET /users/last_uses': [
    [devices, 'administrators see on which day each person was last here, in one answer'],
    matrix,
  ],
  'DELETE /users/{user_id}/devices/{device_id}': [ended, matrix],
  'POST /users/{user_id}/api_key/regenerate': [ended, matrix],
});

const passwordLinks = table('API decisions 15.8', {
  'POST /users/{user_id}/password_link': [
    [links, 'a password link is made by administrators, for other people who are active'],
    [links, 'a password link ends with the rights of whoever made it'],
    [
      serve,
      'a service prints a link to a new password for the only administrator, who forgot theirs',
    ],
    matrix,
  ],
  'POST /password_link': [
    [
      links,
      'a link to a new password sets it once, ends every key, and is stored and logged nowhere',
    ],
    [
      links,
      'a password link ends by a newer one, by another password, by deactivation and after a day',
    ],
    [
      links,
      'a password link stays good after a password that is too short, and while the organization is deactivated',
    ],
    [
      links,
      'a password link cannot be guessed: after ten wrong ones of an account it waits; signing in does not',
    ],
  ],
});

const written: Reference = [log, '%s is written by what it tells of'];
const noMembers: Reference = [
  log,
  'coming and going by oneself, and being added to a public stream, leave no entry',
];

const auditLog = table('API decisions 15.9', {
  'GET /audit_log': [
    [log, '%s may not', 'who may read and export'],
    [log, 'no call changes an entry, and no statement can'],
    [log, 'a page of %i entries is refused'],
    [log, 'the audit log keeps no password, no key, no token and no text of a message'],
    [stored, 'pages of every filter are those of a naive model, without a gap or a repetition'],
    [stored, 'the sweep goes by the setting of the organization'],
    matrix,
  ],
  'POST /audit_log/export': [
    [log, 'the export has a line for each entry of the list, and makes formulas harmless'],
    matrix,
  ],
  sign_in_failed: [
    written,
    [log, 'failed sign-ins of one account and address are counted in one entry within the minute'],
    [log, 'a wrong own password given with a key is a failure to sign in, too'],
    [stored, 'failures from thousands of addresses are counted in entries that name nobody'],
  ],
  'user_deactivated, user_reactivated': [
    written,
    [log, 'an account takes its bots along, each with an entry'],
  ],
  ...alike(['stream_members_added', 'stream_members_removed'], [written, noMembers]),
  messages_recovered: [
    written,
    [
      recovered,
      'a lost message is refused where a single thing in it is another, and that is counted',
    ],
  ],
  'webhook_target_allowed, webhook_target_removed': [
    written,
    [
      'platform/inside-targets.test.ts',
      'what is allowed at the computer is reached, kept over a restart, in the audit log, and taken away again',
    ],
  ],
  file_deleted: [written],
  messages_deleted: [
    written,
    [log, 'own messages, refused changes and changes to the same leave no entry'],
    [log, 'a whole topic is one entry for each author'],
  ],
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

const restore = 'launch/keeping/restore.test.ts';
const epochs = table('API decisions 15.11', {
  ...alike(
    ['n', 'id', 'parent', 'signature'],
    [
      [
        restore,
        'a restored organization goes on, under numbers, keys and queues that were never given out',
      ],
      [
        restore,
        'a restored organization lets nobody in by a key of before, where that is not asked for, and keeps its code',
      ],
    ],
  ),
  'POST /office/epoch': [
    [
      'service/api/organization/epochs.test.ts',
      'a later epoch closes the organization here for good, and whoever waits is told',
    ],
    [
      'service/api/organization/epochs.test.ts',
      'an epoch that this organization has not signed is refused, and changes nothing',
    ],
    [
      'launch/keeping/laptop-gone.test.ts',
      'the old computer is told nothing when it comes back, and closes itself',
    ],
    matrix,
  ],
});

const kept = table('API decisions 15.12', {
  'GET /integrations': [
    [inbox, 'every service has words on what to do at the other side', 'a bot that was set up'],
    matrix,
  ],
  'GET /integrations/bots': [
    [
      inbox,
      'a bot that was set up is listed for its owner, with what its address says and what came last',
    ],
    matrix,
  ],
  'PUT /bots/{bot_id}/integration': [
    [
      inbox,
      'a bot that was set up is listed for its owner, with what its address says and what came last',
    ],
    [inbox, 'the setup of a bot is for a service that exists, and no memory for just anything'],
    matrix,
  ],
  'POST /bots/{bot_id}/pause': [
    [inbox, 'a paused bot keeps what comes, until somebody wants it'],
    matrix,
  ],
  'GET /bots/{bot_id}/deliveries': [
    [inbox, 'a delivery is kept for its owner alone: whoever else asks is answered as for no bot'],
    [
      inbox,
      'deliveries are kept over a restart too, the last hundred of each bot, and no longer than seven days',
    ],
    [
      inbox,
      'above the limit one entry counts, the owner of the bot is told once, and both begin anew when the flood has ended',
    ],
    matrix,
  ],
  'GET /bots/{bot_id}/deliveries/{delivery_id}': [
    [
      inbox,
      'a delivery is kept with its event, its message, and the address and headers that it came with',
    ],
    [inbox, 'a delivery is kept with 64 KiB of its body: one that was longer cannot be sent again'],
    [inbox, 'no key, wherever it stands, no cookie, no authorization'],
    [outgoing, 'every attempt, while it waits for the next one and when it came through'],
    matrix,
  ],
  'POST /bots/{bot_id}/deliveries/{delivery_id}/again': [
    [
      inbox,
      'a delivery sent again goes through its integration once more, and is an entry of its own',
    ],
    [inbox, 'a delivery sent again needs no signature: its owner has looked at it'],
    [outgoing, 'what was answered, and has it told again'],
    [outgoing, 'nothing again once the message is gone'],
    matrix,
  ],
});

const addresses = 'service/api/organization/addresses.test.ts';
const whereabouts = table('API decisions 15.13', {
  'GET /office/addresses': [
    [addresses, 'a service that nobody else reaches has no addresses'],
    [
      addresses,
      'the addresses are those at which it listens now, whoever of the organization asks',
    ],
    [addresses, 'a public address comes first'],
    matrix,
  ],
});

const whole: Reference = [
  recovered,
  'a lost message comes back as it was: number, author, time, place; read, marked, found, and told to our clients',
];
const model: Reference = [recovered, 'after all offers the office has what the naive model has'];
const givenBack = table('API decisions 15.15', {
  proof: [
    [
      recovered,
      'a lost message is refused where a single thing in it is another, and that is counted',
    ],
    [
      recovered,
      'an edited message is proven anew, with all that moves along with a topic, and to nobody who sees it as it was',
    ],
  ],
  recovered_at: [whole],
  'POST /office/recovered/lacking': [
    [
      recovered,
      'a lost message stays deleted where that is known, from before the backup, beside it, or since',
    ],
    [
      recovered,
      'a lost message shows its latest change, in whatever order its versions are offered',
    ],
    matrix,
  ],
  'POST /office/recovered': [
    whole,
    model,
    [
      'launch/keeping/laptop-gone.test.ts',
      'what five colleagues still have comes back to all of them, once, and nothing that is forged or was deleted',
    ],
    matrix,
  ],
  recovered: [whole, model],
  present: [
    [recovered, 'a lost message is put in once, however often and by whomever it is offered'],
  ],
  deleted: [
    [
      recovered,
      'a lost message stays deleted where that is known, from before the backup, beside it, or since',
    ],
  ],
  unproven: [
    [
      recovered,
      'a lost message is refused where a single thing in it is another, and that is counted',
    ],
  ],
  refused: [
    [
      recovered,
      'a lost message is taken only from whoever reads its place, and only where that is still there',
    ],
  ],
});

const stolen = 'launch/keeping/stolen.test.ts';
const successors = table('API decisions 15.16', {
  ...alike(
    ['pin', 'office_key', 'signature'],
    [
      [
        stolen,
        'five colleagues come back with their password, what they read and what they wrote; the thief hears from nobody',
      ],
      [
        stolen,
        'the other key is in no file of the computer but under the seal, stays over backups, and is another one with another code',
      ],
    ],
  ),
});

const health = 'service/api/organization/health.test.ts';
const monitoring = 'service/http/monitoring.test.ts';
const condition = table('API decisions 15.17', {
  'GET /office/health': [
    [health, 'the disk, the database, uploads, queues and who waits are told as they are now'],
    [health, 'what the service has warned of is told, and what ended before is not'],
    matrix,
  ],
  'GET /health': [
    [monitoring, 'a balancer is told by a status alone whether the organization is served here'],
    [
      monitoring,
      'an address that asks for the health more than ten times a second is told nothing for a while',
    ],
    [monitoring, 'whatever is sent to either is answered as it is written, and changes nothing'],
  ],
  'GET /metrics': [
    [monitoring, 'figures are told in the text format of Prometheus, and name nobody'],
    [monitoring, 'without the token no figure is told, and guesses of it are counted'],
    [
      monitoring,
      'without a file with a token there are no figures, and a short or missing one is refused',
    ],
  ],
});

const officeFiles = 'service/api/organization/office-files.test.ts';
const deletion = 'service/api/files/deletion.test.ts';
const files = table('API decisions 15.18', {
  ...alike(
    ['GET /office/files', 'GET /office/files/own'],
    [
      [
        officeFiles,
        'files are listed with the largest first, of whom they are, and the messages that the caller may see',
      ],
      [officeFiles, 'a list of files of %i is refused'],
      matrix,
    ],
  ),
  'DELETE /attachments/{id}': [
    [
      officeFiles,
      'a bot’s file is deleted by its owner, and anybody’s by an administrator, which is in the audit log',
    ],
    [deletion, 'a message is deleted, and a file, also where the disk does not let go of the file'],
    matrix,
  ],
});

const joinRequests = 'service/api/people/join-requests.test.ts';
const joining = table('API decisions 15.20', {
  'POST /join_requests': [
    [joinRequests, 'administrators alone are told that somebody asks, and alone see who'],
    [
      joinRequests,
      'an address with an account, a deactivated one and one that asked before are answered as any other',
    ],
    [joinRequests, '%s is refused, and nothing is kept'],
    [
      joinRequests,
      'with the setting %i people in the network, behind a proxy, and on a page of somebody else: %j',
    ],
    [
      joinRequests,
      'a closed organization and one that was restored take none, and tell what became of none',
    ],
    [
      joinRequests,
      'ten wait from one place, fifty in all and a hundred come in a day, whoever they are',
    ],
    [
      joinRequests,
      'one address may ask ten times an hour, and look a hundred and twenty times a minute',
    ],
    matrix,
  ],
  'POST /join_requests/state': [
    [
      joinRequests,
      'whoever asks and whoever decides see the same number, and the secret is stored nowhere',
    ],
    [joinRequests, 'it ends after seven days, and with its invitation'],
    matrix,
  ],
  'POST /join_requests/withdraw': [
    [
      joinRequests,
      'asking again from the same place takes the place of the first, and withdrawing ends it',
    ],
    matrix,
  ],
  'GET /join_requests': [
    [joinRequests, 'administrators alone are told that somebody asks, and alone see who'],
    [joinRequests, 'names that can be taken for those of others are shown with these'],
    matrix,
  ],
  'POST /join_requests/{request_id}/accept': [
    [joinRequests, 'whoever is accepted joins as if invited, by the address that they gave'],
    [
      joinRequests,
      'a guest comes to the named streams alone, and administrators are made in no such way',
    ],
    [
      joinRequests,
      'the first of several with one address alone is decided on, and no other one gets in by it',
    ],
    matrix,
  ],
  'DELETE /join_requests/{request_id}': [
    [joinRequests, 'who is declined hears it and may ask again; nobody but administrators decides'],
    matrix,
  ],
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
];
