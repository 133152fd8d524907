/** A body that is handed over while it comes, and never in memory as a whole. */
import type { IncomingMessage } from 'node:http';
import { freeBytes } from '#node/files/free-bytes.ts';
import { refusal } from '#shared/api/refusal.ts';
import { lateBody, payloadTooLarge } from './failure.ts';

/** Whatever comes is handed over in pieces of this size. */
const PIECE_BYTES = 64 * 1024;

interface StreamLimits {
  /** How long the body may not move while somebody waits for it. */
  readonly idleMs: number;
  readonly most: number;
}

/** Nothing is read ahead of whoever takes it: a slow disk slows the sender down. */
export class BodyStream implements AsyncIterable<Uint8Array> {
  readonly #raw: IncomingMessage;
  readonly #limits: StreamLimits;

  constructor(raw: IncomingMessage, limits: StreamLimits) {
    this.#raw = raw;
    this.#limits = limits;
  }

  /**
   * Each piece is good until the next one is asked for.
   * @throws PAYLOAD_TOO_LARGE, BAD_REQUEST where the rest does not come; everything before was handed over
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const held = Buffer.allocUnsafeSlow(PIECE_BYTES);
    let length = 0;
    try {
      for await (const chunk of this.#chunks()) {
        for (let at = 0; at < chunk.length;) {
          const copied = chunk.copy(held, length, at);
          at += copied;
          length += copied;
          if (length < PIECE_BYTES) continue;
          yield held;
          length = 0;
        }
        freeBytes(chunk);
      }
    } catch (reason) {
      if (length > 0) yield held.subarray(0, length);
      throw reason;
    }
    if (length > 0) yield held.subarray(0, length);
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    let length = 0;
    for (let chunk = await this.#next(); chunk !== null; chunk = await this.#next()) {
      length += chunk.length;
      if (length > this.#limits.most) throw payloadTooLarge();
      yield chunk;
    }
  }

  /** Null at the end. */
  #next(): Promise<Buffer | null> {
    const raw = this.#raw;
    if (raw.readableEnded) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const broken = (): void => settle(() => reject(refusal('request_malformed')));
      const take = (chunk: Buffer): void => settle(() => resolve(chunk));
      const end = (): void => settle(() => resolve(null));
      const late = (): void => settle(() => reject(lateBody()));
      const timer = setTimeout(late, this.#limits.idleMs).unref();
      const settle = (answer: () => void): void => {
        clearTimeout(timer);
        raw.pause();
        raw.off('data', take).off('end', end).off('error', broken).off('close', broken);
        answer();
      };
      if (raw.destroyed) broken();
      else raw.on('data', take).on('end', end).on('error', broken).on('close', broken).resume();
    });
  }
}
