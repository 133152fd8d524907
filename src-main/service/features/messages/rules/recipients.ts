/** The `to` of POST /messages in all its forms (API decisions 2.3). */
import { parseJson } from '#shared/api/codecs.ts';
import { variableInvalid } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';

/** A stream by id, by name, or by an id that may also be a name of digits. */
export type StreamReference =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'id'; readonly id: number; readonly digits: string };

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value);

/** JSON where the text is JSON, else the text itself; a JSON body's values are decoded already. */
const decode = (to: unknown): unknown => {
  if (typeof to !== 'string') return to;
  const trimmed = to.trim();
  // A bare `true`, `2.0` or `1e3` is a name like any other word: only whole numbers are ids.
  return /^(["[]|-?\d+$)/.test(trimmed) ? (parseJson(trimmed) ?? to) : to;
};

/** @throws REQUEST_VARIABLE_INVALID */
export function parseStreamRecipient(to: unknown): StreamReference {
  const decoded = decode(to);
  const value: unknown = Array.isArray(decoded) && decoded.length === 1 ? decoded[0] : decoded;
  if (isId(value)) return { kind: 'id', id: value, digits: String(value) };
  if (typeof value === 'string') return { kind: 'name', name: value.trim() };
  if (typeof to === 'string' && !Array.isArray(decoded) && typeof decoded !== 'object') {
    return { kind: 'name', name: to.trim() };
  }
  throw variableInvalid('to', to, 'the name or the id of one stream');
}

/** E-mail addresses and user ids, without blanks and repetitions. */
export interface PrivateRecipients {
  readonly emails: readonly string[];
  readonly userIds: readonly number[];
}

function splitList(text: string): PrivateRecipients {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return {
    emails: items.filter((item) => !/^\d{1,15}$/.test(item)),
    userIds: items.filter((item) => /^\d{1,15}$/.test(item)).map(Number),
  };
}

/** Where a message is to go, as its sender names it. */
export type MessageTarget =
  | { readonly kind: 'stream'; readonly stream: StreamReference; readonly topic: string }
  | { readonly kind: 'private'; readonly recipients: PrivateRecipients };

const expected = 'a list of e-mail addresses or a list of user ids';

function parseList(list: readonly unknown[], to: unknown): PrivateRecipients {
  if (list.every(isId)) return { emails: [], userIds: list };
  if (!list.every((item) => typeof item === 'string')) throw variableInvalid('to', to, expected);
  return { emails: list.map((item) => item.trim()).filter((item) => item !== ''), userIds: [] };
}

function parsePrivate(to: unknown): PrivateRecipients {
  const decoded = decode(to);
  if (Array.isArray(decoded)) return parseList(decoded, to);
  if (isId(decoded)) return { emails: [], userIds: [decoded] };
  if (typeof decoded === 'string') {
    const isJson = typeof to === 'string' && decoded !== to;
    const { emails, userIds } = splitList(decoded);
    // Only raw text has ids among its items; a JSON string holds addresses.
    return isJson
      ? { emails: [...emails, ...userIds.map(String)], userIds: [] }
      : { emails, userIds };
  }
  throw variableInvalid('to', to, expected);
}

/** @throws REQUEST_VARIABLE_INVALID for another form; BAD_REQUEST when nobody is named */
export function parsePrivateRecipients(to: unknown): PrivateRecipients {
  const { emails, userIds } = parsePrivate(to);
  const recipients = { emails: [...new Set(emails)], userIds: [...new Set(userIds)] };
  if (recipients.emails.length + recipients.userIds.length === 0) {
    throw refusal('recipients_missing');
  }
  return recipients;
}
