/** Compiled from refusals.json by `npm run messages`. */
import { select } from '../format.ts';

export const refusals = {
  account_required: 'This needs an account',
  added_and_deleted: (values: { user_id: string | number }): string =>
    `User ${values.user_id} is both added and deleted`,
  administrator_adds_emoji: 'Only organization administrators can add emoji',
  administrator_changes_bot_owner: 'Only organization administrators can give a bot another owner',
  administrator_creates_announcement_streams:
    'Only organization administrators can create announcement-only streams',
  administrator_creates_groups: 'Only organization administrators can create user groups',
  administrator_invites: 'Only organization administrators can invite people',
  administrator_invites_administrators:
    'Only organization administrators can invite administrators',
  administrator_moves_to_stream:
    'Only organization administrators can move messages to another stream',
  administrator_required: 'Must be an organization administrator',
  administrator_sends_to_stream: (values: { name: string | number }): string =>
    `Only organization administrators can send to the stream '${values.name}'`,
  administrator_unsubscribes_others: 'Only organization administrators can unsubscribe other users',
  alert_word_too_long: (values: { limit: string | number }): string =>
    `Alert word too long (limit: ${values.limit} characters)`,
  already_group_member: (values: { user_id: string | number }): string =>
    `User ${values.user_id} is already a member of this group`,
  archive_with_other_changes:
    'A stream is archived as it is: is_archived=true goes with no other change',
  archived_stream_name_taken: (values: { name: string | number }): string =>
    `Stream name '${values.name}' is already taken: give it another one with new_name`,
  archived_stream_not_movable: 'Messages of an archived stream cannot be moved',
  audit_days_invalid: (values: {
    least: string | number;
    most: string | number;
    days: string | number;
  }): string =>
    `The audit log is kept from ${values.least} to ${values.most} days, not ${values.days}`,
  audit_limit_invalid: (values: { highest: string | number }): string =>
    `limit must be from 1 to ${values.highest}`,
  avatar_changes_disabled: 'Avatar changes are disabled in this organization',
  avatar_too_large: (values: { limit: string | number }): string =>
    `Uploaded file is larger than the allowed limit of ${values.limit} MiB`,
  bot_deactivated: 'The bot is deactivated',
  bot_owner_deactivated: 'Failed to change owner, user is deactivated',
  bot_owner_inactive: "Reactivate the bot's owner first",
  bot_owner_kind_invalid: 'Failed to change owner, bots and guests cannot own bots',
  bot_type_invalid: (values: { bot_type: string | number }): string =>
    `Invalid bot type ${values.bot_type}: expected 1, 2 or 3`,
  bot_without_devices: 'A bot has one key, and no devices',
  bot_without_profile: 'A bot has no profile',
  bot_without_role: 'A bot has no role of its own',
  choice_key_invalid: 'A choice stands under up to 30 letters and digits',
  choice_missing: 'Field must have at least one choice',
  choice_order_invalid: 'The order of a choice is a number',
  color_invalid: (values: { color: string | number }): string =>
    `Invalid color '${values.color}': expected #rrggbb`,
  content_of_moved_message:
    'The content cannot be changed while the message is moved to another stream',
  default_stream_stays_public: 'A default stream cannot be made private',
  delete_limit_passed: 'The time limit for deleting this message has passed',
  delete_not_allowed: "You don't have permission to delete this message",
  delivery_message_gone: 'The message, or the right of the bot to read it, is gone',
  delivery_not_kept: 'Deliveries above the limit are counted and not kept',
  delivery_not_whole: 'This delivery was too long to be kept whole',
  delivery_waiting: 'This delivery is still waiting for its next attempt',
  description_too_long: (values: { limit: string | number }): string =>
    `Description too long (limit: ${values.limit} characters)`,
  description_with_nul: 'Description must not contain NUL',
  development_host_unknown: (values: { host: string | number }): string =>
    `A development service answers under localhost or an address of this computer, not under '${values.host}'`,
  development_server_required: 'Only available on a development server',
  edit_history_disabled: 'Message edit history is disabled in this organization',
  edit_limit_passed: 'The time limit for editing this message has passed',
  email_changes_disabled: 'E-mail address changes are disabled in this organization',
  email_has_account: 'This e-mail address already has an account: sign in instead',
  email_invalid: (values: { email: string | number }): string =>
    `Invalid e-mail address '${values.email}'`,
  email_taken: (values: { email: string | number }): string =>
    `The e-mail address '${values.email}' is already in use`,
  embedded_bots_unsupported: 'Embedded bots are not supported',
  emoji_name_invalid: 'Emoji names must be made of lower-case letters, digits, _ and -',
  emoji_name_taken: (values: { name: string | number }): string =>
    `An emoji named '${values.name}' already exists`,
  emoji_name_too_long: (values: { limit: string | number }): string =>
    `Emoji name too long (limit: ${values.limit} characters)`,
  emojiset_invalid: (values: { emojiset: string | number; expected: string | number }): string =>
    `Invalid emojiset '${values.emojiset}': expected one of ${values.expected}`,
  event_operand_unsupported: (values: { operand: string | number }): string =>
    `Operand ${values.operand} of operator is not supported.`,
  event_operator_unsupported: (values: { operator: string | number }): string =>
    `Operator ${values.operator} not supported.`,
  field_name_taken: 'A field with that name already exists',
  field_order_incomplete: 'The order must name every field once',
  field_takes_another_value: (values: { field: string | number }): string =>
    `'${values.field}' takes another value`,
  field_takes_choice: (values: { field: string | number }): string =>
    `'${values.field}' takes one of its choices`,
  field_takes_date: (values: { field: string | number }): string =>
    `'${values.field}' takes a date such as 2020-02-29`,
  field_takes_people: (values: { field: string | number; limit: string | number }): string =>
    `'${values.field}' takes a list of at most ${values.limit} ids of people`,
  field_takes_text: (values: { field: string | number; limit: string | number }): string =>
    `'${values.field}' takes a text of at most ${values.limit} characters`,
  field_takes_web_address: (values: { field: string | number }): string =>
    `'${values.field}' takes a web address`,
  file_limit_invalid: (values: { highest: string | number; value: string | number }): string =>
    `limit must be from 1 to ${values.highest}, not ${values.value}`,
  flag_invalid: (values: { flag: string | number; expected: string | number }): string =>
    `Invalid flag '${values.flag}'; expected one of ${values.expected}`,
  flag_not_editable: (values: { flag: string | number; expected: string | number }): string =>
    `The flag '${values.flag}' is not editable; expected one of ${values.expected}`,
  full_name_characters: 'Full name must not contain * ` > " @ or control characters',
  full_name_length: (values: { least: string | number; most: string | number }): string =>
    `Full name must have ${values.least} to ${values.most} characters`,
  group_name_taken: (values: { name: string | number }): string =>
    `User group '${values.name}' already exists`,
  group_name_with_asterisk: 'User group name must not contain *',
  group_unchanged: 'Nothing to change: name or description is needed',
  guest_not_administrator: 'Guests cannot be organization administrators',
  headers_too_large: 'The headers of the request are too large',
  history_sealed: 'Nobody who was in this stream came back: earlier messages stay closed',
  image_too_large: (values: { side: string | number }): string =>
    `The image is larger than the allowed limit of ${values.side} x ${values.side} pixels`,
  incoming_webhook_bot_required: 'Only an incoming webhook bot keeps its key',
  invitation_bound_invalid: (values: {
    argument: string | number;
    highest: string | number;
    value: string | number;
  }): string => `${values.argument} must be between 1 and ${values.highest}, not ${values.value}`,
  invitation_for_other_email: 'This invitation is for another e-mail address',
  invitation_not_valid: 'This invitation is no longer valid',
  invitee_email_missing: 'email is missing: the address by which you will sign in',
  invitees_missing: 'You must specify at least one email address',
  inviter_lost_right:
    'Whoever sent this invitation may no longer invite you like this. Ask an administrator for a new one.',
  inviting_to_stream_not_allowed: (values: { name: string | number }): string =>
    `You cannot invite people to the stream '${values.name}'`,
  join_email_deactivated: (values: { email: string | number }): string =>
    `${values.email} has an account that is deactivated: activate it again instead`,
  join_email_has_account: (values: { email: string | number }): string =>
    `${values.email} has an account already`,
  join_requests_closed:
    'This organization takes no requests to join from here. Ask somebody there for an invitation.',
  language_invalid: (values: { language: string | number }): string =>
    `Invalid language '${values.language}'`,
  linkifier_group_missing: (values: { name: string | number }): string =>
    `The URL format names '${values.name}', but the pattern has no group (?P<${values.name}>...)`,
  linkifier_matches_nothing: (values: { pattern: string | number }): string =>
    `The pattern '${values.pattern}' must not match an empty text`,
  linkifier_pattern_empty: 'The pattern of a linkifier must not be empty',
  linkifier_pattern_invalid: (values: {
    pattern: string | number;
    reason: string | number;
  }): string => `The pattern '${values.pattern}' is no regular expression: ${values.reason}`,
  linkifier_pattern_taken: (values: { pattern: string | number }): string =>
    `There is a linkifier with the pattern '${values.pattern}' already`,
  linkifier_pattern_too_large: (values: { pattern: string | number }): string =>
    `The pattern '${values.pattern}' is too large`,
  linkifier_pattern_too_long: (values: { limit: string | number }): string =>
    `The pattern is longer than ${values.limit} characters`,
  linkifier_url_invalid: (values: { url_format: string | number }): string =>
    `The URL format '${values.url_format}' must be an http:// or https:// address`,
  linkifier_url_too_long: (values: { limit: string | number }): string =>
    `The URL format is longer than ${values.limit} characters`,
  local_id_taken: (values: { local_id: string | number }): string =>
    `The local_id '${values.local_id}' was already used for another message`,
  member_person_required: 'Not allowed for guest users and bots',
  member_required: 'Not allowed for guest users',
  members_unchanged: 'Nothing to do. Specify at least one of "add" or "delete".',
  message_editing_disabled: 'Your organization has turned off message editing',
  message_empty: 'Message must not be empty',
  message_not_renderable: 'This message cannot be rendered',
  message_too_long: (values: { bytes: string | number; limit: string | number }): string =>
    `Message too long: ${values.bytes} bytes (limit: ${values.limit} bytes)`,
  message_unchanged: 'Nothing to change: expected content, topic or stream_id',
  message_with_nul: 'Message must not contain NUL',
  move_called_off: 'The move was called off',
  multipart_malformed: 'The multipart body is malformed',
  name_changes_disabled: 'Name changes are disabled in this organization',
  narrow_too_large: 'The narrow is too large',
  no_account_with_address: (values: { email: string | number }): string =>
    `No account has the address ${values.email}`,
  no_account_with_email: 'No account has this e-mail address',
  no_active_user_with_id: (values: { user_id: string | number }): string =>
    `Invalid user ID: ${values.user_id}`,
  no_administrator: 'The organization has no administrator',
  no_organization: 'There is no organization here',
  no_presence: (values: { user: string | number }): string =>
    `No presence data for '${values.user}'`,
  no_recipient_with_id: (values: { user_id: string | number }): string =>
    `Invalid user ID ${values.user_id}`,
  no_such_attachment: 'Invalid attachment',
  no_such_bot: 'No such bot',
  no_such_bot_owner: 'Failed to change owner, no such user',
  no_such_delivery: 'No such delivery',
  no_such_device: 'No such device',
  no_such_emoji: (values: { name: string | number }): string =>
    `Emoji '${values.name}' does not exist`,
  no_such_emoji_code: (values: { name: string | number; code: string | number }): string =>
    `There is no emoji '${values.name}' with the code '${values.code}'`,
  no_such_field: (values: { field_id: string | number }): string =>
    `Field id ${values.field_id} not found`,
  no_such_group: 'Invalid user group',
  no_such_group_member: (values: { user_id: string | number }): string =>
    `There is no member '${values.user_id}' in this user group`,
  no_such_integration: (values: { integration: string | number }): string =>
    `Unknown integration '${values.integration}'`,
  no_such_invitation: 'No such invitation',
  no_such_join_request: 'No such request to join',
  no_such_linkifier: 'Invalid linkifier id',
  no_such_message: 'Invalid message(s)',
  no_such_reaction: "Reaction doesn't exist",
  no_such_recipient: (values: { email: string | number }): string =>
    `Invalid email '${values.email}'`,
  no_such_storage_key: 'Key does not exist.',
  no_such_stream_id: 'Invalid stream id',
  no_such_stream_name: (values: { name: string | number }): string =>
    `Invalid stream name '${values.name}'`,
  no_such_topic: 'No such topic',
  no_such_upload: 'Invalid upload',
  no_such_user: 'No such user',
  no_tls_to_prove: 'There is nothing to prove on a connection without TLS',
  no_user_with_id: 'Invalid user ID',
  not_allowed_to_query: 'User not authorized for this query',
  not_bot_manager: 'Insufficient permission',
  not_device_key: 'This key is not the key of a device',
  not_emoji_manager: 'Only its author and organization administrators can remove an emoji',
  not_group_manager: 'Only group members and organization administrators can change this group',
  not_message_author: 'Only the author of a message may edit its content',
  not_queue_owner: 'You are not authorized to get events from this queue',
  not_subscribed_to_id: (values: { stream_id: string | number }): string =>
    `Not subscribed to stream id ${values.stream_id}`,
  not_subscribed_to_private_stream: 'Only its subscribers can make a private stream public',
  not_subscribed_to_topic: 'Not subscribed to the stream of this topic',
  one_image_expected: 'Exactly one file must be uploaded',
  one_line_control_characters: (values: { what: string }): string =>
    `${select(values.what, { about: 'What you say of yourself', about_pronoun: 'It', choice: 'Choice', email: 'E-mail address', field_hint: 'Field hint', field_name: 'Field name', full_name: 'Full name', message_type: 'Message type', organization_name: 'Organization name', stream_name: 'Stream name', user_group_name: 'User group name' }, 'Topic')} must not contain control characters`,
  one_line_empty: (values: { what: string }): string =>
    `${select(values.what, { about: 'What you say of yourself', about_pronoun: 'It', choice: 'Choice', email: 'E-mail address', field_hint: 'Field hint', field_name: 'Field name', full_name: 'Full name', message_type: 'Message type', organization_name: 'Organization name', stream_name: 'Stream name', user_group_name: 'User group name' }, 'Topic')} can't be empty`,
  one_line_too_long: (values: { what: string; limit: string | number }): string =>
    `${select(values.what, { about: 'What you say of yourself', about_pronoun: 'It', choice: 'Choice', email: 'E-mail address', field_hint: 'Field hint', field_name: 'Field name', full_name: 'Full name', message_type: 'Message type', organization_name: 'Organization name', stream_name: 'Stream name', user_group_name: 'User group name' }, 'Topic')} too long (limit: ${values.limit} characters)`,
  one_upload_expected: 'You may only upload one file at a time',
  op_invalid: (values: { op: string | number; expected: string | number }): string =>
    `Invalid op '${values.op}': expected ${values.expected}`,
  organization_deactivated_before_move:
    'The organization is deactivated: reactivate it before it moves',
  organization_description_too_long: (values: { limit: string | number }): string =>
    `Organization description too long (limit: ${values.limit} characters)`,
  organization_description_with_nul: 'Organization description must not contain NUL',
  organization_exists: 'This service has an organization already',
  organization_moved: 'The organization goes on on another computer already',
  organization_name_empty: "Organization name can't be empty",
  organization_name_too_long: (values: { limit: string | number }): string =>
    `Organization name must be one line of at most ${values.limit} characters`,
  organization_not_deactivated: 'The organization is not deactivated',
  outgoing_webhook_bot_required: 'Only an outgoing webhook bot has a payload_url',
  own_password_link: 'Change your own password in the settings',
  parameters_not_utf8: 'The parameters are not valid UTF-8',
  part_headers_too_long: (values: { limit: string | number }): string =>
    `The headers of a multipart body may have at most ${values.limit} bytes`,
  password_too_long: (values: { limit: string | number }): string =>
    `Password must have at most ${values.limit} characters`,
  password_too_short: (values: { limit: string | number }): string =>
    `Password must have at least ${values.limit} characters`,
  password_unchanged: 'Choose another password than the one that you were given',
  payload_invalid: (values: { expected: string | number }): string =>
    `The payload must be ${values.expected}`,
  payload_key_invalid: (values: { key: string | number; expected: string | number }): string =>
    `The payload's '${values.key}' must be ${values.expected}`,
  payload_key_missing: (values: { key: string | number }): string =>
    `The payload lacks the key '${values.key}'`,
  payload_url_invalid: 'payload_url must be an http or https address',
  percent_encoding_malformed: 'The parameters contain a malformed percent-encoding',
  person_required: 'This endpoint does not accept bot requests',
  presence_of_bot: 'Presence is not supported for bot users',
  private_message_not_movable: 'A private message cannot be moved to a stream',
  private_messages_disabled: 'Private messages are disabled in this organization',
  private_stream_not_default: 'A private stream cannot be a default stream',
  reaction_exists: 'Reaction already exists',
  recipient_left: (values: { email: string | number }): string =>
    `'${values.email}' is no longer using this organization`,
  recipients_missing: 'Message must have recipients',
  request_late: 'The request did not arrive in time',
  request_malformed: 'The request is malformed',
  restore_generation_unsigned: 'This epoch is not signed by the key of this organization',
  role_contradicted: 'role contradicts is_admin or is_guest',
  scheduled_messages_unsupported: 'Scheduled messages are not supported',
  sending_to_stream_not_allowed: (values: { name: string | number }): string =>
    `Not authorized to send to the stream '${values.name}'`,
  setup_code_missing:
    'Enter the setup code that the service printed when it started, or create the organization on its computer',
  short_name_empty: "Bad name or username: short_name can't be empty",
  sound_invalid: (values: { sound: string | number; expected: string | number }): string =>
    `Invalid notification sound '${values.sound}': expected one of ${values.expected}`,
  status_too_long: (values: { limit: string | number }): string =>
    `Status text too long (limit: ${values.limit} characters)`,
  status_unchanged: 'Nothing to change: expected away or status_text',
  storage_too_large: (values: { bytes: string | number; limit: string | number }): string =>
    `Storage too large: ${values.bytes} bytes (limit: ${values.limit} bytes)`,
  storage_with_nul: 'Storage must not contain NUL',
  stream_creation_not_allowed: 'You are not allowed to create streams',
  stream_name_taken: (values: { name: string | number }): string =>
    `Stream name '${values.name}' is already taken`,
  stream_name_unchanged: 'Stream already has that name',
  stream_not_archived: 'This stream is not archived',
  submessage_not_json: 'Invalid json for submessage',
  submessage_too_long: (values: { limit: string | number }): string =>
    `Submessage too long (limit: ${values.limit} bytes)`,
  subscribing_not_allowed: (values: { names: string | number }): string =>
    `You are not allowed to subscribe to stream (${values.names}).`,
  subscribing_others_not_allowed: 'You are not allowed to subscribe other users',
  subscription_property_unknown: (values: { property: string | number }): string =>
    `Unknown subscription property: ${values.property}`,
  template_missing: "Missing 'template' argument",
  template_too_long: (values: { limit: string | number }): string =>
    `A template may have at most ${values.limit} characters`,
  timezone_invalid: (values: { timezone: string | number }): string =>
    `Invalid timezone '${values.timezone}'`,
  tls_required: (values: { address: string | number }): string =>
    `This service is reached over TLS alone: ${values.address}`,
  too_many_alert_words: (values: { limit: string | number }): string =>
    `Too many alert words (limit: ${values.limit})`,
  too_many_body_parts: (values: { limit: string | number }): string =>
    `A multipart body may have at most ${values.limit} parts`,
  too_many_choices: (values: { limit: string | number }): string =>
    `A field has at most ${values.limit} choices`,
  too_many_files: (values: { limit: string | number }): string =>
    `A request may have at most ${values.limit} files`,
  too_many_invitees: (values: { limit: string | number }): string =>
    `invitee_emails may have at most ${values.limit} addresses`,
  too_many_join_requests:
    'Too many people have asked to join and wait for an answer. Ask somebody there for an invitation.',
  too_many_messages_requested: (values: { limit: string | number }): string =>
    `Too many messages requested (limit: ${values.limit} in num_before and num_after together)`,
  too_many_new_streams: (values: { limit: string | number }): string =>
    `At most ${values.limit} streams can be created at once`,
  too_many_of_organization: (values: { limit: string | number; kind: string }): string =>
    `The organization can have at most ${values.limit} ${select(values.kind, { bots: 'bots (deactivated ones count)', emoji: 'emoji (removed ones count)', linkifiers: 'linkifiers', mutedTopics: 'muted topics', profileFields: 'profile fields', reactions: 'reactions to one message', streams: 'streams', submessages: 'submessages of one message' }, 'user groups')}`,
  too_many_of_person: (values: { limit: string | number; kind: string }): string =>
    `One person and their bots can have at most ${values.limit} ${select(values.kind, { bots: 'bots (deactivated ones count)', emoji: 'emoji (removed ones count)', linkifiers: 'linkifiers', mutedTopics: 'muted topics', profileFields: 'profile fields', reactions: 'reactions to one message', streams: 'streams', submessages: 'submessages of one message' }, 'user groups')}`,
  too_many_owned_bots: (values: { limit: string | number }): string =>
    `One person can own at most ${values.limit} bots`,
  too_many_parameters: (values: { limit: string | number }): string =>
    `A request may have at most ${values.limit} parameters`,
  too_many_part_headers: (values: { limit: string | number }): string =>
    `A part of a multipart body may have at most ${values.limit} headers`,
  too_many_recipients: (values: { limit: string | number }): string =>
    `Too many recipients (limit: ${values.limit})`,
  too_many_unfinished_uploads: (values: { count: string | number }): string =>
    `You have ${values.count} unfinished uploads: finish some of them or give them up first`,
  too_many_webhook_messages: (values: { count: string | number; limit: string | number }): string =>
    `The delivery would become ${values.count} messages, and ${values.limit} are possible: have less sent at once`,
  too_much_to_remember: 'Too much to remember',
  topic_edit_limit_passed: "The time limit for editing this message's topic has passed",
  topic_edit_not_allowed: 'You are not allowed to edit the topic of this message',
  topic_required: 'Topics are required in this organization',
  topic_without_messages: 'There are no messages in this topic',
  unarchive_with_other_changes:
    'A stream comes back as it was: only new_name goes with is_archived=false',
  unseen_characters: (values: { what: string; characters: string }): string =>
    `${select(values.what, { about: 'What you say of yourself', about_pronoun: 'It', choice: 'Choice', email: 'E-mail address', field_hint: 'Field hint', field_name: 'Field name', full_name: 'Full name', message_type: 'Message type', organization_name: 'Organization name', stream_name: 'Stream name', user_group_name: 'User group name' }, 'Topic')} must not contain ${select(values.characters, { control: 'control characters', direction: 'characters that change the direction of text' }, 'invisible characters')}`,
  upload_finished: 'The upload is finished',
  upload_incomplete: (values: { received: string | number; size: string | number }): string =>
    `The upload is not complete: ${values.received} of ${values.size} bytes are there`,
  upload_limit_invalid: (values: { highest: string | number; value: string | number }): string =>
    `max_file_upload_size must be from 1 to ${values.highest} (MiB), not ${values.value}`,
  upload_missing: 'You must specify a file to upload',
  upload_offset_wrong: (values: { offset: string | number; given: string | number }): string =>
    `The next piece of the upload begins at byte ${values.offset}, not ${values.given}`,
  upload_piece_too_long: (values: { size: string | number }): string =>
    `The piece goes beyond the end of the upload, which has ${values.size} bytes`,
  upload_superseded: 'Another request has gone on with this upload: ask for its offset',
  upload_too_large: (values: { limit: string | number }): string =>
    `Uploaded file is larger than the allowed limit of ${values.limit} MiB`,
  user_already_deactivated: 'User is already deactivated',
  webhook_secret_too_long: (values: { limit: string | number }): string =>
    `webhook_secret may have at most ${values.limit} characters`,
  private_stream_refused: (values: { names: string | number }): string =>
    `Unable to access stream (${values.names}).`,
  topic_already_muted: 'Topic already muted',
  topic_not_muted: 'Topic is not muted',
  addresses_invalid: (values: { limit: string | number }): string =>
    `addresses has to be a JSON list of at most ${values.limit} https origins`,
  common_password: (values: { argument: string | number }): string =>
    `Bad value for '${values.argument}': expected a password that is not among the commonest`,
  hexadecimal_invalid: (values: { argument: string | number; digits: string | number }): string =>
    `${values.argument} has to be ${values.digits} hexadecimal digits in lower case`,
  nonce_invalid: 'nonce has to be 32 bytes as base64url',
  setup_code_ended:
    'The setup code has ended after too many wrong ones: start the service again to get another.',
  setup_code_wrong: 'This is not the setup code that the service printed when it started.',
  principal_unauthorized: (values: { principal: string | number }): string =>
    `User not authorized to execute queries on behalf of '${values.principal}'`,
  only_administrator_deactivated: 'Cannot deactivate the only organization administrator',
  only_administrator_demoted: 'Cannot take the role of the only organization administrator',
  unreadable_image: 'The file is not an image that can be read: expected PNG, GIF, JPEG or WebP',
  disk_almost_full:
    'The disk of the service is almost full: no file can be stored until there is room again',
  organization_upload_quota_exceeded: 'Upload would exceed your organization’s upload quota',
  personal_upload_quota_exceeded: 'Upload would exceed your upload quota',
  invitees_invalid: "Some emails did not validate, so we didn't send any invitations",
  nobody_invited: "We weren't able to invite anyone",
  some_not_invited:
    'Some of those addresses were invited before or have an account; everyone else was invited',
  too_many_invited_today: (values: { limit: string | number }): string =>
    `At most ${values.limit} people can be invited in a day; nobody was invited`,
  json_malformed: 'Malformed JSON',
  json_not_utf8: 'Malformed JSON: not UTF-8',
  json_object_expected: 'The body is not a JSON object',
  event_header_missing: (values: { header: string | number }): string =>
    `The header ${values.header}, which names the event, is missing`,
  webhook_event_unknown: (values: {
    event: string | number;
    integration: string | number;
  }): string =>
    `The event '${values.event}' is not one that the integration ${values.integration} knows`,
  basic_authentication_required:
    'This needs HTTP Basic authentication with an e-mail and an API key',
  incoming_webhook_bot_sends_only: 'An incoming webhook bot may only send messages',
  signature_invalid: 'The signature is missing or not right',
  unsigned_integration: (values: { integration: string | number }): string =>
    `The bot has a secret, and ${values.integration} signs nothing that it could verify`,
  sign_in_account_disabled: 'Your account has been disabled.',
  sign_in_credentials_wrong: 'Your username or password is incorrect.',
  sign_in_not_registered: 'This user is not registered.',
  sign_in_organization_deactivated: 'This organization has been deactivated.',
  sign_in_with_password_disabled: 'Signing in with a password is switched off.',
  no_integration_here: (values: { integration: string | number }): string =>
    `Unknown integration '${values.integration}'`,
  nothing_here: 'There is nothing here',
  method_not_allowed: (values: { methods: string | number }): string =>
    `Method not allowed: use ${values.methods}`,
  body_too_large: 'The body of the request is too large',
  too_many_queues: 'Too many event queues',
  too_many_requests: 'Too many requests: wait before trying again',
  too_many_waiting_answers: 'Too many answers wait until somebody reads them',
  too_many_waiting_requests: 'Too many waiting requests',
  internal_error: 'Internal server error',
  disk_full:
    'The disk of the service is full, and nothing was changed: try again once somebody has made room there',
};
