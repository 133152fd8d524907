/** What the window says instead of the service, by the cause of the failure and by its code. */
import type { CauseName } from '#shared/api/causes.ts';
import type { OutboxItem } from '#shared/bridge/models/client.ts';
import type { Failure, Refusal } from '#shared/bridge/outcome.ts';

/** Whatever was asked for. Codes that say nothing of what happened are not here: their sentence does. */
const byCode: Readonly<Record<string, string>> = {
  INTERNAL_ERROR: 'The service could not do this. Try again in a moment.',
  RATE_LIMIT_HIT: 'That was too much at once. Wait a moment and try again.',
  PAYLOAD_TOO_LARGE: 'This is too large for the service.',
  USER_DEACTIVATED: 'This account is deactivated. Ask an administrator.',
  REALM_DEACTIVATED: 'This organization is deactivated.',
  ORGANIZATION_CLOSED:
    'This organization was restored from a backup. It is closed until an administrator opens it.',
  INVALID_API_KEY: 'The service no longer accepts your sign-in. Sign out and in again.',
  UNAUTHORIZED: 'The service no longer accepts your sign-in. Sign out and in again.',
  STREAM_DOES_NOT_EXIST: 'This stream is no longer there, or you may not see it.',
  UNAUTHORIZED_PRINCIPAL: 'Somebody among them is no longer here.',
  WRONG_PASSWORD: 'This is not your password.',
  BAD_IMAGE: 'This file is not an image that can be shown.',
  REALM_UPLOAD_QUOTA: 'There is no room left for files. Ask an administrator.',
  CANNOT_DEACTIVATE_LAST_USER:
    'This is the only administrator. Make somebody else an administrator first.',
};

/** Said of a stream that is created, renamed or brought back. */
export const streamNameTaken = 'There is a stream with this name already.';

const onlyAdministrators = 'Only administrators may do this.';
const personGone = 'This person is no longer here.';
const tooLateToChange = 'It is too late to change this message.';

/** What the service refuses for many reasons under one code. */
const byCause: Readonly<Partial<Record<CauseName, string>>> = {
  common_password: 'This is one of the first passwords that anybody tries. Choose another one.',
  no_such_message: 'This message is no longer there, or you may not see it.',
  edit_limit_passed: tooLateToChange,
  topic_edit_limit_passed: tooLateToChange,
  message_editing_disabled: 'Messages cannot be changed in this organization.',
  topic_edit_not_allowed: 'You may not change the topic of this message.',
  delete_limit_passed: 'It is too late to delete this message.',
  delete_not_allowed: 'You may not delete this message.',
  stream_name_unchanged: streamNameTaken,
  stream_name_taken: streamNameTaken,
  archived_stream_name_taken: streamNameTaken,
  stream_not_archived: 'Somebody has brought this stream back already.',
  administrator_required: onlyAdministrators,
  not_bot_manager: onlyAdministrators,
  no_such_user: personGone,
  no_user_with_id: personGone,
  no_recipient_with_id: personGone,
  no_active_user_with_id: personGone,
  user_already_deactivated: 'This person is deactivated already.',
};

/** The window's own sentence where it has one; else what the service said. */
export function errorTextFor({ code, message, cause }: Refusal & Pick<Failure, 'message'>): string {
  const names: Readonly<Record<string, string>> = byCause;
  const own = cause === undefined ? undefined : names[cause.name];
  return own ?? byCode[code] ?? message;
}

/** Why a message was not sent. */
export const unsentReason = ({ failure, refusal }: OutboxItem): string =>
  refusal === undefined ? failure : errorTextFor({ ...refusal, message: failure });
