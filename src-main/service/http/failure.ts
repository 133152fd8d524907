/** What a refused or failed request is answered with (API decisions 1). */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorStatuses, ServiceError } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import { isDiskFull } from '#node/error-code.ts';
import type { Log } from '#node/log.ts';
import { discard } from './discard-body.ts';
import { rateHeaders, RateLimitError } from './limits/rate-limit.ts';

/** Stand on every answer below `/api`, preflights included. */
export const apiHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'Authorization, Content-Type',
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

export interface Failure {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

export const notFound = (): ServiceError => refusal('nothing_here');

export const methodNotAllowed = (allowed: readonly string[]): ServiceError =>
  refusal(
    'method_not_allowed',
    { methods: allowed.join(', ') },
    {
      allowed_methods: allowed,
    },
  );

export const payloadTooLarge = (): ServiceError => refusal('body_too_large');

export const lateBody = (): ServiceError => refusal('request_late');

const diskFull = (): ServiceError => refusal('disk_full');

function headersOf(error: ServiceError): Record<string, string> {
  const { code, data } = error;
  const headers: Record<string, string> =
    error instanceof RateLimitError ? { ...rateHeaders(error.result) } : {};
  if (errorStatuses[code] === 401) headers['www-authenticate'] = 'Basic realm="chat"';
  const retryAfter = data['retry-after'];
  if (typeof retryAfter === 'number') headers['retry-after'] = String(Math.ceil(retryAfter));
  const allowed = data['allowed_methods'];
  if (Array.isArray(allowed)) headers['allow'] = allowed.join(', ');
  if (code === 'PAYLOAD_TOO_LARGE') headers['connection'] = 'close';
  return headers;
}

const answerTo = (error: ServiceError): Failure => ({
  status: error.status,
  body: error.body,
  headers: headersOf(error),
});

/** What the HTTP library or a handler threw, as a refusal; undefined when it is nobody's fault but ours. */
function knownRefusal(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error;
  if (!(error instanceof Error)) return undefined;
  const status = 'statusCode' in error ? error.statusCode : undefined;
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  if (status === 413) return payloadTooLarge();
  if (status === 403 || status === 404) return notFound();
  return refusal('request_malformed');
}

/** @param where  method and path of the request; never its query, which may hold a key */
export function failureOf(error: unknown, where: string, log: Log): Failure {
  const known = knownRefusal(error);
  if (known !== undefined) return answerTo(known);
  if (isDiskFull(error)) {
    log.error('the disk of the service is full', { request: where });
    return answerTo(diskFull());
  }
  log.error('request failed', { request: where, error });
  return answerTo(refusal('internal_error'));
}

/** Node's own table comes with all of `fetch` (`web-client.ts`). */
const reasonPhrases: Readonly<Record<number, string>> = { 400: 'Bad Request', 404: 'Not Found' };

/** A refusal of what is not even HTTP, where only the socket is left to answer on. */
function refuseBytes(error: ServiceError): string {
  const { status, body, headers } = answerTo(error);
  const json = JSON.stringify(body);
  const lines = Object.entries({
    ...apiHeaders,
    ...headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(json)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}\r\n${lines.join('')}\r\n${json}`;
}

/** What a client still sends is thrown away for so long, and so that it gets to read its answer. */
const LINGER_MS = 30_000;
const LINGER_IDLE_MS = 2000;
const LINGER_BYTES = 32 * 1024 * 1024;
const LINGER_LOOK_MS = 250;

/**
 * Ends a connection on which unread bytes arrive. Closing it at once would make the system reset it, and a client that
 * writes all of its request first would lose the answer that explains why.
 */
function endSoon(socket: Socket): void {
  socket.end();
  const from = socket.bytesRead;
  let seen = from;
  let passedMs = 0;
  let idleMs = 0;
  const timer = setInterval(() => {
    passedMs += LINGER_LOOK_MS;
    idleMs = socket.bytesRead === seen ? idleMs + LINGER_LOOK_MS : 0;
    seen = socket.bytesRead;
    const isOver = passedMs >= LINGER_MS || idleMs >= LINGER_IDLE_MS || seen - from > LINGER_BYTES;
    if (isOver) socket.destroy();
  }, LINGER_LOOK_MS).unref();
  socket.once('close', () => clearInterval(timer));
}

/** Makes the HTTP server end the connection by `endSoon` when the current answer is written. */
function lingerOnClose(socket: Socket): void {
  socket.destroySoon = () => endSoon(socket);
}

/** A body of up to so many bytes is thrown away and the connection kept. */
const KEPT_BYTES = 64 * 1024;

function isLong({ headers }: IncomingMessage): boolean {
  const { 'content-length': announced, 'transfer-encoding': encoding, expect } = headers;
  return encoding !== undefined || expect !== undefined || Number(announced ?? 0) > KEPT_BYTES;
}

/** Ends the connection with the answer where much of the body was not read and may still come. */
export function closeUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return;
  discard(raw);
  lingerOnClose(raw.socket);
  if (isLong(raw)) reply.header('connection', 'close');
}

const refused = new WeakSet<Socket>();

const clientMistakes: Readonly<Record<string, 'headers_too_large' | 'request_late'>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_late',
};

/** Answers bytes that are no HTTP request; more of them may follow and are thrown away. */
export function refuseMalformed(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (refused.has(socket)) return;
  refused.add(socket);
  socket.write(refuseBytes(refusal(clientMistakes[error.code ?? ''] ?? 'request_malformed')));
  endSoon(socket);
}

/** Answers CONNECT, for which the HTTP server hands over nothing but the socket. */
export function refuseTunnel(socket: Socket): void {
  socket.write(refuseBytes(notFound()));
  endSoon(socket);
}
