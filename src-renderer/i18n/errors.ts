/** What the window says instead of the service, by the cause of the failure and by its code. */
import type { OutboxItem } from '#shared/bridge/models/client.ts';
import type { Failure, Refusal } from '#shared/bridge/outcome.ts';
import { explanationOf } from '#shared/i18n/explain.ts';

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

/** The window's own sentence where it has one; else what the service said. */
export function errorTextFor({ code, message, cause }: Refusal & Pick<Failure, 'message'>): string {
  const own = cause === undefined ? undefined : explanationOf(cause);
  return own ?? byCode[code] ?? message;
}

/** Why a message was not sent. */
export const unsentReason = ({ failure, refusal }: OutboxItem): string =>
  refusal === undefined ? failure : errorTextFor({ ...refusal, message: failure });
