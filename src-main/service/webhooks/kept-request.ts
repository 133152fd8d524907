/** What is kept of a request for the owner of its bot: nothing that would let anybody deliver in its name. */
import type { KeptRequest } from '../domain/bots/kept-deliveries.ts';
import type { RawBody } from '../ports/handlers.ts';
import { isForm } from './frame/body.ts';
import { integrations } from './integrations/index.ts';

const MAX_BODY_BYTES = 64 * 1024;
const MAX_HEADERS = 50;
const MAX_HEADER = 500;
const MAX_QUERY = 4000;

const SECRET_HEADER =
  /auth|cookie|signature|token|secret|passw|credential|hmac|jwt|key|trello-webhook/;
const SECRET_ARGUMENT =
  /^(?:auth|sig|pwd)$|(?:^|_|-)(?:api_?key|key|token|secret|signature|password)$/i;

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

const isKept = (name: string): boolean =>
  eventHeaders.has(name) ||
  !(OF_THE_WAY.has(name) || name.startsWith('x-forwarded-') || SECRET_HEADER.test(name));

const withoutSecrets = (fields: string): string =>
  new URLSearchParams(
    [...new URLSearchParams(fields)].filter(([name]) => !SECRET_ARGUMENT.test(name)),
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
  try {
    // `stream` leaves out a character that the cut goes through.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return {
      text: decoder.decode(bytes.subarray(0, MAX_BODY_BYTES), { stream: !isWhole }),
      isWhole,
    };
  } catch {
    return { text: new TextDecoder().decode(bytes.subarray(0, MAX_BODY_BYTES)), isWhole: false };
  }
}

/** The key may stand in a form; in one of several parts it is not looked for. */
function bodyOf({ contentType, bytes }: RawBody): Text {
  if (/^multipart\//i.test(contentType.trim())) return { text: '', isWhole: false };
  const body = textOf(bytes);
  const fields = isForm(contentType) ? new URLSearchParams(body.text) : undefined;
  if (fields?.has('api_key') !== true) return body;
  fields.delete('api_key');
  return { ...body, text: fields.toString() };
}

export interface KeptPart {
  readonly content: KeptRequest;
  readonly body: string;
}

export function keptPartOf(raw: RawBody): KeptPart {
  const { text, isWhole } = bodyOf(raw);
  const query = withoutSecrets(readableQuery(raw.query));
  const headers = raw
    .headers()
    .filter(([name]) => isKept(name))
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => [name, value.slice(0, MAX_HEADER).toWellFormed()] as const);
  return {
    content: {
      kind: 'request',
      query: query.slice(0, MAX_QUERY),
      headers,
      isWhole: isWhole && query.length <= MAX_QUERY,
    },
    body: text,
  };
}

/** The request as it came, but for what was not kept. */
export function rawBodyOf({ query, headers }: KeptRequest, body: string): RawBody {
  const byName = new Map(headers);
  return {
    contentType: byName.get('content-type') ?? '',
    bytes: new TextEncoder().encode(body),
    header: (name) => byName.get(name),
    headers: () => headers,
    query,
  };
}
