import {
  DESCRIPTION_CHARACTERS,
  FULL_NAME_CHARACTERS,
  ORGANIZATION_NAME_CHARACTERS,
  PASSWORD_CHARACTERS,
  STREAM_NAME_CHARACTERS,
  TOPIC_CHARACTERS,
} from '#shared/api/bounds.ts';
import type { LineKind } from '#shared/api/causes.ts';
import { refusal } from '#shared/api/refusal.ts';
import { invisibleIn } from '#shared/text/invisible-characters.ts';
import { isCommonPassword } from './common-passwords.ts';

/** Characters are Unicode code points (API decisions 2.4). */
export const countCharacters = (text: string): number => Array.from(text).length;

const isLonger = (text: string, limit: number): boolean =>
  text.length > limit && countCharacters(text) > limit;

/** Cut to a number of characters, never inside one. */
export const cutCharacters = (text: string, limit: number): string =>
  isLonger(text, limit) ? Array.from(text).slice(0, limit).join('') : text;

// Control characters, line and paragraph separators: names are shown on one line.
// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/;

/**
 * @param what  what it is
 * @throws BAD_REQUEST for a name that can look like another one by what nobody sees
 */
export function checkVisible(name: string, what: LineKind): string {
  const unseen = invisibleIn(name);
  if (unseen !== undefined) throw refusal('unseen_characters', { what, characters: unseen });
  return name;
}

/**
 * A name or another text of one line, trimmed.
 * @param what  what it is
 * @throws BAD_REQUEST when it is blank, too long or of several lines
 */
export function checkLine(text: string, what: LineKind, limit: number): string {
  const trimmed = text.trim();
  if (trimmed === '') throw refusal('one_line_empty', { what });
  if (isLonger(trimmed, limit)) {
    throw refusal('one_line_too_long', { what, limit });
  }
  if (CONTROL.test(trimmed)) throw refusal('one_line_control_characters', { what });
  return trimmed;
}

/** @throws BAD_REQUEST for a blank, too long or multi-line topic; what nobody sees may stand in one that exists */
export const checkTopic = (topic: string): string => checkLine(topic, 'topic', TOPIC_CHARACTERS);

/** @throws BAD_REQUEST for a blank, too long or multi-line name; what nobody sees may stand in one that exists */
export const checkKnownStreamName = (name: string): string =>
  checkLine(name, 'stream_name', STREAM_NAME_CHARACTERS);

/** @throws BAD_REQUEST for a blank, too long or multi-line name, and for one with what nobody sees */
export const checkStreamName = (name: string): string =>
  checkVisible(checkKnownStreamName(name), 'stream_name');

/** @throws BAD_REQUEST for a too long description; newlines become blanks (API decisions 7.5) */
export function checkDescription(description: string): string {
  const line = description.replace(/[\r\n\u2028\u2029]+/g, ' ').trim();
  if (isLonger(line, DESCRIPTION_CHARACTERS)) {
    throw refusal('description_too_long', { limit: DESCRIPTION_CHARACTERS });
  }
  if (line.includes('\0')) throw refusal('description_with_nul');
  return line;
}

/** @throws BAD_REQUEST unless 2 to 100 characters without those that form mentions (API decisions 7.3) */
export function checkFullName(name: string): string {
  const trimmed = name.trim();
  const { least, most } = FULL_NAME_CHARACTERS;
  const characters = countCharacters(trimmed);
  if (characters < least || characters > most) {
    throw refusal('full_name_length', { least, most });
  }
  if (/[*`>"@]/.test(trimmed) || CONTROL.test(trimmed)) {
    throw refusal('full_name_characters');
  }
  return checkVisible(trimmed, 'full_name');
}

/** @throws BAD_REQUEST unless it looks like an e-mail address; what nobody sees may stand in one that exists */
export function checkKnownEmail(email: string): string {
  const trimmed = email.trim();
  if (
    trimmed.length > 254 ||
    CONTROL.test(trimmed) ||
    !/^[^\s@,:"<>()]+@[^\s@,:"<>()]+$/.test(trimmed)
  ) {
    const shown = trimmed.slice(0, 254).split(CONTROL).join(' ');
    throw refusal('email_invalid', { email: shown });
  }
  return trimmed;
}

/** @throws BAD_REQUEST unless it looks like an e-mail address, and for one with what nobody sees */
export const checkEmail = (email: string): string => checkVisible(checkKnownEmail(email), 'email');

/**
 * @param argument  what carries it, as it is written on the wire
 * @throws BAD_REQUEST for a password of fewer than 8 or more than 100 characters; REQUEST_VARIABLE_INVALID, which does not
 *         repeat it, for one of the commonest
 */
export function checkPassword(password: string, argument = 'password'): string {
  const { least, most } = PASSWORD_CHARACTERS;
  const characters = countCharacters(password.normalize('NFC'));
  if (characters < least) throw refusal('password_too_short', { limit: least });
  if (characters > most) throw refusal('password_too_long', { limit: most });
  if (isCommonPassword(password)) {
    throw refusal('common_password', { argument }, { var_name: argument, bad_value: '' });
  }
  return password;
}

/** @throws BAD_REQUEST for a too long description; it may have several lines */
export function checkRealmDescription(description: string): string {
  const text = description.replaceAll('\r\n', '\n').trim();
  if (isLonger(text, DESCRIPTION_CHARACTERS)) {
    throw refusal('organization_description_too_long', { limit: DESCRIPTION_CHARACTERS });
  }
  if (text.includes('\0')) throw refusal('organization_description_with_nul');
  return text;
}

/** @throws BAD_REQUEST for a blank or too long name */
export function checkRealmName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw refusal('organization_name_empty');
  if (isLonger(trimmed, ORGANIZATION_NAME_CHARACTERS) || CONTROL.test(trimmed)) {
    throw refusal('organization_name_too_long', { limit: ORGANIZATION_NAME_CHARACTERS });
  }
  return checkVisible(trimmed, 'organization_name');
}

/** Accepted with and without `#`, three or six digits; listed as `#rrggbb` (API decisions 7.5). */
export function normalizeColor(color: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return digits.length === 6
    ? `#${digits}`
    : `#${Array.from(digits, (digit) => digit + digit).join('')}`;
}
