/** What the forms of a window are checked for before a service is asked. */
import {
  DESCRIPTION_CHARACTERS,
  FULL_NAME_CHARACTERS,
  ORGANIZATION_NAME_CHARACTERS,
  PASSWORD_CHARACTERS,
  STREAM_NAME_CHARACTERS,
} from '#shared/api/bounds.ts';
import type { HostRequest, NewPerson, NewStream } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { success } from '#shared/bridge/outcome.ts';
import { refusedHere } from '../transport/refused-here.ts';

/** Not the syntax of RFC 5322: it finds slips, and the service has the last word. */
const email = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/;
/** These would break mentions (`@**Name**`) and the sender line of e-mails. */
const forbiddenInNames = /[*`>"@]/;

type Check = Outcome<null>;

const passed: Check = success(null);

const firstFault = (...checks: readonly Check[]): Check => checks.find(({ ok }) => !ok) ?? passed;

/** Characters as people count them. */
const lengthOf = (text: string): number => Array.from(text.trim()).length;

export const checkEmail = (text: string): Check =>
  email.test(text.trim()) ? passed : refusedHere('email', 'email_invalid', { email: text.trim() });

export function checkPassword(password: string): Check {
  const length = Array.from(password.normalize('NFC')).length;
  const { least } = PASSWORD_CHARACTERS;
  return length < least ? refusedHere('password', 'password_too_short', { limit: least }) : passed;
}

function checkFullName(name: string): Check {
  const length = lengthOf(name);
  const { least, most } = FULL_NAME_CHARACTERS;
  if (length < least || length > most) {
    return refusedHere('fullName', 'full_name_length', { least, most });
  }
  return forbiddenInNames.test(name) ? refusedHere('fullName', 'full_name_characters', {}) : passed;
}

export const checkNewPerson = ({ fullName, email, password }: NewPerson): Check =>
  firstFault(checkFullName(fullName), checkEmail(email), checkPassword(password));

function checkRealmName(name: string): Check {
  const length = lengthOf(name);
  if (length === 0) return refusedHere('realmName', 'organization_name_empty', {});
  const limit = ORGANIZATION_NAME_CHARACTERS;
  return length > limit
    ? refusedHere('realmName', 'organization_name_too_long', { limit })
    : passed;
}

export const checkHostRequest = (request: HostRequest): Check =>
  firstFault(checkRealmName(request.realmName), checkNewPerson(request));

export function checkNewStream({ name, description }: NewStream): Check {
  const what = 'stream_name';
  const length = lengthOf(name);
  if (length === 0) return refusedHere('name', 'one_line_empty', { what });
  if (length > STREAM_NAME_CHARACTERS) {
    return refusedHere('name', 'one_line_too_long', { what, limit: STREAM_NAME_CHARACTERS });
  }
  return lengthOf(description) > DESCRIPTION_CHARACTERS
    ? refusedHere('description', 'description_too_long', { limit: DESCRIPTION_CHARACTERS })
    : passed;
}
