/** API decisions 7: the endpoints that clients need beside those of the specification. */
import { type Rows, table } from './row.ts';

const messages = table('API decisions 7.1', {
  'GET /messages/{id}': [
    'edit-history.single-message-answered',
    'edit-history.single-message-content',
    'edit-history.message-public-stream',
    'edit-history.message-private-seen',
  ],
  'PATCH /messages/{id}': [
    'edit.content-message-changed',
    'edit.content-message-author',
    'edit.content-message-changed-long',
    'edit.topic-message-changed',
    'edit.topic-two-names',
    'edit.change-topic-reaches',
    'edit.event-content-carries',
    'move.message-moved-another',
    'move.another-stream-refused',
  ],
  'POST /messages/flags': [
    'flags.set-and-unset',
    'flags.refused-not-editable',
    'flags.ids-not-exist',
    'flags.message-not-held',
  ],
  'POST /messages/{id}/reactions': [
    'reactions.reacting-enough',
    'reactions.reacting-refused',
    'reactions.reacting-twice-refused',
    'reactions.second-person-name',
    'reactions.participants-private-conversation',
  ],
  'DELETE /messages/{id}/reactions': [
    'reactions.taken-back',
    'reactions.removal-needs-name',
    'reactions.participants-private-conversation',
  ],
  'POST /messages/render': ['edit-history.text-rendered-would', 'edit-history.text-render-empty'],
  'POST /typing': [
    'typing.notice-reaches-participants',
    'typing.notice-stops',
    'typing.notice-refused',
  ],
});

const own = table('API decisions 7.3', {
  'POST /fetch_api_key': [
    'accounts.exchange-gives-key',
    'accounts.exchange-refused',
    'settings.password-sign-refused',
    'closing.passwords-exchanged-no',
  ],
  'POST /users/me/presence': [
    'presence.report-answered-everybody',
    'presence.ping-answers-nothing',
    'presence.people-comes-wakes',
    'presence.report-refused',
    'presence.guest-seen-everybody',
    'presence.bot-refused',
  ],
  'GET /users/{id or email}/presence': [
    'presence.person-found-address',
    'presence.person-offline-140',
    'presence.person-refused',
  ],
  'GET /realm/presence': ['presence.report-answered-everybody', 'presence.person-forgotten-14'],
  'GET /users/me/pointer; PUT or POST same': [
    'pointer.nothing-set-first',
    'pointer.moves-forward-account',
    'pointer.refused',
  ],
  'GET/POST/DELETE /users/me/alert_words (PUT = POST)': [
    'alert-words.added-caller-kept',
    'alert-words.removed-without-case',
  ],
  'POST /users': [
    'accounts.new-member-default',
    'accounts.new-short-name',
    'accounts.creating-argument-refused',
    'accounts.creating-caller-refused',
    'events.everybody-hears-new',
  ],
  'GET /users/{id}': ['user-admin.account-shown-everybody', 'user-admin.single-account-leaves'],
  'PATCH /users/{id}': [
    'user-admin.account-given-another',
    'user-admin.account-given-role',
    'user-admin.change-account-refuses',
    'profile-fields.administrators-answer-not',
    'user-admin.change-account-not',
  ],
  'DELETE /users/{id}': [
    'user-admin.deactivated-account-bots',
    'user-admin.deactivated-account-loses',
    'user-admin.deactivation-not',
  ],
  'POST /users/{id}/reactivate': [
    'user-admin.reactivating-account-announces',
    'user-admin.reactivation-not',
  ],
  'POST /users/me/api_key/regenerate': ['user-admin.new-key-account', 'user-admin.bot-not-make'],
  'PATCH /settings': [
    'settings.account-name',
    'settings.account-another-password',
    'settings.account-another-address',
    'settings.account-refuses',
    'settings.account-not-bots',
  ],
});

const ownStorage = 'bot-storage.texts-keys-account';

