/** A request as its handler sees it. */
import { CLIENT_CHARACTERS } from '#shared/api/bounds.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type {
  GoneSignal,
  Call,
  Caller,
  Distance,
  FileEvent,
  RawBody,
  UploadedFile,
} from '../core/ports/handlers.ts';
import { BodyStream } from './body-stream.ts';
import { readMultipartFiles } from './multipart.ts';

/** The name of a client from its User-Agent (API decisions 2.4). */
export function clientName(userAgent: string | undefined): string {
  const name = /^[^/ (]*/.exec(userAgent?.trim() ?? '')?.[0] ?? '';
  return Array.from(name).slice(0, CLIENT_CHARACTERS).join('') || 'Unspecified';
}

/** One is made for every fetch of events, thousands at a time: an AbortSignal would cost more than the fetch. */
class ConnectionSignal implements GoneSignal {
  readonly #listeners: (() => void)[] = [];
  aborted = false;

  constructor(reply: FastifyReply) {
    if (reply.raw.destroyed || reply.raw.socket?.destroyed === true) {
      this.aborted = true;
      return;
    }
    // It closes once: what `once` adds would be made for nothing.
    reply.raw.on('close', () => {
      if (!reply.raw.writableFinished) this.#abort();
    });
  }

  get reason(): Error {
    return new DOMException('The client has gone', 'AbortError');
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const place = this.#listeners.indexOf(listener);
    if (place !== -1) this.#listeners.splice(place, 1);
  }

  #abort(): void {
    this.aborted = true;
    // Each may take itself away.
    for (const listener of [...this.#listeners]) listener();
  }
}

async function* nothing(): AsyncGenerator<never> {
  // There is no body.
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** What was read of a request before its handler is asked. */
export interface CallInput {
  readonly caller: Caller | null;
  readonly body: RawBody | null;
  readonly files: readonly UploadedFile[];
  /** Absent where nothing limits it. */
  readonly countMore?: (count: number) => void;
}

/**
 * Everything that costs something is found out when it is first asked for. All but caller, body and files stands on the
 * prototype, because thousands of these are made a second: whoever spreads a call loses it.
 */
class ReceivedCall implements Call {
  readonly caller: Caller | null;
  readonly body: RawBody | null;
  readonly files: readonly UploadedFile[];
  readonly #countMore: CallInput['countMore'];
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  #signal: GoneSignal | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, received: CallInput) {
    this.#request = request;
    this.#reply = reply;
    this.caller = received.caller;
    this.body = received.body;
    this.files = received.files;
    this.#countMore = received.countMore;
  }

  get client(): string {
    return clientName(this.#request.headers['user-agent']);
  }

  get address(): string {
    return this.#request.server.clientAddresses.addressOf(this.#request);
  }

  get signal(): GoneSignal {
    return (this.#signal ??= new ConnectionSignal(this.#reply));
  }

  countMore(count: number): void {
    this.#countMore?.(count);
  }

  get piece(): AsyncIterable<Uint8Array> {
    const { body } = this.#request;
    if (body instanceof BodyStream) return body;
    // A POST that stands for another method was read before anybody knew.
    return Buffer.isBuffer(body) ? whole(body) : nothing();
  }

  get incoming(): AsyncIterable<FileEvent> {
    const { body, headers } = this.#request;
    if (!(body instanceof BodyStream)) return nothing();
    return readMultipartFiles(headers['content-type'] ?? '', body);
  }

  get origin(): string {
    return this.#request.server.clientAddresses.originOf(this.#request);
  }

  get sharedOrigin(): string {
    return this.#request.server.clientAddresses.sharedOriginOf(this.#request);
  }

  get distance(): Distance {
    return this.#request.server.clientAddresses.distanceOf(this.#request);
  }

  get isLocal(): boolean {
    return this.#request.server.clientAddresses.isLocal(this.#request);
  }
}

export const callOf = (request: FastifyRequest, reply: FastifyReply, received: CallInput): Call =>
  new ReceivedCall(request, reply, received);
