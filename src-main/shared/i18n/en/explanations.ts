/** Compiled from explanations.json by `npm run messages`. */
import { formatNumber, select } from '../format.ts';

export const explanations = {
  administrator_required: 'Only administrators may do this.',
  archived_stream_name_taken: 'There is a stream with this name already.',
  common_password: 'This is one of the first passwords that anybody tries. Choose another one.',
  delete_limit_passed: 'It is too late to delete this message.',
  delete_not_allowed: 'You may not delete this message.',
  description_too_long: (values: { limit: number }): string =>
    `A description has at most ${formatNumber('en', values.limit)} characters.`,
  edit_limit_passed: 'It is too late to change this message.',
  email_invalid: 'This does not look like an e-mail address. It needs a name, an @ and a domain.',
  full_name_characters: 'A name cannot contain * ` > " @ or control characters.',
  full_name_length: (values: { least: string | number; most: string | number }): string =>
    `Enter a name of ${values.least} to ${values.most} characters.`,
  message_editing_disabled: 'Messages cannot be changed in this organization.',
  message_empty: 'Write something before you send it.',
  message_too_long: 'The message is too long to send. Shorten it, or send it in parts.',
  no_active_user_with_id: 'This person is no longer here.',
  no_recipient_with_id: 'This person is no longer here.',
  no_such_message: 'This message is no longer there, or you may not see it.',
  no_such_user: 'This person is no longer here.',
  no_user_with_id: 'This person is no longer here.',
  not_bot_manager: 'Only administrators may do this.',
  one_line_empty: (values: { what: string }): string =>
    `${select(values.what, { about: 'What you say of yourself', choice: 'A choice', email: 'An e-mail address', field_hint: 'A hint', field_name: 'The name of a field', full_name: 'A name', organization_name: 'The name of the organization', stream_name: 'A stream name', topic: 'A topic', user_group_name: 'A group name' }, 'This')} cannot be empty.`,
  one_line_too_long: (values: { what: string; limit: number }): string =>
    `${select(values.what, { about: 'What you say of yourself', choice: 'A choice', email: 'An e-mail address', field_hint: 'A hint', field_name: 'The name of a field', full_name: 'A name', organization_name: 'The name of the organization', stream_name: 'A stream name', topic: 'A topic', user_group_name: 'A group name' }, 'This')} has at most ${formatNumber('en', values.limit)} characters.`,
  organization_name_empty: 'Enter a name for the organization.',
  organization_name_too_long: (values: { limit: string | number }): string =>
    `The name of the organization has at most ${values.limit} characters.`,
  password_too_long: (values: { limit: string | number }): string =>
    `A password has at most ${values.limit} characters.`,
  password_too_short: (values: { limit: string | number }): string =>
    `Enter a password of at least ${values.limit} characters.`,
  recipients_missing: 'Choose at least one person.',
  stream_name_taken: 'There is a stream with this name already.',
  stream_name_unchanged: 'There is a stream with this name already.',
  stream_not_archived: 'Somebody has brought this stream back already.',
  topic_edit_limit_passed: 'It is too late to change this message.',
  topic_edit_not_allowed: 'You may not change the topic of this message.',
  topic_required: 'Every message in a stream has a topic. Write one, or choose a known one.',
  upload_too_large: (values: { limit: number }): string =>
    `Files of at most ${formatNumber('en', values.limit)} MiB can be uploaded here.`,
  user_already_deactivated: 'This person is deactivated already.',
};