const botRows = table('API decisions 7.4', {
  'POST /bots': [
    'bots.creating-announces-everybody',
    'bots.new-given-streams',
    'bots.new-outgoing-webhook',
    'bots.new-come-picture',
    'bots.creation-refuses',
    'bots.creation-follows-policy',
  ],
  'GET /bots': ['bots.list-caller-keys'],
  'PATCH /bots/{id}': [
    'inbox.bot-handed-key',
    'bots.new-name-everybody',
    'bots.change-owner-administrators',
    'bots.change-address-services',
    'bots.change-owner-moves',
    'bots.change-refuses',
  ],
  'POST /bots/{id}/api_key/regenerate': ['bots.new-key-replaces', 'bots.new-key-not'],
  'DELETE /bots/{id}': ['bots.deactivation-everybody-manage', 'bots.deactivation-not'],
  'PUT /bot_storage': [ownStorage, 'bot-storage.holds-1-mib', 'bot-storage.refuses'],
  'GET /bot_storage': [ownStorage, 'bot-storage.read-answers-wanted'],
  'DELETE /bot_storage': [
    'bot-storage.deletes-wanted-keys',
    'bot-storage.deletes-everything-account',
  ],
});

const streamRows = table('API decisions 7.5', {
  'GET /get_stream_id': ['stream-admin.id-found-name', 'stream-admin.name-unknown-hidden'],
  'GET /users/me/{stream_id}/topics': ['streams.topic-once-newest', 'streams.without-open-history'],
  'GET /streams/{id}/members': [
    'stream-admin.members-listed-address',
    'stream-admin.sees-public-ones',
  ],
  'PATCH /streams/{id}': [
    'stream-admin.property-once-holds',
    'stream-admin.texts-quoted-json',
    'stream-admin.subscriber-private-public',
    'stream-admin.change-refused',
    'stream-admin.property-event-old',
    'archived-streams.list-ones-private',
    'archived-streams.restored-settings-id',
    'archived-streams.restored-shows-showed',
    'archived-streams.restored-private-history',
    'archived-streams.deactivated-comes-back',
    'archived-streams.private-new-member',
    'archived-streams.restoration-refused',
    'archived-streams.public-new-muted',
    'archived-streams.active-argument-given',
  ],
  'DELETE /streams/{id}': [
    'stream-admin.archiving-unsubscribes-everybody',
    'stream-admin.archiving-public',
    'stream-admin.archiving-refused',
  ],
  'POST or DELETE /default_streams': [
    'default-streams.added-id-name',
    'default-streams.change-announced-members',
    'default-streams.refused',
  ],
  'GET /users/{user_id}/subscriptions/{stream_id}': [
    'stream-admin.account-subscribed',
    'stream-admin.sees-public-ones',
  ],
});

const organization = table('API decisions 7.6', {
  'GET /realm/emoji': ['emoji.listed-id-register', 'emoji.author-stays-listed'],
  'POST /realm/emoji/{name}': [
    'emoji.listed-served-everybody',
    'emoji.name-refused',
    'emoji.exactly-file-most',
    'emoji.guests-not-members',
    'emoji.everybody-whole-list',
  ],
  'DELETE /realm/emoji/{name}': ['emoji.author-stays-listed', 'emoji.administrators-nobody-else'],
  'GET /realm/filters': ['linkifiers.added-listed-both'],
  'POST /realm/filters': [
    'linkifiers.added-listed-both',
    'linkifiers.refused',
    'linkifiers.everybody-hears-whole',
    'rendering.linkifiers-count-moment',
  ],
  'DELETE /realm/filters/{id}': ['linkifiers.everybody-hears-whole', 'linkifiers.removing-refused'],
  'POST /user_uploads': [
    'uploads.answered-address-listed',
    'uploads.gets-safe-name',
    'uploads.refused-without-file',
  ],
  'GET //user_uploads/...': [
    'uploads.uploaded-file-seen',
    'uploads.file-private-stream',
    'uploads.key-address-opens',
    'uploads.download-sent',
  ],
  'GET //user_avatars/..., //avatar/{email or id}': [
    'avatars.picture-shows-account',
    'avatars.picture-nobody-nowhere',
    'avatars.stored-served-turn',
    'avatars.address-picture-nothing',
    'emoji.listed-served-everybody',
  ],
});

export const decisions7: readonly Rows[] = [messages, own, botRows, streamRows, organization];
