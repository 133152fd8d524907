/** Reads the body of a request, as much as its sender may have in memory (API decisions 13). */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Clock } from '#node/clock.ts';
import type { Caller } from '../core/ports/handlers.ts';
import { discard } from './discard-body.ts';
import { BodyStream } from './body-stream.ts';
import { lateBody, payloadTooLarge } from './failure.ts';
import { tooManyNow } from './limits/rate-limit.ts';
import type { Charge } from './limits/waiting-bytes.ts';

/** What is known of a request before its body is read. */
export interface Admission {
  readonly endpoint: AnyEndpoint | undefined;
  /** Null where nobody has proved who they are. */
  readonly caller: Caller | null;
  /** When that was so, as `Authenticator.version` counts. */
  readonly version: number | undefined;
  /** Bytes that are read at most; 0 for a body that nobody needs. */
  readonly most: number;
  readonly charge: Charge;
  /** Whether it is handed over while it comes. */
  readonly isStreamed?: boolean;
  /**
   * Who sends a body that is longer than `most`, by what has come of it; absent where that is too large.
   * @throws UNAUTHORIZED and its like
   */
  readonly readmit?: (begun: Uint8Array) => Promise<Admission>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a request without a body. */
    admission: Admission | null;
  }
}

const nothing = Buffer.alloc(0);
const FIRST_BYTES = 4096;

export const lengthOf = ({ headers }: IncomingMessage): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length']);

export const hasBody = (message: IncomingMessage): boolean =>
  message.headers['transfer-encoding'] !== undefined || (lengthOf(message) ?? 0) > 0;

/** Whether the client waits until it is told to send (RFC 9110, section 10.1.1). */
const isAwaited = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '');

interface ReadingParts {
  readonly clock: Clock;
  /** How long a body may not move. */
  readonly idleMs: number;
}

type BodyCallback = (error: Error | null, body?: Buffer) => void;

/**
 * One body on its way. It is gathered in one piece that grows: what a client sends byte by byte would take a hundred
 * times its size in pieces.
 */
class BodyReading {
  readonly #payload: IncomingMessage;
  readonly #parts: ReadingParts;
  readonly #request: FastifyRequest;
  readonly #done: BodyCallback;
  readonly #timer: NodeJS.Timeout;
  readonly #announced: number | undefined;
  #admission: Admission;
  #bytes = nothing;
  #length = 0;
  #isOver = false;

  constructor(
    request: FastifyRequest,
    admission: Admission,
    parts: ReadingParts,
    done: BodyCallback,
  ) {
    this.#payload = request.raw;
    this.#request = request;
    this.#admission = admission;
    this.#parts = parts;
    this.#done = done;
    this.#announced = lengthOf(request.raw);
    this.#timer = setTimeout(() => this.#fail(lateBody()), parts.idleMs).unref();
    const { raw } = request;
    raw.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError);
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#timer.refresh();
    const { most, readmit } = this.#admission;
    if (this.#length + chunk.length <= most) {
      this.#add(chunk);
    } else if (readmit === undefined) {
      this.#fail(payloadTooLarge());
    } else {
      this.#payload.pause();
      const begun = Buffer.concat([this.#bytes.subarray(0, this.#length), chunk]).subarray(0, most);
      readmit(begun).then(
        (admission) => this.#goOn(admission, chunk),
        (error: unknown) => this.#fail(error as Error),
      );
    }
  };

  readonly #onEnd = (): void => {
    this.#stop();
    this.#done(null, this.#bytes.subarray(0, this.#length));
  };

  readonly #onError = (): void => this.#fail(refusal('request_malformed'));

  #add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length && !this.#grow(length)) {
      this.#fail(tooManyNow(this.#admission.charge.budget.limits.each, this.#parts.clock.now()));
      return;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  #grow(length: number): boolean {
    const { charge, most } = this.#admission;
    const size = Math.min(
      Math.max(length, 2 * this.#bytes.length, FIRST_BYTES),
      this.#announced ?? most,
      most,
    );
    if (!charge.take(Math.max(0, size - charge.held))) return false;
    const larger = Buffer.allocUnsafe(size);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
    return true;
  }

  /** From now on the bytes are another's. */
  #goOn(admission: Admission, chunk: Buffer): void {
    // The connection has ended, or nothing came for too long.
    if (this.#isOver) return;
    this.#admission.charge.release();
    this.#admission = admission;
    this.#request.admission = admission;
    if (admission.charge.take(Math.max(this.#bytes.length, this.#announced ?? 0))) {
      this.#onData(chunk);
      this.#payload.resume();
    } else {
      this.#fail(tooManyNow(admission.charge.budget.limits.each, this.#parts.clock.now()));
    }
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    this.#stop();
    this.#bytes = nothing;
    discard(this.#payload);
    this.#done(error);
  }

  #stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#payload.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError);
  }
}

/** Gives back with the answer what the body takes, and lets a client send that waits for it. */
export function accept({ raw }: FastifyRequest, reply: FastifyReply, admission: Admission): void {
  reply.raw.once('close', () => {
    admission.charge.release();
    reply.request.admission?.charge.release();
  });
  if (isAwaited(raw)) reply.raw.writeContinue();
}

/** Bodies are read by what `accept` has settled. */
export function readBodies(app: FastifyInstance, parts: ReadingParts): void {
  app.decorateRequest('admission', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, _payload, done) => {
    const { admission } = request;
    if (admission === null || admission.most === 0) done(null, nothing);
    else if (admission.isStreamed === true) {
      done(null, new BodyStream(request.raw, { idleMs: parts.idleMs, most: admission.most }));
    } else new BodyReading(request, admission, parts, done);
  });
}
