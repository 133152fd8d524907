import { badRequest, variableInvalid } from '#shared/api/errors.ts';
import { invisibleIn } from '#shared/text/invisible-characters.ts';
import { isCommonPassword } from './common-passwords.ts';

export const MAX_TOPIC_CHARACTERS = 60;
export const MAX_STREAM_NAME_CHARACTERS = 60;
export const MAX_DESCRIPTION_CHARACTERS = 1024;

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

const unseenWords = {
  control: 'control characters',
  direction: 'characters that change the direction of text',
  invisible: 'invisible characters',
};

/**
 * @param what  what it is, to begin a sentence with
 * @throws BAD_REQUEST for a name that can look like another one by what nobody sees
 */
export function checkVisible(name: string, what: string): string {
  const unseen = invisibleIn(name);
  if (unseen !== undefined) throw badRequest(`${what} must not contain ${unseenWords[unseen]}`);
  return name;
}

/**
 * A name or another text of one line, trimmed.
 * @param what  what it is, to begin a sentence with
 * @throws BAD_REQUEST when it is blank, too long or of several lines
 */
export function checkLine(text: string, what: string, limit: number): string {
  const trimmed = text.trim();
  if (trimmed === '') throw badRequest(`${what} can't be empty`);
  if (isLonger(trimmed, limit)) {
    throw badRequest(`${what} too long (limit: ${String(limit)} characters)`);
  }
  if (CONTROL.test(trimmed)) throw badRequest(`${what} must not contain control characters`);
  return trimmed;
}

/** @throws BAD_REQUEST for a blank, too long or multi-line topic; what nobody sees may stand in one that exists */
export const checkTopic = (topic: string): string =>
  checkLine(topic, 'Topic', MAX_TOPIC_CHARACTERS);

/** @throws BAD_REQUEST for a blank, too long or multi-line name; what nobody sees may stand in one that exists */
export const checkKnownStreamName = (name: string): string =>
  checkLine(name, 'Stream name', MAX_STREAM_NAME_CHARACTERS);

/** @throws BAD_REQUEST for a blank, too long or multi-line name, and for one with what nobody sees */
export const checkStreamName = (name: string): string =>
  checkVisible(checkKnownStreamName(name), 'Stream name');

/** @throws BAD_REQUEST for a too long description; newlines become blanks (API decisions 7.5) */
export function checkDescription(description: string): string {
  const line = description.replace(/[\r\n\u2028\u2029]+/g, ' ').trim();
  if (isLonger(line, MAX_DESCRIPTION_CHARACTERS)) {
    throw badRequest(
      `Description too long (limit: ${String(MAX_DESCRIPTION_CHARACTERS)} characters)`,
    );
  }
  if (line.includes('\0')) throw badRequest('Description must not contain NUL');
  return line;
}

/** @throws BAD_REQUEST unless 2 to 100 characters without those that form mentions (API decisions 7.3) */
export function checkFullName(name: string): string {
  const trimmed = name.trim();
  const characters = countCharacters(trimmed);
  if (characters < 2 || characters > 100) {
    throw badRequest('Full name must have 2 to 100 characters');
  }
  if (/[*`>"@]/.test(trimmed) || CONTROL.test(trimmed)) {
    throw badRequest('Full name must not contain * ` > " @ or control characters');
  }
  return checkVisible(trimmed, 'Full name');
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
    throw badRequest(`Invalid e-mail address '${shown}'`);
  }
  return trimmed;
}

/** @throws BAD_REQUEST unless it looks like an e-mail address, and for one with what nobody sees */
export const checkEmail = (email: string): string =>
  checkVisible(checkKnownEmail(email), 'E-mail address');

/**
 * @param argument  what carries it, as it is written on the wire
 * @throws BAD_REQUEST for a password of fewer than 8 or more than 100 characters; REQUEST_VARIABLE_INVALID, which does not
 *         repeat it, for one of the commonest
 */
export function checkPassword(password: string, argument = 'password'): string {
  const characters = countCharacters(password.normalize('NFC'));
  if (characters < 8) throw badRequest('Password must have at least 8 characters');
  if (characters > 100) throw badRequest('Password must have at most 100 characters');
  if (isCommonPassword(password)) {
    throw variableInvalid(argument, '', 'a password that is not among the commonest');
  }
  return password;
}

/** @throws BAD_REQUEST for a too long description; it may have several lines */
export function checkRealmDescription(description: string): string {
  const text = description.replaceAll('\r\n', '\n').trim();
  if (isLonger(text, MAX_DESCRIPTION_CHARACTERS)) {
    throw badRequest(
      `Organization description too long (limit: ${String(MAX_DESCRIPTION_CHARACTERS)} characters)`,
    );
  }
  if (text.includes('\0')) throw badRequest('Organization description must not contain NUL');
  return text;
}

/** @throws BAD_REQUEST for a blank or too long name */
export function checkRealmName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw badRequest("Organization name can't be empty");
  if (isLonger(trimmed, 60) || CONTROL.test(trimmed)) {
    throw badRequest('Organization name must be one line of at most 60 characters');
  }
  return checkVisible(trimmed, 'Organization name');
}

/** Accepted with and without `#`, three or six digits; listed as `#rrggbb` (API decisions 7.5). */
export function normalizeColor(color: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(color.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return digits.length === 6
    ? `#${digits}`
    : `#${Array.from(digits, (digit) => digit + digit).join('')}`;
}
