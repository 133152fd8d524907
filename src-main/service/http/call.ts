/** A request as its handler sees it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GoneSignal, Call, Caller, RawBody, UploadedFile } from '../../contract/handlers.ts';

const MAX_CLIENT_NAME = 30;

/** The name of a client from its User-Agent (API decisions, section 2.4). */
export function clientName(userAgent: string | undefined): string {
  const name = /^[^/ (]*/.exec(userAgent?.trim() ?? '')?.[0] ?? '';
  return Array.from(name).slice(0, MAX_CLIENT_NAME).join('') || 'Unspecified';
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** The Host header in lower case; undefined when it is absent or not a host and port. */
const readHost = (host: string | undefined): string | undefined =>
  host !== undefined && HOST.test(host) ? host.toLowerCase() : undefined;

const hostName = (host: string): string => host.replace(/:\d+$/, '');

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || isLoopbackV4(name);

const isLoopbackV4 = (text: string): boolean => /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(text);

const isLoopbackAddress = (address: string | undefined): boolean =>
  address !== undefined && (address === '::1' || isLoopbackV4(address.replace(/^::ffff:/i, '')));

/** Scheme, host and port that the client used. */
export function originOf(request: FastifyRequest): string {
  const host = readHost(request.headers.host);
  if (host !== undefined) return `http://${host}`;
  const { localAddress = '127.0.0.1', localPort = 80 } = request.raw.socket;
  const name = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return `http://${name}:${localPort}`;
}

/**
 * Coming from this machine is not enough: a page from anywhere can make a browser on this machine send requests,
 * and give its own name our address. Such a request carries that name as its host, or that page's origin.
 */
function isLocal(request: FastifyRequest): boolean {
  const host = readHost(request.headers.host);
  if (host === undefined || !isLoopbackName(hostName(host))) return false;
  if (!isLoopbackAddress(request.raw.socket.remoteAddress)) return false;
  const origin = request.headers.origin;
  return origin === undefined || origin.toLowerCase() === `http://${host}`;
}

/** One is made for every fetch of events, thousands at a time: an AbortSignal would cost more than the fetch. */
class ConnectionSignal implements GoneSignal {
  readonly #listeners = new Set<() => void>();
  aborted = false;

  constructor(reply: FastifyReply) {
    if (reply.raw.destroyed || reply.raw.socket?.destroyed === true) {
      this.aborted = true;
      return;
    }
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) this.#abort();
    });
  }

  get reason(): Error {
    return new DOMException('The client has gone', 'AbortError');
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  #abort(): void {
    this.aborted = true;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** What was read of a request before its handler is asked. */
export interface Received {
  readonly caller: Caller | null;
  readonly body: RawBody | null;
  readonly files: readonly UploadedFile[];
}

/** Everything that costs something is found out when it is first asked for. */
export function callOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { caller, body, files }: Received,
): Call {
  let signal: GoneSignal | undefined;
  return {
    caller,
    body,
    files,
    get client() {
      return clientName(request.headers['user-agent']);
    },
    get signal() {
      return (signal ??= new ConnectionSignal(reply));
    },
    get origin() {
      return originOf(request);
    },
    get isLocal() {
      return isLocal(request);
    },
  };
}
