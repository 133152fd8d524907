/** What one integration knows: how to turn a third-party payload into a message. */
import { badRequest } from '../../contract/errors.ts';

export interface Integration {
  /** Name of the client that its messages carry (API decisions, section 12.1). */
  readonly clientName: string;
  /** The topic when the request names none. */
  readonly topic: string;
  /** @throws BAD_REQUEST naming the key that is missing or of another type */
  readonly write: (payload: Payload, text: Text) => string;
}

export interface Text {
  /** A payload's value as text that can neither mention nor form markup, on one line. */
  readonly escape: (value: string) => string;
}

/** A JSON payload that is read key by key. */
export interface Payload {
  readonly getString: (key: string) => string;
  /** A string that can stand as the target of a link. */
  readonly getUrl: (key: string) => string;
}

export function payloadOf(value: unknown): Payload {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest('The payload must be a JSON object');
  }
  const members = value as Readonly<Record<string, unknown>>;
  const getString = (key: string): string => {
    const member = Object.hasOwn(members, key) ? members[key] : undefined;
    if (member === undefined) throw badRequest(`The payload lacks the key '${key}'`);
    if (typeof member !== 'string') throw badRequest(`The payload's '${key}' must be a string`);
    return member;
  };
  return {
    getString,
    getUrl: (key) =>
      getString(key)
        .trim()
        .replace(/[\s()<>[\]\\|`*]/g, (character) =>
          encodeURIComponent(character).replace('(', '%28').replace(')', '%29').replace('*', '%2A'),
        ),
  };
}
