/** A request as its handler sees it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GoneSignal, Call, Caller, RawBody, UploadedFile } from '../ports/handlers.ts';

const MAX_CLIENT_NAME = 30;

/** The name of a client from its User-Agent (API decisions 2.4). */
export function clientName(userAgent: string | undefined): string {
  const name = /^[^/ (]*/.exec(userAgent?.trim() ?? '')?.[0] ?? '';
  return Array.from(name).slice(0, MAX_CLIENT_NAME).join('') || 'Unspecified';
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
    get address() {
      return request.server.perimeter.addressOf(request);
    },
    get signal() {
      return (signal ??= new ConnectionSignal(reply));
    },
    get origin() {
      return request.server.perimeter.originOf(request);
    },
    get isLocal() {
      return request.server.perimeter.isLocal(request);
    },
  };
}
