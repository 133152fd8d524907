/** Events on an answer that stays open (API decisions 8.4). */
import type { Caller, GoneSignal } from './handlers.ts';

/** Where the lines go. */
export interface StreamSink {
  /** False when the reader is behind: nothing more is written until `onDrain`. */
  readonly write: (bytes: Uint8Array) => boolean;
  readonly onDrain: (listener: () => void) => void;
  /** The answer is complete: the client asks again. */
  readonly end: () => void;
  /** The client does not read: what it was not sent is thrown away. */
  readonly cut: () => void;
}

export interface StreamClient {
  /** Aborts when the client has gone. */
  readonly signal: GoneSignal;
  /** The answer begins; nothing is refused any more. */
  readonly begin: () => StreamSink;
}

export interface EventStreamRequest {
  readonly queueId: string;
  /** -1 acknowledges nothing. */
  readonly lastEventId: number;
}

/**
 * Settles when the stream is over.
 * @throws before it begins: BAD_EVENT_QUEUE_ID, BAD_REQUEST for the queue of another account, RATE_LIMIT_HIT
 */
export type OpenEventStream = (
  caller: Caller,
  request: EventStreamRequest,
  client: StreamClient,
) => Promise<void>;
