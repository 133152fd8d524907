/** What is kept of a request for the owner of its bot: nothing that would let anybody deliver in its name. */
import type { LoggedRequest } from '../features/bots/operations/delivery-log.ts';
import type { RawBody } from '../core/ports/handlers.ts';
import { isForm } from './common/body.ts';
import { integrations } from './integrations/index.ts';
import { isSecretField } from './redaction/named-secrets.ts';
import { isJson, redact } from './redaction/redact.ts';

const MAX_BODY_BYTES = 64 * 1024;
/** Beyond the cut, so that a secret through which it goes is known for one. */
const MARGIN_BYTES = 32 * 1024;
const MAX_HEADERS = 50;
const MAX_HEADER = 500;
const MAX_QUERY = 4000;

const SECRET_HEADER =
  /auth|cookie|signature|token|secret|passw|credential|hmac|jwt|key|trello-webhook/;
/** Headers that say nothing about the delivery: of the connection, and of its way here. */
const OF_THE_WAY: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'forwarded',
  'host',
  'keep-alive',
  'transfer-encoding',
  'via',
]);

/** Some of these look like secrets: `X-Event-Key`. */
const eventHeaders: ReadonlySet<string> = new Set(
  [...integrations.values()].flatMap(({ event }) =>
    event !== undefined && 'headers' in event
      ? event.headers.map((name) => name.toLowerCase())
      : [],
  ),
);

const isLoggedHeader = (name: string): boolean =>
  eventHeaders.has(name) ||
  !(OF_THE_WAY.has(name) || name.startsWith('x-forwarded-') || SECRET_HEADER.test(name));

const withoutSecrets = (fields: string): string =>
  new URLSearchParams(
    [...new URLSearchParams(fields)].filter(([name]) => !isSecretField(name)),
  ).toString();

/** Node hands the bytes of the request line over as Latin-1. */
function readableQuery(query: string): string {
  if (/^[\0-\x7f]*$/.test(query)) return query;
  const bytes = Uint8Array.from(query, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

interface Text {
  readonly text: string;
  readonly isWhole: boolean;
}

function textOf(bytes: Uint8Array): Text {
  const isWhole = bytes.length <= MAX_BODY_BYTES;
  const window = bytes.subarray(0, MAX_BODY_BYTES + MARGIN_BYTES);
  try {
    // `stream` leaves out a character that the cut goes through.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return {
      text: decoder.decode(window, { stream: window.length < bytes.length }),
      isWhole,
    };
  } catch {
    return { text: new TextDecoder().decode(window), isWhole: false };
  }
}

/** A body of several parts is not kept. */
function bodyOf({ contentType, bytes }: RawBody): Text {
  if (/^multipart\//i.test(contentType.trim())) return { text: '', isWhole: false };
  return textOf(bytes);
}

/** A request as it came, as far as anything is kept of it: with its secrets. */
export interface ReceivedRequest {
  readonly query: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Text;
  /** What its fields and headers name as secrets. */
  readonly secrets: readonly string[];
}

const secretFields = (fields: string): readonly string[] =>
  [...new URLSearchParams(fields)].flatMap(([name, value]) => (isSecretField(name) ? value : []));

export function receivedRequestOf(raw: RawBody): ReceivedRequest {
  const query = readableQuery(raw.query);
  const body = bodyOf(raw);
  const headers = raw.headers();
  return {
    query: withoutSecrets(query),
    headers: headers.filter(([name]) => isLoggedHeader(name)).slice(0, MAX_HEADERS),
    body,
    secrets: [
      ...secretFields(query),
      ...(isForm(raw.contentType) ? secretFields(body.text) : []),
      ...headers.flatMap(([name, value]) =>
        SECRET_HEADER.test(name) && !eventHeaders.has(name) ? value : [],
      ),
    ],
  };
}

export interface LoggedPart {
  readonly content: LoggedRequest;
  readonly body: string;
  readonly event: string;
  readonly reason: string;
}

/** The part of a text that is kept; a character that the cut goes through is left out. */
function cutBody(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= MAX_BODY_BYTES) return text;
  return new TextDecoder().decode(bytes.subarray(0, MAX_BODY_BYTES), { stream: true });
}

/**
 * What is kept of a request and of what came of it, without secrets.
 * @param known  what nobody may read there
 */
export function loggedPartOf(
  { query, headers, body, secrets }: ReceivedRequest,
  { event, reason }: Pick<LoggedPart, 'event' | 'reason'>,
  known: readonly string[],
): LoggedPart {
  const values = headers.map(([, value]) => value).join('\n');
  const texts = redact([query, values, body.text, event, reason], [...known, ...secrets]);
  const [keptQuery = '', keptValues = '', keptBody = '', keptEvent = '', keptReason = ''] =
    texts ?? [];
  const lines = keptValues.split('\n');
  const isReadable = isJson(keptBody) || !isJson(body.text);
  const isWhole = body.isWhole && isReadable && keptQuery.length <= MAX_QUERY;
  return {
    content: {
      kind: 'request',
      query: keptQuery.slice(0, MAX_QUERY),
      headers: headers.map(
        ([name], index) =>
          [name, (lines[index] ?? '').slice(0, MAX_HEADER).toWellFormed()] as const,
      ),
      isWhole: isWhole && texts !== undefined,
    },
    body: cutBody(keptBody),
    event: keptEvent,
    reason: keptReason,
  };
}

/** What was kept of a request before secrets were taken out. */
export const redactedRequest = (
  { query, headers, isWhole }: LoggedRequest,
  text: string,
): ReceivedRequest => ({
  query,
  headers,
  body: { text, isWhole },
  secrets: secretFields(query),
});

/** The request as it came, but for what was not kept. */
export function rawBodyOf({ query, headers }: LoggedRequest, body: string): RawBody {
  const byName = new Map(headers);
  return {
    contentType: byName.get('content-type') ?? '',
    bytes: new TextEncoder().encode(body),
    header: (name) => byName.get(name),
    headers: () => headers,
    query,
  };
}
